package org.sparkgpugraph.graphs.memory;

import java.util.concurrent.TimeUnit;
import org.sparkgpugraph.program.ir.Kind;

/**
 * A home of arrays with an element for each edge, outside of the heap. What nobody reaches any more
 * it takes back when the garbage collector finds that out. Thread-safe.
 */
public interface EdgeMemory {
  /** How often {@link #await} asks; the pauses between double from a millisecond on. */
  int TRIES = 10;

  /**
   * Allocates an array; what is in it until it is written nobody knows.
   *
   * @param length of the array
   * @throws OffHeapMemoryException when there is not that much
   */
  OffHeapArray allocate(Kind kind, int length);

  /** Whether so many bytes more could be had now. */
  boolean hasRoom(long bytes);

  /** Bytes of the arrays that are not taken back yet. */
  long bytes();

  /** Of these, bytes in mapped files. */
  long mappedBytes();

  /**
   * Waits a second at most until there is room, since arrays that nobody reaches count until the
   * collector has found them.
   *
   * @return whether there is
   */
  default boolean await(long bytes) {
    boolean room = hasRoom(bytes);
    for (int i = 0; i < TRIES && !room && bytes() > 0; i++) {
      System.gc();
      try {
        TimeUnit.MILLISECONDS.sleep(1L << i);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return hasRoom(bytes);
      }
      room = hasRoom(bytes);
    }
    return room;
  }
}
