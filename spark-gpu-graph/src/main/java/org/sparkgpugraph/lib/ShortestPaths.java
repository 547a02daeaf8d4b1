package org.sparkgpugraph.lib;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.graphx.EdgeRDD;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.VertexRDD;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.lib.support.Materialized;
import org.sparkgpugraph.run.RunOptions;
import scala.Function2;
import scala.Function3;
import scala.Option;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Numbers of edges on the shortest paths from every vertex to each of some landmarks ({@code
 * org.apache.spark.graphx.lib.ShortestPaths}): {@code hops(v, l) = min(hops(w, l) + 1)} over the
 * out-edges v → w, and 0 for the landmark itself.
 *
 * <p>This is {@link org.sparkgpugraph.algorithm.ShortestPaths}, which says how it works, with
 * GraphX graphs in and out.
 */
public final class ShortestPaths extends org.sparkgpugraph.algorithm.ShortestPaths {
  /** Landmarks of one run. */
  public static final int WIDTH = org.sparkgpugraph.algorithm.ShortestPaths.WIDTH;

  /** Hops where there is no path. */
  public static final int UNREACHED = org.sparkgpugraph.algorithm.ShortestPaths.UNREACHED;

  private ShortestPaths() {}

  /**
   * Runs to the end, as often as the landmarks need.
   *
   * @param landmarks ids of vertices, each once
   * @return for each vertex the landmarks that it reaches, with the number of edges (Long to
   *     Integer, as GraphX's)
   * @throws IllegalArgumentException when a landmark is not a vertex or is given twice, or there is
   *     none
   */
  public static <ED> Graph<Map<Object, Object>, ED> run(Graph<?, ED> graph, long... landmarks) {
    return run(graph, landmarks, RunOptions.DEFAULT);
  }

  /** As {@link #run(Graph, long...)}, with options. */
  @SuppressWarnings("unchecked") // the results have the graph's own edges
  public static <ED> Graph<Map<Object, Object>, ED> run(
      Graph<?, ED> graph, long[] landmarks, RunOptions options) {
    ClassTag<Map<Object, Object>> mapTag =
        (ClassTag<Map<Object, Object>>) (Object) ClassTag$.MODULE$.apply(Map.class);
    ClassTag<Hops> hopsTag = ClassTag$.MODULE$.apply(Hops.class);
    List<Graph<Hops, ED>> parts = new ArrayList<>();
    try (ResidentGraph<Object, Object> resident = GraphRuns.load(graph, Object.class, options)) {
      Checks.vertices(resident, LANDMARK, landmarks, Integer.MAX_VALUE);
      Graph<Map<Object, Object>, ED> maps = null;
      for (int from = 0; from < landmarks.length; from += WIDTH) {
        long[] some = part(landmarks, from);
        Graph<Hops, ED> part =
            GraphRuns.run(program(GpuPregel.on(resident), some, Sources.loaded(options)));
        parts.add(part);
        maps =
            maps == null
                ? part.mapVertices(
                    (Function2<Object, Hops, Map<Object, Object>> & Serializable)
                        (id, hops) -> add(Map$.MODULE$.empty(), some, hops),
                    mapTag,
                    null)
                : maps.outerJoinVertices(
                    part.vertices(),
                    (Function3<Object, Map<Object, Object>, Option<Hops>, Map<Object, Object>>
                            & Serializable)
                        (id, map, hops) -> add(map, some, hops.get()),
                    hopsTag,
                    mapTag,
                    null);
      }
      return Materialized.of(maps);
    } finally {
      // The edges of the first part are those of the result.
      for (int i = 0; i < parts.size(); i++) {
        VertexRDD<Hops> vertices = parts.get(i).vertices();
        EdgeRDD<ED> edges = parts.get(i).edges();
        vertices.unpersist(false);
        if (i > 0) {
          edges.unpersist(false);
        }
      }
    }
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.ShortestPaths#run(ResidentGraph, long[], RunOptions)}.
   */
  public static VertexResult<Hops> run(
      ResidentGraph<?, ?> graph, long[] landmarks, RunOptions options) {
    return org.sparkgpugraph.algorithm.ShortestPaths.run(graph, landmarks, options);
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.ShortestPaths#explain(ResidentGraph, long[],
   * RunOptions)}.
   */
  public static String explain(ResidentGraph<?, ?> graph, long[] landmarks, RunOptions options) {
    return org.sparkgpugraph.algorithm.ShortestPaths.explain(graph, landmarks, options);
  }
}
