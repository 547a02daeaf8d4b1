package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * Hubs and authorities (Kleinberg: Authoritative sources in a hyperlinked environment, 1999). From
 * hubs of 1, again and again: {@code authority(v) = Σ hub(u)} over the in-edges, {@code hub(v) = Σ
 * authority(w)} over the out-edges; the squares of the authorities add up to 1, and those of the
 * hubs.
 *
 * <p>An iteration is two supersteps, each of which evaluates all edges. Values are scaled by the
 * norm that an aggregate brings from the superstep before, so they neither overflow nor vanish.
 * Parallel edges count as often as they are there. GraphX has no such algorithm.
 */
public class Hits {
  private static final String AUTHORITIES = "authorities";

  private static final String HUBS = "hubs";

  /** Only for classes with more ways in. */
  protected Hits() {}

  /**
   * Result, and a vertex while it runs.
   *
   * @param authority how much good hubs lead here; 0 for all where there are no edges
   * @param hub how good the authorities are that it leads to
   */
  @DefaultSerializer(RecordSerializer.class)
  public record Scores(double authority, double hub) implements Serializable {}

  /**
   * Runs on a resident graph.
   *
   * @param iterations at least 1
   */
  public static VertexResult<Scores> run(
      ResidentGraph<?, ?> graph, int iterations, RunOptions options) {
    return program(ProgramBuilder.on(graph), iterations, options).runVertices();
  }

  /** Tells what {@link #run(ResidentGraph, int, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, int iterations, RunOptions options) {
    return program(ProgramBuilder.on(graph), iterations, options).explain();
  }

  protected static <VD, ED> ProgramBuilder<VD, ED, Scores, Double, Scores> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on, int iterations, RunOptions options) {
    Checks.iterations(iterations);
    if (iterations > Integer.MAX_VALUE / 2) {
      throw new IllegalArgumentException(
          "Number of iterations must be at most "
              + Integer.MAX_VALUE / 2
              + ", two supersteps each, but got "
              + iterations);
    }
    return on.state((id, attribute, inDegree, outDegree) -> new Scores(0.0, 1.0))
        .everyVertex(0.0)
        .maxIterations(2 * iterations)
        .vertexProgram(
            (id, scores, sum, run) ->
                isForAuthorities(run.superstep())
                    ? new Scores(sum, scores.hub())
                    : new Scores(scores.authority(), sum))
        .sendMessage(
            (edge, run) -> {
              if (isForAuthorities(run.superstep())) {
                double scale = run.superstep() == 1 ? 1.0 : scale(run.aggregate(HUBS));
                edge.sendToDst(edge.srcAttr().hub() * scale);
              } else {
                edge.sendToSrc(edge.dstAttr().authority() * scale(run.aggregate(AUTHORITIES)));
              }
            })
        .mergeMessage(Double::sum)
        .aggregate(
            AUTHORITIES,
            AggregateOperation.SUM,
            (id, before, after) -> after.authority() * after.authority())
        .aggregate(HUBS, AggregateOperation.SUM, (id, before, after) -> after.hub() * after.hub())
        .finalAggregate(
            AUTHORITIES,
            AggregateOperation.SUM,
            (id, before, after) -> after.authority() * after.authority())
        .finalAggregate(
            HUBS, AggregateOperation.SUM, (id, before, after) -> after.hub() * after.hub())
        .result(
            (id, attribute, scores, run) ->
                new Scores(
                    scores.authority() * scale(run.aggregate(AUTHORITIES)),
                    scores.hub() * scale(run.aggregate(HUBS))))
        .options(options);
  }

  private static boolean isForAuthorities(int superstep) {
    return (superstep & 1) == 1;
  }

  private static double scale(double squares) {
    return squares > 0 ? 1.0 / Math.sqrt(squares) : 0.0;
  }
}
