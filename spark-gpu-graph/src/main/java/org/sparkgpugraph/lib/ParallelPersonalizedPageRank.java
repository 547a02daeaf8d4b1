package org.sparkgpugraph.lib;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.graphx.EdgeRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.linalg.Vectors;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.PersonalizedRanks;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.lib.support.Materialized;
import org.sparkgpugraph.run.RunOptions;
import scala.Function3;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Personalised PageRank for several sources at once. A run carries the ranks of {@value #WIDTH}
 * sources in a record of doubles; an edge reads 72 bytes of its source, whether all are in use or
 * not.
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
    ClassTag<PersonalizedRanks> ranksTag = ClassTag$.MODULE$.apply(PersonalizedRanks.class);
    List<Graph<PersonalizedRanks, Object>> parts = new ArrayList<>();
    Graph<Double, Double> weighted = null;
    try (ResidentGraph<Object, Object> resident =
        GpuPregel.load(graph, Object.class, Object.class, options)) {
      Checks.vertices(resident, "source", sources, Integer.MAX_VALUE);
      weighted = GraphRuns.runWeighted(unranked(GpuPregel.on(resident), loaded));
      ClassTag<Double> doubleTag = weighted.vertices().vdTag();
      Graph<Vector, Double> vectors = null;
      int size = sources.length;
      for (int from = 0; from < sources.length; from += WIDTH) {
        long[] some = Arrays.copyOfRange(sources, from, Math.min(sources.length, from + WIDTH));
        Graph<PersonalizedRanks, Object> part =
            GraphRuns.run(program(GpuPregel.on(resident), numIter, resetProb, some, loaded));
        parts.add(part);
        int first = from;
        vectors =
            vectors == null
                ? weighted.outerJoinVertices(
                    part.vertices(),
                    (Function3<Object, Double, Option<PersonalizedRanks>, Vector> & Serializable)
                        (id, nothing, ranks) ->
                            filled(new double[size], 0, some.length, ranks.get()),
                    ranksTag,
                    vectorTag,
                    null)
                : vectors.outerJoinVertices(
                    part.vertices(),
                    (Function3<Object, Vector, Option<PersonalizedRanks>, Vector> & Serializable)
                        (id, vector, ranks) ->
                            filled(vector.toArray().clone(), first, some.length, ranks.get()),
                    ranksTag,
                    vectorTag,
                    null);
      }
      return Materialized.of(vectors);
    } finally {
      for (Graph<PersonalizedRanks, Object> part : parts) {
        EdgeRDD<Object> edges = part.edges();
        part.vertices().unpersist(false);
        edges.unpersist(false);
      }
      if (weighted != null) {
        weighted.vertices().unpersist(false);
      }
    }
  }

  private static Vector filled(double[] values, int from, int count, PersonalizedRanks ranks) {
    for (int i = 0; i < count; i++) {
      values[from + i] = ranks.get(i);
    }
    return Vectors.dense(values);
  }
}
