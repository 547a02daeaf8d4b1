package io.sparkgpugraph.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** The threads of one build: the caller and {@code threads − 1} helpers. */
public final class Workers implements AutoCloseable {
  private static final int CHUNK = 1 << 16;

  private final int threads;
  private final ExecutorService helpers;

  /**
   * @param threads the caller among them, at least 1
   */
  public Workers(int threads) {
    if (threads < 1) {
      throw new IllegalArgumentException(threads + " threads; at least 1 is needed");
    }
    this.threads = threads;
    this.helpers =
        threads == 1
            ? null
            : Executors.newFixedThreadPool(
                threads - 1,
                task -> {
                  Thread thread = new Thread(task, "graph-build");
                  thread.setDaemon(true);
                  return thread;
                });
  }

  /** Number of threads. */
  public int threads() {
    return threads;
  }

  /**
   * Runs {@code task} for 0…count−1, in no order; returns when all have ended, throws what one of
   * them threw.
   */
  public void run(int count, IntConsumer task) {
    AtomicInteger next = new AtomicInteger();
    Runnable loop =
        () -> {
          for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
            task.accept(i);
          }
        };
    List<Future<?>> others = new ArrayList<>();
    for (int i = 1; i < Math.min(threads, count); i++) {
      others.add(helpers.submit(loop));
    }
    Throwable failure = null;
    try {
      loop.run();
    } catch (RuntimeException | Error e) {
      failure = e;
    }
    for (Future<?> other : others) {
      try {
        other.get();
      } catch (ExecutionException e) {
        failure = failure == null ? e.getCause() : failure;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while building a graph", e);
      }
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
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
    run(chunks, c -> work.accept(c * CHUNK, (int) Math.min(size, (long) (c + 1) * CHUNK)));
  }

  /** Cuts {@code [0, size)} into at most as many pieces as there are threads. */
  void forEachPiece(int size, Chunk work) {
    int pieces = Math.min(threads, (int) (((long) size + CHUNK - 1) / CHUNK));
    run(
        pieces,
        p -> work.accept((int) ((long) size * p / pieces), (int) ((long) size * (p + 1) / pieces)));
  }

  @Override
  public void close() {
    if (helpers != null) {
      helpers.shutdown();
    }
  }
}
