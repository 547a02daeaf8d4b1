package org.sparkgpugraph.benchmarks.engine;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.apache.spark.unsafe.Platform;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * What rows cost that are not on the heap: sums over the in-neighbours of an R-MAT graph by loops
 * that read neighbours from an int array, from buffers outside the heap, and by address; in turns
 * on one core, by CPU time, since other work on a machine makes the clock say little. Arguments are
 * the scale (20) and the number of runs (25).
 */
public final class OffHeapRates {
  private static final int WARM_UPS = 5;

  /** Neighbours that are copied to the heap at a time: they stay in the L1 and L2 caches. */
  private static final int BLOCK = 1 << 14;

  private final int[] offsets;
  private final int[] neighbours;
  private final ByteBuffer bytes;
  private final IntBuffer ints;
  private final long address;
  private final double[] values;
  private final double[] sums;
  private final int[] block = new int[BLOCK];

  private final PrintStream out;

  /** One of the loops, which are written out one by one: what is measured is their code. */
  private record Way(String name, Runnable loop, List<Double> millis) {
    Way(String name, Runnable loop) {
      this(name, loop, new ArrayList<>());
    }

    double median() {
      return Medians.median(millis);
    }

    double best() {
      return Collections.min(millis);
    }
  }

  private OffHeapRates(PrintStream out, Csr rows) {
    this.out = out;
    offsets = rows.offsets();
    neighbours = rows.neighbours();
    bytes = ByteBuffer.allocateDirect(4 * neighbours.length).order(ByteOrder.nativeOrder());
    ints = bytes.asIntBuffer();
    ints.duplicate().put(neighbours);
    address = Platform.allocateMemory(4L * neighbours.length);
    Platform.copyMemory(
        neighbours, Platform.INT_ARRAY_OFFSET, null, address, 4L * neighbours.length);
    values = new double[rows.rows()];
    Arrays.setAll(values, v -> v);
    sums = new double[rows.rows()];
  }

  /** Runs all measurements. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int runs = args.length > 1 ? Integer.parseInt(args[1]) : 25;
    if (scale < 1 || scale > 24 || runs < 1) {
      throw new IllegalArgumentException(
          "arguments are a scale from 1 to 24 and at least 1 run, not " + List.of(args));
    }
    Csr rows = BenchmarkGraphs.rmat(scale, 16, 1, true).partitions().get(0).inEdges();
    System.out.printf("rmat %d: %d edges, 1 thread%n", scale, rows.edges());
    new OffHeapRates(System.out, rows).run(runs);
  }

  private void run(int runs) {
    List<Way> ways = new ArrayList<>();
    ways.add(new Way("int[]", this::array));
    ways.add(new Way("IntBuffer", this::intBuffer));
    ways.add(new Way("ByteBuffer", this::byteBuffer));
    ways.add(new Way("by address", this::byAddress));
    ways.add(new Way("address + index", this::byIndex));
    ways.add(new Way("row's address + index", this::byRowAddress));
    ways.add(new Way("copied to the heap", this::copied));
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double[] wanted = null;
    for (int i = 0; i < WARM_UPS + runs; i++) {
      for (Way way : ways) {
        long begin = threads.getCurrentThreadCpuTime();
        way.loop().run();
        long nanos = threads.getCurrentThreadCpuTime() - begin;
        if (i >= WARM_UPS) {
          way.millis().add(nanos / 1e6);
        }
        wanted = wanted == null ? sums.clone() : wanted;
        if (!Arrays.equals(sums, wanted)) {
          throw new IllegalStateException(way.name() + ": other sums than those of int[]");
        }
      }
    }
    Way first = ways.get(0);
    for (Way way : ways) {
      out.printf(
          "%-21s median %7.1f, best %7.1f ms of a core: %.2f of the rate of int[] (best %.2f)%n",
          way.name(),
          way.median(),
          way.best(),
          first.median() / way.median(),
          first.best() / way.best());
    }
    Platform.freeMemory(address);
  }

  private void array() {
    int[] from = neighbours;
    for (int v = 0; v < sums.length; v++) {
      double sum = 0;
      for (int e = offsets[v], end = offsets[v + 1]; e < end; e++) {
        sum += values[from[e]];
      }
      sums[v] = sum;
    }
  }

  private void intBuffer() {
    IntBuffer from = ints;
    for (int v = 0; v < sums.length; v++) {
      double sum = 0;
      for (int e = offsets[v], end = offsets[v + 1]; e < end; e++) {
        sum += values[from.get(e)];
      }
      sums[v] = sum;
    }
  }

  private void byteBuffer() {
    ByteBuffer from = bytes;
    for (int v = 0; v < sums.length; v++) {
      double sum = 0;
      for (int e = offsets[v], end = offsets[v + 1]; e < end; e++) {
        sum += values[from.getInt(e << 2)];
      }
      sums[v] = sum;
    }
  }

  private void byAddress() {
    for (int v = 0; v < sums.length; v++) {
      double sum = 0;
      long end = address + 4L * offsets[v + 1];
      for (long at = address + 4L * offsets[v]; at < end; at += 4) {
        sum += values[Platform.getInt(null, at)];
      }
      sums[v] = sum;
    }
  }

  /** Indexes of which the compiler does not know that they are not negative. */
  private void byIndex() {
    long from = address;
    for (int v = 0; v < sums.length; v++) {
      double sum = 0;
      for (int e = offsets[v], end = offsets[v + 1]; e < end; e++) {
        sum += values[Platform.getInt(null, from + ((long) e << 2))];
      }
      sums[v] = sum;
    }
  }

  /** Indexes from 0 on. */
  private void byRowAddress() {
    for (int v = 0; v < sums.length; v++) {
      double sum = 0;
      int first = offsets[v];
      long from = address + 4L * first;
      for (int e = 0, count = offsets[v + 1] - first; e < count; e++) {
        sum += values[Platform.getInt(null, from + ((long) e << 2))];
      }
      sums[v] = sum;
    }
  }

  /** Blocks of whole rows; a row that is longer than a block is read where it is. */
  private void copied() {
    for (int first = 0; first < sums.length; ) {
      int begin = offsets[first];
      int last = first;
      while (last < sums.length && offsets[last + 1] - begin <= BLOCK) {
        last++;
      }
      if (last == first) {
        last++;
        longRow(first);
      } else {
        ints.get(begin, block, 0, offsets[last] - begin);
        inBlock(first, last, begin);
      }
      first = last;
    }
  }

  private void longRow(int v) {
    double sum = 0;
    for (int e = offsets[v], end = offsets[v + 1]; e < end; e++) {
      sum += values[ints.get(e)];
    }
    sums[v] = sum;
  }

  private void inBlock(int first, int last, int begin) {
    int[] from = block;
    for (int v = first; v < last; v++) {
      double sum = 0;
      for (int e = offsets[v] - begin, end = offsets[v + 1] - begin; e < end; e++) {
        sum += values[from[e]];
      }
      sums[v] = sum;
    }
  }
}
