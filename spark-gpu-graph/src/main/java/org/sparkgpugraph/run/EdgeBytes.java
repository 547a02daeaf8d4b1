package org.sparkgpugraph.run;

import java.io.Serializable;

/**
 * Where the edges of a graph's part are: neighbours, where the rows of them begin, and edge values,
 * of all that is made by now.
 *
 * @param onHeap bytes on the heap
 * @param offHeap bytes of the process's own memory outside of it
 * @param mapped bytes in mapped files, of which the system has in memory what it has room for
 */
public record EdgeBytes(long onHeap, long offHeap, long mapped) implements Serializable {
  /** No edges. */
  public static final EdgeBytes NONE = new EdgeBytes(0, 0, 0);

  /** Both together. */
  public EdgeBytes plus(EdgeBytes other) {
    return new EdgeBytes(onHeap + other.onHeap, offHeap + other.offHeap, mapped + other.mapped);
  }
}
