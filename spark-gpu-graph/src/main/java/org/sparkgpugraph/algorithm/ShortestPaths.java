package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Arrays;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import scala.collection.immutable.Map;

/**
 * Numbers of edges on the shortest paths from every vertex to each of some landmarks ({@code
 * org.apache.spark.graphx.lib.ShortestPaths}): {@code hops(v, l) = min(hops(w, l) + 1)} over the
 * out-edges v → w, and 0 for the landmark itself.
 *
 * <p>GraphX keeps a map per vertex; here one run carries {@value #WIDTH} landmarks in a record of
 * as many ints, merged by minimum, and more landmarks take more runs. As many supersteps as the
 * longest shortest path, each evaluating the in-edges of the vertices that changed; an edge reads
 * 32 bytes of its destination, whether all landmarks are in use or not.
 *
 * <p>The result is GraphX's: a Scala map from each landmark that can be reached to the number of
 * edges. Differences: a landmark that is no vertex or is given twice is an error, and so is an
 * empty list.
 */
public class ShortestPaths {
  /** Landmarks of one run. */
  public static final int WIDTH = 8;

  /** Hops where there is no path. */
  public static final int UNREACHED = Integer.MAX_VALUE;

  protected static final String LANDMARK = "landmark";

  /** Only for classes with more ways in. */
  protected ShortestPaths() {}

  /**
   * Hops to up to {@value #WIDTH} landmarks, in their order; {@link #UNREACHED} where there is no
   * path, and beyond the last landmark.
   */
  @DefaultSerializer(RecordSerializer.class)
  public record Hops(int h0, int h1, int h2, int h3, int h4, int h5, int h6, int h7)
      implements Serializable {
    private static int next(int hops) {
      return hops == UNREACHED ? UNREACHED : hops + 1;
    }

    Hops next() {
      return new Hops(
          next(h0), next(h1), next(h2), next(h3), next(h4), next(h5), next(h6), next(h7));
    }

    Hops least(Hops o) {
      return new Hops(
          Math.min(h0, o.h0),
          Math.min(h1, o.h1),
          Math.min(h2, o.h2),
          Math.min(h3, o.h3),
          Math.min(h4, o.h4),
          Math.min(h5, o.h5),
          Math.min(h6, o.h6),
          Math.min(h7, o.h7));
    }

    boolean improves(Hops o) {
      return h0 < o.h0 || h1 < o.h1 || h2 < o.h2 || h3 < o.h3 || h4 < o.h4 || h5 < o.h5 || h6 < o.h6
          || h7 < o.h7;
    }

    /** Hops to a landmark by its place in the list. */
    public int get(int landmark) {
      return switch (landmark) {
        case 0 -> h0;
        case 1 -> h1;
        case 2 -> h2;
        case 3 -> h3;
        case 4 -> h4;
        case 5 -> h5;
        case 6 -> h6;
        case 7 -> h7;
        default -> throw new IndexOutOfBoundsException(landmark);
      };
    }
  }

  protected static long[] part(long[] landmarks, int from) {
    return Arrays.copyOfRange(landmarks, from, Math.min(landmarks.length, from + WIDTH));
  }

  /**
   * Runs on a resident graph.
   *
   * @param landmarks at most {@value #WIDTH}
   * @throws IllegalArgumentException when a landmark is not a vertex or is given twice, or there is
   *     none or more
   */
  public static VertexResult<Hops> run(
      ResidentGraph<?, ?> graph, long[] landmarks, RunOptions options) {
    Checks.vertices(graph, LANDMARK, landmarks, WIDTH);
    return program(ProgramBuilder.on(graph), landmarks, options).runVertices();
  }

  /** Tells what {@link #run(ResidentGraph, long[], RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, long[] landmarks, RunOptions options) {
    Checks.vertices(graph, LANDMARK, landmarks, WIDTH);
    return program(ProgramBuilder.on(graph), landmarks, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Hops, Hops, Hops> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on, long[] landmarks, RunOptions options) {
    int count = landmarks.length;
    long[] ids = Arrays.copyOf(landmarks, WIDTH);
    long l0 = ids[0];
    long l1 = ids[1];
    long l2 = ids[2];
    long l3 = ids[3];
    long l4 = ids[4];
    long l5 = ids[5];
    long l6 = ids[6];
    long l7 = ids[7];
    return on.state(
            (id, attribute, inDegree, outDegree) ->
                new Hops(
                    start(id == l0),
                    start(count > 1 && id == l1),
                    start(count > 2 && id == l2),
                    start(count > 3 && id == l3),
                    start(count > 4 && id == l4),
                    start(count > 5 && id == l5),
                    start(count > 6 && id == l6),
                    start(count > 7 && id == l7)))
        .initialMessage(
            new Hops(
                UNREACHED, UNREACHED, UNREACHED, UNREACHED, UNREACHED, UNREACHED, UNREACHED,
                UNREACHED))
        .activeDirection(ActiveDirection.IN)
        .vertexProgram((id, hops, message) -> hops.least(message))
        .sendMessage(
            edge -> {
              Hops through = edge.dstAttr().next();
              if (through.improves(edge.srcAttr())) {
                edge.sendToSrc(through);
              }
            })
        .mergeMessage(Hops::least)
        .options(options);
  }

  private static int start(boolean landmark) {
    return landmark ? 0 : UNREACHED;
  }

  protected static Map<Object, Object> add(Map<Object, Object> map, long[] landmarks, Hops hops) {
    Map<Object, Object> all = map;
    for (int i = 0; i < landmarks.length; i++) {
      if (hops.get(i) != UNREACHED) {
        all = all.updated(landmarks[i], hops.get(i));
      }
    }
    return all;
  }
}
