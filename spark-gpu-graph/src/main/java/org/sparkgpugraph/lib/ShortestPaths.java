package org.sparkgpugraph.lib;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.lib.support.GraphRuns;
import org.sparkgpugraph.lib.support.Rounds;
import org.sparkgpugraph.run.RunOptions;
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
   * Runs to the end, with more landmarks than fit into a run as often as they need.
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
  @SuppressWarnings("unchecked") // the class of all maps
  public static <ED> Graph<Map<Object, Object>, ED> run(
      Graph<?, ED> graph, long[] landmarks, RunOptions options) {
    ClassTag<Map<Object, Object>> mapTag =
        (ClassTag<Map<Object, Object>>) (Object) ClassTag$.MODULE$.apply(Map.class);
    ClassTag<int[]> hopsTag = ClassTag$.MODULE$.apply(int[].class);
    long[] ids = landmarks.clone();
    Rounds<int[], Map<Object, Object>> rounds =
        new Rounds<>(
            hopsTag,
            mapTag,
            (before, from, hops) ->
                added(before == null ? Map$.MODULE$.empty() : before, ids, from, hops));
    RunOptions loaded = Sources.loaded(options);
    try (ResidentGraph<Object, Object> resident = GraphRuns.load(graph, Object.class, options)) {
      Checks.vertices(resident, LANDMARK, ids, Integer.MAX_VALUE);
      return rounds.run(
          null,
          ids,
          Sources.perRun(resident, WIDTH),
          some -> GraphRuns.<int[], ED>run(program(GpuPregel.on(resident), some, loaded)));
    }
  }

  private static Map<Object, Object> added(
      Map<Object, Object> map, long[] landmarks, int from, int[] hops) {
    Map<Object, Object> all = map;
    for (int i = 0; i < hops.length; i++) {
      if (hops[i] != UNREACHED) {
        all = all.updated(landmarks[from + i], hops[i]);
      }
    }
    return all;
  }

  /**
   * As {@link org.sparkgpugraph.algorithm.ShortestPaths#run(ResidentGraph, long[], RunOptions)}.
   */
  public static VertexResult<int[]> run(
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
