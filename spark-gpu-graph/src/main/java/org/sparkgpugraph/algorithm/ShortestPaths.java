package org.sparkgpugraph.algorithm;

import java.util.Arrays;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.vector.Vectors;

/**
 * Numbers of edges on the shortest paths from every vertex to each of some landmarks ({@code
 * org.apache.spark.graphx.lib.ShortestPaths}): {@code hops(v, l) = min(hops(w, l) + 1)} over the
 * out-edges v → w, and 0 for the landmark itself.
 *
 * <p>GraphX keeps a map per vertex; here a vertex has an int for each landmark, merged by minimum.
 * As many supersteps as the longest shortest path, each evaluating the in-edges of the vertices
 * that changed; an edge reads 4 bytes of its destination for each landmark. On a GraphX graph, or
 * one of tables, landmarks take several runs if their hops are more than 2^28 numbers, but for 8 at
 * a time.
 *
 * <p>The result on a GraphX graph is GraphX's: a Scala map from each landmark that can be reached
 * to the number of edges. Differences: a landmark that is no vertex or is given twice is an error,
 * and so is an empty list.
 */
public class ShortestPaths {
  /** Landmarks of one run, as many as an array of a vertex may have elements. */
  public static final int WIDTH = 1024;

  /** Hops where there is no path. */
  public static final int UNREACHED = Integer.MAX_VALUE;

  protected static final String LANDMARK = "landmark";

  /** Only for classes with more ways in. */
  protected ShortestPaths() {}

  /**
   * Runs on a resident graph.
   *
   * @param landmarks k ids of vertices, each once, at most {@value #WIDTH}
   * @return for each vertex k numbers of edges, in the landmarks' order; {@link #UNREACHED} where
   *     there is no path
   * @throws IllegalArgumentException when a landmark is not a vertex or is given twice, or there is
   *     none or more
   */
  public static VertexResult<int[]> run(
      ResidentGraph<?, ?> graph, long[] landmarks, RunOptions options) {
    Checks.vertices(graph, LANDMARK, landmarks, WIDTH);
    return program(ProgramBuilder.on(graph), landmarks, options).runVertices();
  }

  /** Tells what {@link #run(ResidentGraph, long[], RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, long[] landmarks, RunOptions options) {
    Checks.vertices(graph, LANDMARK, landmarks, WIDTH);
    return program(ProgramBuilder.on(graph), landmarks, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, int[], int[], int[]> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on, long[] landmarks, RunOptions options) {
    long[] ids = landmarks.clone();
    int count = ids.length;
    int[] unreached = new int[count];
    Arrays.fill(unreached, UNREACHED);
    return on.state(
            (id, attribute, inDegree, outDegree) -> {
              int[] hops = new int[count];
              for (int i = 0; i < count; i++) {
                hops[i] = id == ids[i] ? 0 : UNREACHED;
              }
              return hops;
            })
        .initialMessage(unreached)
        .activeDirection(ActiveDirection.IN)
        .vertexProgram((id, hops, message) -> Vectors.min(hops, message))
        .sendMessage(
            edge -> {
              if (improves(edge.dstAttr(), edge.srcAttr())) {
                edge.sendToSrc(next(edge.dstAttr()));
              }
            })
        .mergeMessage(Vectors::min)
        .options(options);
  }

  /** Whether a path through a neighbour is shorter, to any landmark. */
  private static boolean improves(int[] neighbour, int[] own) {
    boolean any = false;
    for (int i = 0; i < own.length; i++) {
      // Hops are 0 or more: nothing overflows, and UNREACHED is less than nothing.
      any |= neighbour[i] < own[i] - 1;
    }
    return any;
  }

  /** An edge more. */
  private static int[] next(int[] hops) {
    int[] next = new int[hops.length];
    for (int i = 0; i < next.length; i++) {
      next[i] = hops[i] == UNREACHED ? UNREACHED : hops[i] + 1;
    }
    return next;
  }
}
