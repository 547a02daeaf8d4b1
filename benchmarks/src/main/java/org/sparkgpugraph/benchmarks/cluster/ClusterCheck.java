package org.sparkgpugraph.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
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
  private final ForkJoinPool threads;
  private final List<Taken> taken = new ArrayList<>();
  private Future<?> prepared;

  private record Taken(BenchmarkCluster.Layout layout, ClusterWorkload workload, Columns values) {}

  /**
   * Builds the graph, with all cores.
   *
   * @param source where searches start, an id
   * @param iterations of PageRank
   * @param cores how many it may use while the benchmark measures
   */
  ClusterCheck(GeneratedGraph generated, long source, int iterations, int cores) {
    whole = BenchmarkGraphs.build(generated, Kind.INT, false, 1);
    reference = new ReferenceResults(whole, (int) whole.ids().dense(source), iterations);
    threads = new ForkJoinPool(Math.max(1, cores));
  }

  /** Begins to compute what results are compared with. */
  void start(List<ClusterWorkload> workloads) {
    if (prepared == null) {
      // Parallel streams run in the pool of the thread that starts them.
      prepared =
          threads.submit(
              () -> reference.prepare(workloads.stream().map(ClusterWorkload::reference).toList()));
    }
  }

  /**
   * Keeps a result's values.
   *
   * @return null, or why they are no result of the graph
   */
  String take(BenchmarkCluster.Layout layout, ClusterWorkload workload, VertexResult<?> result) {
    ClusterWorkload.Values values = workload.values(result, whole.ids());
    if (values.missing() == null) {
      taken.add(new Taken(layout, workload, values.columns()));
    }
    return values.missing();
  }

  /** Hears of a comparison; see {@link ClusterReport#checked}. */
  @FunctionalInterface
  interface Verdicts {
    void checked(BenchmarkCluster.Layout layout, ClusterWorkload workload, String difference);
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
          one.layout(), one.workload(), one.workload().difference(one.values(), reference));
    }
    taken.clear();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
