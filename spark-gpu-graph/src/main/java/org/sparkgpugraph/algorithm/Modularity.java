package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import org.apache.spark.api.java.JavaPairRDD;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import scala.Tuple2;

/**
 * How much denser communities are than chance would have them (Newman and Girvan: Finding and
 * evaluating community structure in networks, Physical Review E 69, 2004), with a resolution γ
 * (Reichardt and Bornholdt 2006):
 *
 * <pre>{@code
 * Q = Σ over communities (inside / 2m − γ · (total / 2m)²)
 * }</pre>
 *
 * <p>where total is the sum of the weights at a community's vertices, inside that part of it whose
 * edges have both ends in it, 2m the sum of all totals. Directions are left out, parallel edges add
 * up, a loop counts twice, as {@link Louvain} has it. Without edges Q is 0.
 *
 * <p>Two supersteps over all edges, and a shuffle of what vertices of a community have in common.
 * Sums are rounded: the last digits may differ from run to run.
 */
public class Modularity {
  private static final Weights WEIGHTS =
      Weights.finite("weight", "modularity needs finite weights of 0 or more");

  /** Only for classes with more ways in. */
  protected Modularity() {}

  /**
   * What a vertex knows of its edges.
   *
   * @param total sum of their weights
   * @param inside of those whose other end is in the same community
   */
  @DefaultSerializer(RecordSerializer.class)
  record Sums(double total, double inside) implements Serializable {}

  /**
   * The same of a vertex that has a name.
   *
   * @param community it is in
   */
  @DefaultSerializer(RecordSerializer.class)
  record Member(long community, double total, double inside) implements Serializable {}

  /**
   * Of a resident graph whose vertex attributes name communities; every edge counts 1.
   *
   * @param graph a result of {@link Louvain#run}, or of another algorithm that gives communities
   * @param gamma the resolution; 1 is usual
   * @throws IllegalArgumentException when gamma is not positive
   */
  public static double of(ResidentGraph<Long, ?> graph, double gamma, RunOptions options) {
    Checks.resolution(gamma);
    return of(
        start(ProgramBuilder.on(graph))
            .sendMessage(
                edge -> {
                  Sums weights =
                      new Sums(
                          1.0,
                          edge.srcAttr().community() == edge.dstAttr().community() ? 1.0 : 0.0);
                  edge.sendToSrc(weights);
                  edge.sendToDst(weights);
                })
            .options(options),
        gamma);
  }

  /** As above, where edge values are weights. */
  public static double ofWeighted(
      ResidentGraph<Long, Double> graph, double gamma, RunOptions options) {
    Checks.resolution(gamma);
    ProgramBuilder<Long, Double, Member, Sums, Member> program =
        start(ProgramBuilder.on(graph))
            .sendMessage(
                edge -> {
                  if (!(edge.attr() >= 0 && edge.attr() <= Double.MAX_VALUE)) {
                    throw new IllegalArgumentException(
                        "an edge weight "
                            + Weights.FAULT_IF_FINITE
                            + ": modularity needs finite ones of 0 or more");
                  }
                  boolean inside = edge.srcAttr().community() == edge.dstAttr().community();
                  Sums weights = new Sums(edge.attr(), inside ? edge.attr() : 0.0);
                  edge.sendToSrc(weights);
                  edge.sendToDst(weights);
                })
            .options(options);
    return WEIGHTS.checked(graph, () -> of(program, gamma));
  }

  private static <ED> ProgramBuilder<Long, ED, Member, Sums, Member> start(
      ProgramBuilder<Long, ED, Long, Object, Long> on) {
    return on.state((id, community, inDegree, outDegree) -> new Member(community, 0.0, 0.0))
        .initialMessage(new Sums(0.0, 0.0))
        .activeDirection(ActiveDirection.EITHER)
        .maxIterations(1)
        .vertexProgram(
            (id, member, sums) -> new Member(member.community(), sums.total(), sums.inside()))
        .mergeMessage(
            (one, other) -> new Sums(one.total() + other.total(), one.inside() + other.inside()));
  }

  protected static double of(ProgramBuilder<Long, ?, Member, Sums, Member> program, double gamma) {
    try (VertexResult<Member> members = program.runVertices()) {
      JavaPairRDD<Long, double[]> communities =
          members
              .toPairs()
              .values()
              .mapToPair(
                  member ->
                      new Tuple2<>(
                          member.community(), new double[] {member.total(), member.inside()}))
              .reduceByKey((one, other) -> new double[] {one[0] + other[0], one[1] + other[1]});
      double[] sums =
          communities
              .values()
              .fold(
                  new double[2],
                  (one, other) -> new double[] {one[0] + other[0], one[1] + other[1]});
      double whole = sums[0];
      if (whole == 0) {
        return 0;
      }
      if (whole > Double.MAX_VALUE) {
        throw new IllegalArgumentException(
            "the sum of all edge weights, each counted at both ends, is "
                + whole
                + ": multiply all weights by the same small number, which does not change"
                + " modularity");
      }
      // Shares, not totals, are squared: those could be too large for a double, or too small.
      double expected =
          communities.values().map(sum -> sum[0] / whole * (sum[0] / whole)).fold(0.0, Double::sum);
      return sums[1] / whole - gamma * expected;
    }
  }
}
