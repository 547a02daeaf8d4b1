package org.sparkgpugraph.graphs.memory;

import java.util.function.Supplier;
import org.sparkgpugraph.program.ir.Kind;

/**
 * An array of a graph's structure that the host makes when somebody there first asks for it. A
 * device may have made a copy of its own before; this object is then what that copy is known by.
 * Thread-safe.
 */
public final class LaterArray {
  private final int length;
  private final Kind kind;
  private final Supplier<Object> host;

  /**
   * @param length number of elements
   * @param kind of the elements
   * @param host makes the array, or gives what it has made
   */
  public LaterArray(int length, Kind kind, Supplier<Object> host) {
    this.length = length;
    this.kind = kind;
    this.host = host;
  }

  /** Number of elements. */
  public int length() {
    return length;
  }

  /** Kind of the elements. */
  public Kind kind() {
    return kind;
  }

  /** The array, made on the host if need be. */
  public Object array() {
    return host.get();
  }
}
