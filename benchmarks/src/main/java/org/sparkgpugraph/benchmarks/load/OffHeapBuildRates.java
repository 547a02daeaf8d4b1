package org.sparkgpugraph.benchmarks.load;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.DirectMemory;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeStores;

/**
 * How long an executor graph off the heap takes to build, by phases, from an R-MAT graph's edges
 * that wait there. Arguments are the scale (20), the number of partitions (1: more are what a graph
 * with 2³¹ edges has), the heap in MiB that a sort may have (300), which decides about its passes,
 * and the number of runs (3).
 */
public final class OffHeapBuildRates {
  private OffHeapBuildRates() {}

  /** Runs all measurements. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int partitions = args.length > 1 ? Integer.parseInt(args[1]) : 1;
    long room = (args.length > 2 ? Long.parseLong(args[2]) : 300) << 20;
    int runs = args.length > 3 ? Integer.parseInt(args[3]) : 3;
    EdgeMemory home = new DirectMemory(DirectMemory.Budget.of(Long.MAX_VALUE, ""));
    List<EdgeBlock> edges = edges(scale, home);
    long count = edges.stream().mapToLong(EdgeBlock::size).sum();
    System.out.printf("rmat %d: %,d edges, %d partitions%n", scale, count, partitions);
    OperatingSystemMXBean machine =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    for (int run = 0; run < runs; run++) {
      PhaseTimes.start();
      long began = System.nanoTime();
      long before = machine.getProcessCpuTime();
      BenchmarkGraphs.build(edges, null, null, partitions, memory(home, room));
      System.out.printf(
          "%.2f s, %.2f s of all cores%n",
          (System.nanoTime() - began) / 1e9, (machine.getProcessCpuTime() - before) / 1e9);
      PhaseTimes.stop()
          .forEach(
              phase ->
                  System.out.printf(
                      "  %-25s %2d times, %.2f s%n",
                      phase.name(), phase.times(), phase.nanos() / 1e9));
    }
  }

  private static List<EdgeBlock> edges(int scale, EdgeMemory home) {
    List<EdgeBlock> stored = new ArrayList<>();
    EdgeStores stores = new EdgeStores(home, null, 0);
    BenchmarkGraphs.edges(new RmatGraph(scale, 16, BenchmarkGraphs.SEED), null)
        .forEach(block -> stores.addTo(stored, block));
    stores.seal();
    return stored;
  }

  /** Whoever asks has so much room, however often it is asked. */
  private static BuildMemory memory(EdgeMemory home, long room) {
    return new BuildMemory() {
      @Override
      public Reservation begin() {
        return new Reservation() {
          @Override
          public void acquire(long bytes) {}

          @Override
          public boolean hasRoom(long bytes) {
            return bytes <= room;
          }

          @Override
          public void release(long bytes) {}

          @Override
          public void close() {}
        };
      }

      @Override
      public EdgeMemory edges() {
        return home;
      }
    };
  }
}
