package org.sparkgpugraph.algorithm;

import com.esotericsoftware.kryo.DefaultSerializer;
import java.io.Serializable;
import java.util.Arrays;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.serial.RecordSerializer;
import org.sparkgpugraph.vector.Updates;
import org.sparkgpugraph.vector.Vectors;

/**
 * Personalised PageRank for several sources at once: a vertex has an array of ranks, one for each
 * source, and an edge reads 8 bytes of its source for each. Up to {@value #WIDTH} sources share a
 * run on a resident graph. A vertex's array is in memory a few times: before and after a superstep,
 * and in what goes to other partitions. On a GraphX graph, or one of tables, more sources take
 * several runs, and so do sources whose ranks are more than 2^28 numbers, but for 8 at a time.
 */
public class ParallelPersonalizedPageRank {
  /** Sources of one run. */
  public static final int WIDTH = 64;

  /** Only for classes with more ways in. */
  protected ParallelPersonalizedPageRank() {}

  /**
   * A vertex while it runs.
   *
   * @param ranks its ranks; what edges read before the last superstep, so the weight's multiples
   * @param weight 1 / outDegree, 0 without out-edges
   */
  @DefaultSerializer(RecordSerializer.class)
  record Ranked(double[] ranks, double weight) implements Serializable {}

  protected static VertexResult<double[]> run(
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
    long[] first = Arrays.copyOf(sources, Math.min(sources.length, Sources.perRun(graph, WIDTH)));
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

  protected static <VD, ED> ProgramBuilder<VD, ED, Ranked, double[], double[]> program(
      ProgramBuilder<VD, ED, VD, Object, VD> on,
      int numIter,
      double resetProb,
      long[] sources,
      RunOptions options) {
    long[] ids = sources.clone();
    int count = ids.length;
    ProgramBuilder<VD, ED, Ranked, double[], Ranked> program =
        on.state(
                (id, attribute, inDegree, outDegree) -> {
                  double weight = outDegree == 0 ? 0.0 : 1.0 / outDegree;
                  return new Ranked(jumps(id, ids, count, weight), weight);
                })
            .everyVertex(new double[count])
            .maxIterations(numIter)
            .vertexProgram(
                (id, vertex, sums, run) -> {
                  double[] ranks = jumps(id, ids, count, resetProb);
                  Updates.addScaledTo(ranks, 1.0 - resetProb, sums);
                  Updates.scaleInPlace(ranks, run.superstep() < numIter ? vertex.weight() : 1.0);
                  return new Ranked(ranks, vertex.weight());
                })
            .sendMessage(edge -> edge.sendToDst(edge.srcAttr().ranks()))
            .mergeMessage(Vectors::add);
    for (int i = 0; i < count; i++) {
      int source = i;
      program.finalAggregate(
          Integer.toString(i), AggregateOperation.SUM, (id, before, v) -> v.ranks()[source]);
    }
    return program
        .result(
            (id, attribute, v, run) -> {
              double[] shares = v.ranks().clone();
              double[] sums = run.aggregates();
              for (int i = 0; i < shares.length; i++) {
                shares[i] /= sums[i];
              }
              return shares;
            })
        .options(options);
  }

  /** A number for each source, which is {@code value} for the vertex itself and else 0. */
  private static double[] jumps(long id, long[] sources, int count, double value) {
    double[] jumps = new double[count];
    for (int i = 0; i < count; i++) {
      jumps[i] = id == sources[i] ? value : 0.0;
    }
    return jumps;
  }
}
