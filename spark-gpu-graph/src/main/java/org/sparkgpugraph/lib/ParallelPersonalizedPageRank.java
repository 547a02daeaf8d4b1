package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.lib.support.Rounds;
import org.sparkgpugraph.run.RunOptions;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Personalised PageRank for several sources at once.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.ParallelPersonalizedPageRank}, which says how it
 * works, with GraphX graphs in and out.
 */
final class ParallelPersonalizedPageRank
    extends org.sparkgpugraph.algorithm.ParallelPersonalizedPageRank {
  private ParallelPersonalizedPageRank() {}

  static Graph<Vector, Double> run(
      Graph<?, ?> graph, int numIter, double resetProb, long[] sources, RunOptions options) {
    RunOptions loaded = Sources.loaded(options);
    ClassTag<Vector> vectorTag = ClassTag$.MODULE$.apply(Vector.class);
    ClassTag<double[]> ranksTag = ClassTag$.MODULE$.apply(double[].class);
    int size = sources.length;
    Rounds<double[], Vector> rounds =
        new Rounds<>(
            ranksTag,
            vectorTag,
            (before, from, ranks) -> {
              double[] all = before == null ? new double[size] : before.toArray().clone();
              System.arraycopy(ranks, 0, all, from, ranks.length);
              return Vectors.dense(all);
            });
    Graph<Double, Double> weighted = null;
    try (ResidentGraph<Object, Object> resident =
        GpuPregel.load(graph, Object.class, Object.class, options)) {
      Checks.vertices(resident, "source", sources, Integer.MAX_VALUE);
      weighted = GraphRuns.runWeighted(unranked(GpuPregel.on(resident), loaded));
      return rounds.run(
          weighted,
          sources,
          Sources.perRun(resident, WIDTH),
          some ->
              GraphRuns.<double[], Object>run(
                  program(GpuPregel.on(resident), numIter, resetProb, some, loaded)));
    } finally {
      if (weighted != null) {
        weighted.vertices().unpersist(false);
      }
    }
  }
}
