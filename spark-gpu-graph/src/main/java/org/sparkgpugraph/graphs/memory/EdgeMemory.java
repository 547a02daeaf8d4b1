package org.sparkgpugraph.graphs.memory;

import org.sparkgpugraph.program.ir.Kind;

/**
 * A home of arrays with an element for each edge, outside of the heap. What nobody reaches any more
 * it takes back when the garbage collector finds that out. Thread-safe.
 */
public interface EdgeMemory {
  /**
   * Allocates an array; what is in it until it is written nobody knows.
   *
   * @param length of the array
   * @throws OffHeapMemoryException when there is not that much
   */
  OffHeapArray allocate(Kind kind, int length);

  /**
   * The same without waiting for what the collector has still to find.
   *
   * @return null when there is not that much
   */
  default OffHeapArray tryAllocate(Kind kind, int length) {
    try {
      return hasRoom((long) kind.bytes() * length) ? allocate(kind, length) : null;
    } catch (OffHeapMemoryException e) {
      return null;
    }
  }

  /** Whether so many bytes more could be had now. */
  boolean hasRoom(long bytes);

  /** Bytes of the arrays that are not taken back yet. */
  long bytes();

  /** Of these, bytes in mapped files. */
  long mappedBytes();
}
