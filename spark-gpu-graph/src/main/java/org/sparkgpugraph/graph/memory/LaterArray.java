package org.sparkgpugraph.graph.memory;

import java.util.function.Supplier;

/**
 * An array of a graph's structure that the host makes when somebody there first asks for it. A
 * device may have made a copy of its own before; this object is then what that copy is known by.
 * Thread-safe.
 */
public final class LaterArray {
  private final int length;
  private final int elementBytes;
  private final Supplier<Object> host;

  /**
   * @param length number of elements
   * @param elementBytes bytes of one on a device
   * @param host makes the array, or gives what it has made
   */
  public LaterArray(int length, int elementBytes, Supplier<Object> host) {
    this.length = length;
    this.elementBytes = elementBytes;
    this.host = host;
  }

  /** Number of elements. */
  public int length() {
    return length;
  }

  /** Bytes of an element on a device. */
  public int elementBytes() {
    return elementBytes;
  }

  /** The array, made on the host if need be. */
  public Object array() {
    return host.get();
  }
}
