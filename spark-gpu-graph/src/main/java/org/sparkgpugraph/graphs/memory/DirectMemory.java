package org.sparkgpugraph.graphs.memory;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.apache.spark.unsafe.Platform;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The process's own memory, as far as a budget goes. Buffers are Spark's: {@code
 * -XX:MaxDirectMemorySize}, which is the size of the heap unless set, does not count them.
 */
public final class DirectMemory implements EdgeMemory {
  /** Bytes that may be taken. Thread-safe. */
  public interface Budget {
    /** Takes bytes; says whether there were as many. */
    boolean take(long bytes);

    /** Whether so many bytes could be taken now; takes none, and has nobody make room. */
    boolean hasRoom(long bytes);

    /** Gives bytes back. */
    void give(long bytes);

    /** Bytes that there are, taken or not. */
    long limit();

    /** What there is and what to do when it is too little, in messages. */
    String describe();

    /**
     * So many bytes.
     *
     * @param remedy what to do when they are too few
     */
    static Budget of(long limit, String remedy) {
      AtomicLong taken = new AtomicLong();
      return new Budget() {
        @Override
        public boolean take(long bytes) {
          long before = taken.get();
          while (bytes <= limit - before) {
            if (taken.compareAndSet(before, before + bytes)) {
              return true;
            }
            before = taken.get();
          }
          return false;
        }

        @Override
        public boolean hasRoom(long bytes) {
          return bytes <= limit - taken.get();
        }

        @Override
        public void give(long bytes) {
          taken.addAndGet(-bytes);
        }

        @Override
        public long limit() {
          return limit;
        }

        @Override
        public String describe() {
          return "%,d of %,d bytes are free: %s".formatted(limit - taken.get(), limit, remedy);
        }
      };
    }
  }

  private final Budget budget;
  private final IntFunction<ByteBuffer> allocator;
  private final AtomicLong taken = new AtomicLong();

  public DirectMemory(Budget budget) {
    this(budget, Platform::allocateDirectBuffer);
  }

  /** With another source of buffers, for tests of one that refuses. */
  DirectMemory(Budget budget, IntFunction<ByteBuffer> allocator) {
    this.budget = budget;
    this.allocator = allocator;
  }

  @Override
  public OffHeapArray allocate(Kind kind, int length) {
    long bytes = (long) kind.bytes() * length;
    if (!budget.take(bytes) && !Collected.await(this::bytes, () -> budget.take(bytes))) {
      throw new OffHeapMemoryException(
          "an array of %,d bytes of a graph's edges does not fit off the heap: %s"
              .formatted(bytes, budget.describe()));
    }
    try {
      return taken(kind, length);
    } catch (OutOfMemoryError e) {
      // No cause: who looks for the class of the error in a log would take this for an executor
      // that ended.
      throw new OffHeapMemoryException(
          ("the system refuses memory for an array of %,d bytes of a graph's edges off the heap"
                  + " (%s), of which %s; or set spark.gpugraph.memory.edges = mapped")
              .formatted(bytes, e.getMessage(), budget.describe()));
    }
  }

  @Override
  public OffHeapArray tryAllocate(Kind kind, int length) {
    if (!budget.take((long) kind.bytes() * length)) {
      return null;
    }
    try {
      return taken(kind, length);
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /** An array whose bytes the budget has given; gives them back where it fails. */
  private OffHeapArray taken(Kind kind, int length) {
    long bytes = (long) kind.bytes() * length;
    taken.addAndGet(bytes);
    boolean done = false;
    try {
      int most = OffHeapArray.CHUNK_BYTES;
      ByteBuffer[] chunks = new ByteBuffer[(int) ((bytes + most - 1) / most)];
      for (int c = 0; c < chunks.length; c++) {
        chunks[c] = allocator.apply((int) Math.min(most, bytes - (long) c * most));
      }
      OffHeapArray array = new OffHeapArray(kind, length, chunks, most, null, budget);
      Collected.CLEANER.register(array, () -> free(bytes));
      done = true;
      return array;
    } finally {
      if (!done) {
        free(bytes);
      }
    }
  }

  private void free(long bytes) {
    taken.addAndGet(-bytes);
    budget.give(bytes);
  }

  @Override
  public boolean hasRoom(long bytes) {
    return budget.hasRoom(bytes);
  }

  /** Bytes that there are, taken or not. */
  public long limit() {
    return budget.limit();
  }

  @Override
  public long bytes() {
    return taken.get();
  }

  @Override
  public long mappedBytes() {
    return 0;
  }
}
