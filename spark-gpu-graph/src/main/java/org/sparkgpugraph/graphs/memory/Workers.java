package org.sparkgpugraph.graphs.memory;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/**
 * The threads of one build, and the heap that it reserves: what it keeps, and what it needs for a
 * while; or those of something else that is done by several threads now and then. The threads are
 * the caller and {@code threads − 1} helpers. These are lent by all builds of the JVM to each
 * other: to start one takes as long as to work through a small graph.
 */
public final class Workers implements AutoCloseable {
  private static final int CHUNK = 1 << 16;

  private static final int SHORT = 1 << 10;

  /** Seconds after which a helper ends that nobody needs. */
  private static final int IDLE_SECONDS = 10;

  private static final ExecutorService HELPERS =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          task -> {
            // Nothing of whoever needs it first is for those who come later.
            Thread thread = new Thread(null, task, "graph-build", 0, false);
            thread.setDaemon(true);
            // Each build brings its own.
            thread.setContextClassLoader(null);
            return thread;
          });

  private final int threads;
  private final ExecutorService helpers;
  private final BuildMemory memory;
  private final BuildMemory.Reservation reserved;
  private volatile boolean closed;

  /**
   * Without a bound on memory.
   *
   * @param threads the caller among them, at least 1
   */
  public Workers(int threads) {
    this(threads, BuildMemory.UNBOUNDED);
  }

  /**
   * @param threads the caller among them, at least 1
   * @param memory where the build reserves what it takes
   */
  public Workers(int threads, BuildMemory memory) {
    this(threads, memory, HELPERS);
  }

  /** With helpers of somebody's own. */
  Workers(int threads, BuildMemory memory, ExecutorService helpers) {
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads; at least 1 is needed");
    }
    this.threads = threads;
    this.memory = memory;
    this.helpers = helpers;
    reserved = memory.begin();
  }

  /** Reserves, until the build ends, heap that is allocated next. */
  public void acquire(long bytes) {
    reserved.acquire(bytes);
  }

  /** Whether so much could be reserved now. */
  public boolean hasRoom(long bytes) {
    return reserved.hasRoom(bytes);
  }

  /** Gives back what {@link #acquire} has reserved and nobody needs any more. */
  public void release(long bytes) {
    reserved.release(bytes);
  }

  /** Where arrays go that have an element for each edge; null: they are on the heap. */
  public EdgeMemory edges() {
    return memory.edges();
  }

  /** A reservation for a step of the build, which ends with it. */
  public BuildMemory.Reservation temporary() {
    return memory.begin();
  }

  /** Number of threads. */
  public int threads() {
    return threads;
  }

  /**
   * Runs {@code task} for 0…count−1, in no order; returns when all that began have ended. When some
   * fail it throws what the first of them by number threw, whatever the number of threads, and
   * those behind it may not have run.
   */
  public void run(int count, IntConsumer task) {
    run(count, task, () -> {});
  }

  /**
   * The same for tasks that wait for something.
   *
   * @param stop has those that have begun end soon: called when one fails, or the caller is
   *     interrupted
   */
  public void run(int count, IntConsumer task, Runnable stop) {
    run(ColdCode.WARM, count, task, stop);
  }

  /**
   * The same by code that the JVM may not have compiled yet: as long as that is likely the caller
   * runs tasks alone.
   *
   * @param code what a task runs; tasks take some milliseconds at most, unless it is warm
   */
  private void run(ColdCode code, int count, IntConsumer task, Runnable stop) {
    if (closed) {
      throw new IllegalStateException("these workers' build has ended");
    }
    AtomicInteger next = new AtomicInteger();
    AtomicReference<Failed> first = new AtomicReference<>();
    IntConsumer caught =
        i -> {
          try {
            task.accept(i);
          } catch (Throwable e) {
            first.accumulateAndGet(new Failed(i, e), Failed::first);
            // All before this one have begun.
            next.set(count);
            stop.run();
          }
        };
    code.begin(next, count, caught);
    Runnable loop =
        () -> {
          for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            caught.accept(i);
          }
        };
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    Runnable helping =
        () -> {
          Thread.currentThread().setContextClassLoader(loader);
          try {
            loop.run();
          } finally {
            Thread.currentThread().setContextClassLoader(null);
          }
        };
    List<Future<?>> others = new ArrayList<>();
    for (int i = 1; i < Math.min(threads, count) && next.get() < count; i++) {
      try {
        others.add(helpers.submit(helping));
      } catch (OutOfMemoryError | RejectedExecutionException e) {
        // No further thread can be had: those that there are do it all.
        break;
      }
    }
    loop.run();
    Runnable stopAll =
        () -> {
          next.set(count);
          stop.run();
        };
    if (await(others, stopAll)) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while several threads worked");
    }
    if (first.get() != null) {
      throw Workers.<RuntimeException>sneaky(first.get().thrown);
    }
  }

  /**
   * Waits until helpers have ended, also when the caller is interrupted: they work in its name.
   *
   * @param stop has them end soon; done when the caller is interrupted
   * @return whether it was
   */
  private static boolean await(List<Future<?>> helpers, Runnable stop) {
    boolean interrupted = false;
    for (Future<?> helper : helpers) {
      while (!helper.isDone()) {
        try {
          helper.get();
        } catch (ExecutionException e) {
          throw new IllegalStateException(e);
        } catch (InterruptedException e) {
          interrupted = true;
          stop.run();
        }
      }
    }
    return interrupted;
  }

  /** A task that failed. */
  private record Failed(int task, Throwable thrown) {
    static Failed first(Failed a, Failed b) {
      return a == null || b.task < a.task ? b : a;
    }
  }

  /** Scala's functions may throw what is not declared. */
  @SuppressWarnings("unchecked")
  private static <E extends Throwable> E sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }

  /** Work on a range of positions. */
  @FunctionalInterface
  public interface Chunk {
    /** Works on the positions {@code [from, to)}. */
    void accept(int from, int to);
  }

  /** Cuts {@code [0, size)} into chunks and runs {@code work} on each. */
  public void forEachChunk(int size, Chunk work) {
    int chunks = (int) (((long) size + CHUNK - 1) / CHUNK);
    ColdCode code = ColdCode.of(work.getClass());
    run(
        code,
        chunks,
        c -> accept(code, c * CHUNK, (int) Math.min(size, (long) (c + 1) * CHUNK), work),
        () -> {});
  }

  /** Work on a range of positions of one of several things. */
  @FunctionalInterface
  public interface Part {
    /** Works on the positions {@code [from, to)} of a thing. */
    void accept(int index, int from, int to);
  }

  /** As {@link #forEachPart(int[], long, Part)}, for work that costs little to start. */
  public void forEachPart(int[] sizes, Part work) {
    forEachPart(ColdCode.of(work.getClass()), sizes, CHUNK, work);
  }

  /**
   * Cuts several things into parts and runs {@code work} on each, so that it does not matter
   * whether they are few and large or many and small.
   *
   * @param sizes of the things
   * @param largest size of a part
   */
  public void forEachPart(int[] sizes, long largest, Part work) {
    forEachPart(ColdCode.WARM, sizes, largest, work);
  }

  private void forEachPart(ColdCode code, int[] sizes, long largest, Part work) {
    int[] starts = new int[sizes.length + 1];
    for (int i = 0; i < sizes.length; i++) {
      starts[i + 1] = starts[i] + (int) ((sizes[i] + largest - 1) / largest);
    }
    run(
        code,
        starts[sizes.length],
        p -> {
          int at = Arrays.binarySearch(starts, p);
          int index = at < 0 ? -at - 2 : at;
          while (starts[index + 1] == p) {
            index++; // it is empty
          }
          long from = (p - starts[index]) * largest;
          int to = (int) Math.min(sizes[index], from + largest);
          int thing = index;
          accept(code, (int) from, to, (start, end) -> work.accept(thing, start, end));
        },
        () -> {});
  }

  /** Few positions at a time where code is cold: the JVM soon compiles what is called often. */
  private static void accept(ColdCode code, int from, int to, Chunk work) {
    if (!code.isCold()) {
      work.accept(from, to);
      return;
    }
    for (int at = from; at < to; ) {
      int end = Math.min(to, at + SHORT);
      work.accept(at, end);
      at = end;
    }
  }

  @Override
  public void close() {
    closed = true;
    reserved.close();
  }
}
