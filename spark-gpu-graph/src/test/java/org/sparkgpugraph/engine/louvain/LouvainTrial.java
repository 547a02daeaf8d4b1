package org.sparkgpugraph.engine.louvain;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.testing.LouvainOracle;
import org.sparkgpugraph.testing.OperatorTrial;
import org.sparkgpugraph.testing.TestGraph;

/** Runs of the operator on graphs in one piece and in shards, and the plain formula. */
final class LouvainTrial {
  private LouvainTrial() {}

  /**
   * What a run found.
   *
   * @param community of each vertex that exists
   * @param told {@link GraphOperator.Round#aggregates} of the last round
   * @param edgesOfOthers edges that other shards than the first have looked at
   */
  record Found(Map<Long, Long> community, double[] told, long edgesOfOthers) {}

  /** Runs it on shards side by side, as executors do. */
  static Found run(List<? extends ExecutorGraph> shards, LouvainOperator operator, int threads) {
    return run(shards, operator, new CpuEngine(), threads);
  }

  /** The same by another engine. */
  static Found run(
      List<? extends ExecutorGraph> shards, LouvainOperator operator, Engine engine, int threads) {
    Map<Long, Long> community = new TreeMap<>();
    double[][] told = {null};
    long[] edgesOfOthers = {0};
    OperatorTrial.run(
        shards,
        operator,
        engine,
        threads,
        (shard, round) -> {
          told[0] = shard == 0 ? round.aggregates() : told[0];
          edgesOfOthers[0] += shard == 0 ? 0 : round.edges();
        },
        (shard, results) -> {
          long[] values = results.longs(0);
          for (int v = (int) shard.firstHeld(); v < shard.endHeld(); v++) {
            community.put(shard.ids().original(v), values[v]);
          }
        });
    return new Found(community, told[0], edgesOfOthers[0]);
  }

  /** The graph in partitions; weights are drawn, some are 0. */
  static SimpleGraph graph(
      TestGraph<?, ?> shape, Random random, boolean[] present, int partitions) {
    double[] weights = random.doubles(shape.edgeCount()).map(w -> w < 0.2 ? 0 : w).toArray();
    return graph(shape, weights, present, partitions);
  }

  /** The graph in partitions, with these weights. */
  static SimpleGraph graph(
      TestGraph<?, ?> shape, double[] weights, boolean[] present, int partitions) {
    long[] ids = LongStream.of(shape.ids()).sorted().toArray();
    return new SimpleGraph(
        ids,
        present,
        LongStream.of(shape.sources()).mapToInt(id -> Arrays.binarySearch(ids, id)).toArray(),
        LongStream.of(shape.destinations()).mapToInt(id -> Arrays.binarySearch(ids, id)).toArray(),
        new Columns(List.of(Kind.DOUBLE), new Object[] {weights}, weights.length),
        IntStream.range(1, partitions).map(p -> ids.length * p / partitions).toArray());
  }

  /** The formula, on what is not masked out. */
  static double modularity(SimpleGraph graph, LouvainOperator operator, Map<Long, Long> community) {
    int[] edges =
        IntStream.range(0, graph.sources.length)
            .filter(
                e ->
                    graph.present == null
                        || graph.present[graph.sources[e]] && graph.present[graph.destinations[e]])
            .toArray();
    return LouvainOracle.modularity(
        IntStream.of(edges).mapToLong(e -> graph.ids[graph.sources[e]]).toArray(),
        IntStream.of(edges).mapToLong(e -> graph.ids[graph.destinations[e]]).toArray(),
        IntStream.of(edges)
            .mapToDouble(e -> operator.weighted() ? graph.edgeValues.doubles(0)[e] : 1)
            .toArray(),
        operator.gamma(),
        community);
  }
}
