package org.sparkgpugraph.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.benchmarks.BenchmarkGraphs;
import org.sparkgpugraph.benchmarks.engine.ReferenceResults;
import org.sparkgpugraph.files.generate.GeneratedGraph;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Compares the results of {@link ClusterBenchmark} with sequential algorithms', which are computed
 * once, on cores that the executors leave, while it measures. Results are taken when they are there
 * and compared when there is something to compare them with, so that measuring does not wait.
 */
final class ClusterCheck implements AutoCloseable {
  private final ExecutorGraph whole;
  private final ReferenceResults reference;
  private final ReferenceHops hops;
  private final ForkJoinPool threads;
  private final List<Taken> taken = new ArrayList<>();
  private Future<?> prepared;

  private record Taken(String where, ClusterWorkload workload, Columns values) {}

  /**
   * Builds the graph, with all cores.
   *
   * @param from where searches start
   * @param iterations of PageRank
   * @param cores how many it may use while the benchmark measures
   */
  ClusterCheck(GeneratedGraph generated, ClusterWorkload.Start from, int iterations, int cores) {
    whole = BenchmarkGraphs.build(generated, Kind.INT, false, 1);
    reference = new ReferenceResults(whole, dense(from.source()), iterations);
    int[] several = LongStream.of(from.several()).mapToInt(this::dense).toArray();
    hops = new ReferenceHops(whole.partitions().get(0), several);
    threads = new ForkJoinPool(Math.max(1, cores));
  }

  private int dense(long id) {
    return (int) whole.ids().dense(id);
  }

  /** Begins to compute what results are compared with. */
  void start(List<ClusterWorkload> workloads) {
    if (prepared == null) {
      // Parallel streams run in the pool of the thread that starts them.
      prepared =
          threads.submit(
              () -> {
                reference.prepare(
                    workloads.stream().flatMap(each -> each.reference().stream()).toList());
                if (workloads.stream().anyMatch(each -> each.reference().isEmpty())) {
                  hops.prepare();
                }
              });
    }
  }

  /**
   * Keeps a result's values.
   *
   * @param where it was found, for the verdict
   * @return null, or why they are no result of the graph
   */
  String take(String where, ClusterWorkload workload, VertexResult<?> result) {
    ClusterWorkload.Values values = workload.values(result, whole.ids());
    if (values.missing() == null) {
      taken.add(new Taken(where, workload, values.columns()));
    }
    return values.missing();
  }

  /** Hears of a comparison; see {@link ClusterReport#checked}. */
  @FunctionalInterface
  interface Verdicts {
    void checked(String where, ClusterWorkload workload, String difference);
  }

  /**
   * Compares what was taken.
   *
   * @param patient waits for the sequential results; otherwise nothing happens while they are not
   *     there
   */
  void compare(boolean patient, Verdicts verdicts) {
    if (prepared == null || !patient && !prepared.isDone()) {
      return;
    }
    try {
      prepared.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sequential algorithms run", e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw new IllegalStateException("a sequential algorithm failed", e.getCause());
    }
    for (Taken one : taken) {
      verdicts.checked(
          one.where(), one.workload(), one.workload().difference(one.values(), reference, hops));
    }
    taken.clear();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
