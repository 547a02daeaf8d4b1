package org.sparkgpugraph.graphs.memory;

import java.lang.ref.Cleaner;
import org.apache.spark.unsafe.Platform;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Elements for loops that read them by address: where they are, as long as they are side by side
 * off the heap, else copies. For one thread. An address holds until the next one is asked for, and
 * as long as this object and what has the elements are reachable: the memory of copies is given
 * back with it.
 */
public final class ElementAddresses {
  /** Elements that pass through the heap at a time. */
  private static final int PART = 1 << 12;

  private Block block = new Block(0, 0);
  private Cleaner.Cleanable freed;

  /** Memory of copies. */
  private record Block(long address, long bytes) implements Runnable {
    @Override
    public void run() {
      Platform.freeMemory(address);
    }
  }

  /** Copies elements to the heap. */
  @FunctionalInterface
  public interface Source {
    /**
     * Copies elements.
     *
     * @param from the first of them
     * @param into an array of their kind, whose first ones they become
     */
    void copy(int from, int count, Object into);
  }

  /**
   * The address of elements.
   *
   * @param inPlace where they are side by side; 0: nowhere, so that they are copied
   * @param from the first of them
   * @param source has them
   * @return where the first one is; anything where there are none
   * @throws OffHeapMemoryException when there is no memory for copies, or they cannot be read
   */
  public long of(long inPlace, Kind kind, int from, int count, Source source) {
    if (inPlace != 0 || count == 0) {
      return inPlace;
    }
    reserve((long) kind.bytes() * count);
    Object some = Columns.newArray(kind, Math.min(count, PART));
    for (int done = 0; done < count; done += PART) {
      int part = Math.min(PART, count - done);
      source.copy(from + done, part, some);
      long to = block.address + (long) kind.bytes() * done;
      Platform.copyMemory(some, offset(kind), null, to, (long) kind.bytes() * part);
    }
    return block.address;
  }

  private void reserve(long bytes) {
    if (bytes <= block.bytes) {
      return;
    }
    if (freed != null) {
      freed.clean();
    }
    block = new Block(0, 0);
    freed = null;
    try {
      block = new Block(Platform.allocateMemory(bytes), bytes);
    } catch (OutOfMemoryError e) {
      // No cause: who looks for the class of the error in a log would take this for an executor
      // that ended.
      throw new OffHeapMemoryException(
          ("the system refuses memory for %,d bytes of a graph's edges off the heap, those of a row:"
                  + " %s")
              .formatted(bytes, e.getMessage()));
    }
    freed = Collected.CLEANER.register(this, block);
  }

  private static long offset(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> Platform.BOOLEAN_ARRAY_OFFSET;
      case INT -> Platform.INT_ARRAY_OFFSET;
      case LONG -> Platform.LONG_ARRAY_OFFSET;
      case FLOAT -> Platform.FLOAT_ARRAY_OFFSET;
      case DOUBLE -> Platform.DOUBLE_ARRAY_OFFSET;
    };
  }
}
