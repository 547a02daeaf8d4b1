package org.sparkgpugraph.graphs.memory;

import java.lang.ref.Cleaner;
import org.apache.spark.unsafe.Platform;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Elements for loops that read them by address: where they are, as long as they are side by side
 * off the heap, else copies. For one thread. An address holds until the next one is asked for, and
 * as long as this object and what has the elements are reachable: the memory of copies is given
 * back with it. It is taken of a budget but where it is little.
 */
public final class ElementAddresses {
  /** Elements that pass through the heap at a time. */
  private static final int PART = 1 << 12;

  /** Bytes of copies that no budget counts: of blocks of rows that lie in two chunks. */
  static final int LITTLE = 1 << 20;

  private final DirectMemory.Budget budget;
  private Block block = new Block(0, 0, null);
  private Cleaner.Cleanable freed;

  /**
   * Memory of copies.
   *
   * @param counted has given its bytes; null: nobody has
   */
  private record Block(long address, long bytes, DirectMemory.Budget counted) implements Runnable {
    @Override
    public void run() {
      Platform.freeMemory(address);
      if (counted != null) {
        counted.give(bytes);
      }
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
   * @param budget of copies; null: nobody counts them
   */
  public ElementAddresses(DirectMemory.Budget budget) {
    this.budget = budget;
  }

  /**
   * The address of elements.
   *
   * @param inPlace where they are side by side; 0: nowhere, so that they are copied
   * @param from the first of them
   * @param source has them
   * @return where the first one is; anything where there are none
   * @throws OffHeapMemoryException when the budget or the system has no memory for copies, or they
   *     cannot be read
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
    block = new Block(0, 0, null);
    freed = null;
    DirectMemory.Budget counted = bytes <= LITTLE ? null : budget;
    if (counted != null && !counted.take(bytes)) {
      throw new OffHeapMemoryException(
          ("a copy of %,d bytes of a graph's edges, those of a row that lies in several pieces, does"
                  + " not fit off the heap: %s")
              .formatted(bytes, counted.describe()));
    }
    boolean done = false;
    try {
      block = new Block(Platform.allocateMemory(bytes), bytes, counted);
      done = true;
    } catch (OutOfMemoryError e) {
      // No cause: who looks for the class of the error in a log would take this for an executor
      // that ended.
      throw new OffHeapMemoryException(
          ("the system refuses memory for %,d bytes of a graph's edges off the heap, those of a row:"
                  + " %s")
              .formatted(bytes, e.getMessage()));
    } finally {
      if (!done && counted != null) {
        counted.give(bytes);
      }
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
