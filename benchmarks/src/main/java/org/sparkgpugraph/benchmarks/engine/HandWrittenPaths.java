package org.sparkgpugraph.benchmarks.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Shortest paths by delta-stepping as one writes it for one graph: loops over arrays of ints,
 * buckets of each thread's own, bucket fusion and a fixed width, as in the GAP benchmark suite
 * (Beamer, Asanović, Patterson 2015). One thread needs no atomic operations.
 */
final class HandWrittenPaths {
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int CHUNK = 64;
  private static final int FUSED = 1000;
  private static final int SPINS = 2000;
  private static final int LEAST_CAPACITY = 64;

  private final int[] offsets;
  private final int[] neighbours;
  private final int[] weights;
  private final int source;
  private final int width;
  private final Own[] threads;
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger placed = new AtomicInteger();
  private final int[] distances;
  private int[] frontier;
  private int size;
  private int bucket;
  private final AtomicInteger arrived = new AtomicInteger();
  private volatile int round;

  /** What one thread has. */
  private static final class Own {
    int[][] buckets = new int[16][];
    int[] sizes = new int[16];
    int least;
    long edges;

    void add(int bucket, int vertex) {
      if (bucket >= buckets.length) {
        int length = Math.max(bucket + 1, 2 * buckets.length);
        buckets = Arrays.copyOf(buckets, length);
        sizes = Arrays.copyOf(sizes, length);
      }
      int[] items = buckets[bucket];
      int count = sizes[bucket];
      if (items == null || count == items.length) {
        items = items == null ? new int[LEAST_CAPACITY] : Arrays.copyOf(items, 2 * count);
        buckets[bucket] = items;
      }
      items[count] = vertex;
      sizes[bucket] = count + 1;
    }
  }

  /**
   * @param partition all of a graph, with weights as ints
   * @param source dense id of the source
   * @param width of a bucket, at least 1
   */
  HandWrittenPaths(GraphPartition partition, int source, int width, int threads) {
    Csr out = partition.outEdges();
    offsets = out.offsets();
    neighbours = out.neighbours();
    weights = partition.outEdgeValues().ints(0);
    this.source = source;
    this.width = width;
    this.threads = new Own[threads];
    distances = new int[partition.stored()];
  }

  /** Width of a bucket. */
  int width() {
    return width;
  }

  /** Distances of the last run by dense id. */
  int[] distances() {
    return distances;
  }

  /** Edges that the last run looked at. */
  long edges() {
    return Arrays.stream(threads).mapToLong(own -> own.edges).sum();
  }

  /** Finds all paths. */
  void run() throws InterruptedException {
    Arrays.setAll(threads, t -> new Own());
    Arrays.fill(distances, Workload.UNREACHED);
    distances[source] = 0;
    threads[0].add(0, source);
    bucket = 0;
    if (threads.length == 1) {
      alone(threads[0]);
      return;
    }
    size = 0;
    frontier = new int[distances.length];
    taken.set(0);
    placed.set(0);
    arrived.set(0);
    Thread[] team = new Thread[threads.length];
    for (int t = 0; t < team.length; t++) {
      Own own = threads[t];
      team[t] = new Thread(() -> together(own));
      team[t].start();
    }
    for (Thread thread : team) {
      thread.join();
    }
  }

  private void alone(Own own) {
    for (; bucket < own.buckets.length; bucket++) {
      int[] items = {};
      while (own.sizes[bucket] > 0) {
        int[] spare = items;
        items = own.buckets[bucket];
        int count = own.sizes[bucket];
        own.buckets[bucket] = spare.length == 0 ? null : spare;
        own.sizes[bucket] = 0;
        for (int i = 0; i < count; i++) {
          relaxAlone(own, items[i]);
        }
      }
      own.buckets[bucket] = null;
    }
  }

  private void relaxAlone(Own own, int v) {
    int distance = distances[v];
    if (distance < (long) bucket * width) {
      return;
    }
    int end = offsets[v + 1];
    own.edges += end - offsets[v];
    for (int e = offsets[v]; e < end; e++) {
      int u = neighbours[e];
      int longer = distance + weights[e];
      if (longer < distances[u]) {
        distances[u] = longer;
        own.add(longer / width, u);
      }
    }
  }

  private void together(Own own) {
    while (true) {
      for (int from; (from = taken.getAndAdd(CHUNK)) < size; ) {
        for (int i = from; i < Math.min(size, from + CHUNK); i++) {
          relax(own, frontier[i]);
        }
      }
      int[] items = {};
      while (bucket < own.buckets.length && own.sizes[bucket] > 0 && own.sizes[bucket] < FUSED) {
        int count = own.sizes[bucket];
        int[] spare = items;
        items = own.buckets[bucket];
        own.buckets[bucket] = spare.length == 0 ? null : spare;
        own.sizes[bucket] = 0;
        for (int i = 0; i < count; i++) {
          relax(own, items[i]);
        }
      }
      own.least = bucket;
      while (own.least < own.buckets.length && own.sizes[own.least] == 0) {
        own.least++;
      }
      meet(this::next);
      if (bucket == Integer.MAX_VALUE) {
        return;
      }
      if (bucket < own.buckets.length && own.sizes[bucket] > 0) {
        int count = own.sizes[bucket];
        System.arraycopy(own.buckets[bucket], 0, frontier, placed.getAndAdd(count), count);
        own.sizes[bucket] = 0;
      }
      meet(
          () -> {
            size = placed.get();
            taken.set(0);
          });
    }
  }

  /** Finds the next bucket that has items. */
  private void next() {
    int least = Integer.MAX_VALUE;
    for (Own own : threads) {
      least = own.least < own.buckets.length ? Math.min(least, own.least) : least;
    }
    bucket = least;
    placed.set(0);
    long sum = 0;
    for (Own own : threads) {
      sum += least < own.buckets.length ? own.sizes[least] : 0;
    }
    if (sum > frontier.length) {
      frontier = new int[Math.toIntExact(sum)];
    }
  }

  /** Waits for all threads; the last one does something before the others go on. */
  private void meet(Runnable last) {
    int seen = round;
    if (arrived.incrementAndGet() == threads.length) {
      last.run();
      arrived.set(0);
      round = seen + 1;
    } else {
      for (int spun = 0; round == seen; spun++) {
        if (spun < SPINS) {
          Thread.onSpinWait();
        } else {
          Thread.yield();
        }
      }
    }
  }

  private void relax(Own own, int v) {
    int distance = (int) INTS.getOpaque(distances, v);
    if (distance < (long) bucket * width) {
      return;
    }
    int end = offsets[v + 1];
    own.edges += end - offsets[v];
    for (int e = offsets[v]; e < end; e++) {
      int u = neighbours[e];
      int longer = distance + weights[e];
      int old = (int) INTS.getOpaque(distances, u);
      while (longer < old) {
        if (INTS.compareAndSet(distances, u, old, longer)) {
          own.add(longer / width, u);
          break;
        }
        old = (int) INTS.getOpaque(distances, u);
      }
    }
  }
}
