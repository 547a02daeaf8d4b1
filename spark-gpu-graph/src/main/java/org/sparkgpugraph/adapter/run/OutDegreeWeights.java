package org.sparkgpugraph.adapter.run;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.graphx.EdgeRDD;
import org.apache.spark.graphx.EdgeTriplet;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.GraphOps;
import org.apache.spark.graphx.TripletFields;
import org.sparkgpugraph.adapter.data.EdgeValueFunction;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F1;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F2;
import org.sparkgpugraph.adapter.fallback.GraphxFunctions.F3;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** The edge attribute of GraphX's PageRank result: {@code 1 / outDegree(source)}. */
final class OutDegreeWeights {
  @SuppressWarnings("unchecked")
  static final ClassTag<Double> DOUBLE = (ClassTag<Double>) (Object) ClassTag$.MODULE$.Double();

  private OutDegreeWeights() {}

  /**
   * Reads degrees from the graph that this JVM holds.
   *
   * @param held which is held until the result's edges are there
   * @param threads of this JVM
   * @param edgePartitions of the result: their tasks share the threads
   */
  static EdgeValueFunction held(GraphHandle held, int threads, int edgePartitions) {
    int each = Math.max(1, threads / Math.max(1, edgePartitions));
    return new EdgeValueFunction() {
      private static final long serialVersionUID = 1L;

      @Override
      public Object apply(int partition, EdgeBlock edges) {
        List<ExecutorGraph> shards = new ArrayList<>();
        for (int shard = 0; shard < held.executors(); shard++) {
          shards.add(ExecutorRegistry.graph(held.key(shard)).graph());
        }
        return EdgeValueFunction.bySource(
            edges, EdgeValueFunction.perOutEdge(List.copyOf(shards), held.owners()), each);
      }
    };
  }

  /**
   * The same by GraphX's own operators, for graphs that are spread over executors. The result is
   * cached and materialised; what it was made of is not cached any more.
   */
  static <ED> Graph<Double, Double> joined(Graph<Double, ED> ranks, ClassTag<ED> edgeTag) {
    // GraphX replaces a graph's edges when it ships attributes: those of now would stay cached.
    EdgeRDD<?> rankEdges = ranks.edges();
    GraphOps<Double, ED> ops = Graph.graphToGraphOps(ranks, DOUBLE, edgeTag);
    ClassTag<double[]> pairTag = ClassTag$.MODULE$.apply(double[].class);
    F3<Object, Double, Option<Object>, double[]> pair =
        (id, rank, degree) -> new double[] {rank, degree.isDefined() ? (Integer) degree.get() : 0};
    Graph<double[], ED> withDegrees =
        ranks.outerJoinVertices(ops.outDegrees(), pair, ClassTag$.MODULE$.Int(), pairTag, null);
    EdgeRDD<?> degreeEdges = withDegrees.edges();
    F1<EdgeTriplet<double[], ED>, Double> weight = edge -> 1.0 / edge.srcAttr()[1];
    Graph<double[], Double> weighted = withDegrees.mapTriplets(weight, TripletFields.Src, DOUBLE);
    F2<Object, double[], Double> first = (id, both) -> both[0];
    Graph<Double, Double> result = weighted.mapVertices(first, DOUBLE, null);
    result.cache();
    try {
      result.vertices().count();
      result.edges().count();
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      result.unpersist(false);
      throw e;
    } finally {
      weighted.unpersist(false);
      withDegrees.unpersist(false);
      ranks.unpersist(false);
      degreeEdges.unpersist(false);
      rankEdges.unpersist(false);
    }
    return result;
  }
}
