package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Arrays;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;

/**
 * Personalised PageRank for several sources at once. A run carries the ranks of {@value #WIDTH}
 * sources in a record of doubles; an edge reads 72 bytes of its source, whether all are in use or
 * not.
 */
public class ParallelPersonalizedPageRank {
  /** Sources of one run. */
  protected static final int WIDTH = PersonalizedRanks.WIDTH;

  /** Only for classes with more ways in. */
  protected ParallelPersonalizedPageRank() {}

  /**
   * A vertex while it runs.
   *
   * @param ranks its ranks
   * @param weight 1 / outDegree, 0 without out-edges
   */
  @DefaultSerializer(RecordSerializer.class)
  record Ranked(PersonalizedRanks ranks, double weight) implements Serializable {}

  protected static VertexResult<PersonalizedRanks> run(
      ResidentGraph<?, ?> graph,
      int numIter,
      double resetProb,
      long[] sources,
      RunOptions options) {
    Checks.vertices(graph, "source", sources, WIDTH);
    return program(ProgramBuilder.on(graph), numIter, resetProb, sources, options).runVertices();
  }

  static String explain(
      ResidentGraph<?, ?> graph,
      int numIter,
      double resetProb,
      long[] sources,
      RunOptions options) {
    Checks.vertices(graph, "source", sources, Integer.MAX_VALUE);
    long[] first = Arrays.copyOf(sources, Math.min(sources.length, WIDTH));
    return program(ProgramBuilder.on(graph), numIter, resetProb, first, options).explain();
  }

  /** Runs nothing worth mentioning, for the sake of the edges' weights. */
  protected static ProgramBuilder<Object, Object, Double, Double, Double> unranked(
      ProgramBuilder<Object, Object, Object, Object, Object> on, RunOptions options) {
    return on.state((id, attribute, inDegree, outDegree) -> 0.0)
        .initialMessage(0.0)
        .maxIterations(1)
        .vertexProgram((id, value, message) -> value)
        .sendMessage(edge -> {})
        .mergeMessage(Double::sum)
        .options(options);
  }

  protected static <VD, ED>
      ProgramBuilder<VD, ED, Ranked, PersonalizedRanks, PersonalizedRanks> program(
          ProgramBuilder<VD, ED, VD, Object, VD> on,
          int numIter,
          double resetProb,
          long[] sources,
          RunOptions options) {
    int count = sources.length;
    long[] ids = Arrays.copyOf(sources, WIDTH);
    long s0 = ids[0];
    long s1 = ids[1];
    long s2 = ids[2];
    long s3 = ids[3];
    long s4 = ids[4];
    long s5 = ids[5];
    long s6 = ids[6];
    long s7 = ids[7];
    return on.state(
            (id, attribute, inDegree, outDegree) ->
                new Ranked(
                    new PersonalizedRanks(
                        one(id == s0),
                        one(count > 1 && id == s1),
                        one(count > 2 && id == s2),
                        one(count > 3 && id == s3),
                        one(count > 4 && id == s4),
                        one(count > 5 && id == s5),
                        one(count > 6 && id == s6),
                        one(count > 7 && id == s7)),
                    outDegree == 0 ? 0.0 : 1.0 / outDegree))
        .everyVertex(PersonalizedRanks.ZERO)
        .maxIterations(numIter)
        .vertexProgram(
            (id, vertex, sums) ->
                new Ranked(
                    sums.times(1.0 - resetProb)
                        .plus(
                            new PersonalizedRanks(
                                    one(id == s0),
                                    one(count > 1 && id == s1),
                                    one(count > 2 && id == s2),
                                    one(count > 3 && id == s3),
                                    one(count > 4 && id == s4),
                                    one(count > 5 && id == s5),
                                    one(count > 6 && id == s6),
                                    one(count > 7 && id == s7))
                                .times(resetProb)),
                    vertex.weight()))
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr().ranks().times(edge.srcAttr().weight())))
        .mergeMessage(PersonalizedRanks::plus)
        .finalAggregate("0", AggregateOperation.SUM, (id, before, v) -> v.ranks().r0())
        .finalAggregate("1", AggregateOperation.SUM, (id, before, v) -> v.ranks().r1())
        .finalAggregate("2", AggregateOperation.SUM, (id, before, v) -> v.ranks().r2())
        .finalAggregate("3", AggregateOperation.SUM, (id, before, v) -> v.ranks().r3())
        .finalAggregate("4", AggregateOperation.SUM, (id, before, v) -> v.ranks().r4())
        .finalAggregate("5", AggregateOperation.SUM, (id, before, v) -> v.ranks().r5())
        .finalAggregate("6", AggregateOperation.SUM, (id, before, v) -> v.ranks().r6())
        .finalAggregate("7", AggregateOperation.SUM, (id, before, v) -> v.ranks().r7())
        .result(
            (id, attribute, v, run) ->
                new PersonalizedRanks(
                    v.ranks().r0() / run.aggregate("0"),
                    share(v.ranks().r1(), run.aggregate("1"), count > 1),
                    share(v.ranks().r2(), run.aggregate("2"), count > 2),
                    share(v.ranks().r3(), run.aggregate("3"), count > 3),
                    share(v.ranks().r4(), run.aggregate("4"), count > 4),
                    share(v.ranks().r5(), run.aggregate("5"), count > 5),
                    share(v.ranks().r6(), run.aggregate("6"), count > 6),
                    share(v.ranks().r7(), run.aggregate("7"), count > 7)))
        .options(options);
  }

  private static double share(double rank, double sum, boolean given) {
    return given ? rank / sum : 0.0;
  }

  private static double one(boolean source) {
    return source ? 1.0 : 0.0;
  }
}
