package io.sparkgpugraph.benchmarks;

import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.graph.ExecutorGraphBuilder;
import io.sparkgpugraph.graph.IntEdgeBlock;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.ValueType;
import java.util.List;
import java.util.SplittableRandom;

/** The graphs of the engine benchmarks, made in memory without Spark. */
final class BenchmarkGraphs {
  private static final ValueType DOUBLE = new ValueType.Scalar(Kind.DOUBLE);

  private BenchmarkGraphs() {}

  /** R-MAT (a = .57, b = c = .19) with scrambled ids, weights 1 … 255. */
  static ExecutorGraph rmat(int scale, int edgeFactor, int partitions, boolean weighted) {
    int edges = edgeFactor << scale;
    int mask = (1 << scale) - 1;
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    double[] weights = weighted ? new double[edges] : null;
    SplittableRandom random = new SplittableRandom(42);
    for (int e = 0; e < edges; e++) {
      int source = 0;
      int destination = 0;
      for (int level = 0; level < scale; level++) {
        double draw = random.nextDouble();
        source = source << 1 | (draw >= 0.76 ? 1 : 0);
        destination = destination << 1 | (draw >= 0.57 && draw < 0.76 || draw >= 0.95 ? 1 : 0);
      }
      sources[e] = scrambled(source, mask, scale);
      destinations[e] = scrambled(destination, mask, scale);
      if (weighted) {
        weights[e] = 1 + random.nextInt(255);
      }
    }
    return build(new IntEdgeBlock(edges, sources, destinations, weights), partitions, weighted);
  }

  private static int scrambled(int id, int mask, int scale) {
    int x = id;
    for (int round = 0; round < 3; round++) {
      x = x * 0x9E3779B1 + 0x7F4A7C15 & mask;
      x ^= x >>> Math.max(1, scale / 2);
    }
    return x;
  }

  /** A lattice of side² vertices, edges both ways between neighbours, equal weights 1 … 255. */
  static ExecutorGraph lattice(int side, int partitions) {
    int edges = 4 * side * (side - 1);
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    double[] weights = new double[edges];
    SplittableRandom random = new SplittableRandom(42);
    int e = 0;
    for (int v = 0; v < side * side; v++) {
      for (int step : new int[] {1, side}) {
        if (step == 1 ? v % side < side - 1 : v / side < side - 1) {
          double weight = 1 + random.nextInt(255);
          sources[e] = v;
          destinations[e] = v + step;
          weights[e++] = weight;
          sources[e] = v + step;
          destinations[e] = v;
          weights[e++] = weight;
        }
      }
    }
    return build(new IntEdgeBlock(edges, sources, destinations, weights), partitions, true);
  }

  private static ExecutorGraph build(EdgeBlock edges, int partitions, boolean weighted) {
    return ExecutorGraphBuilder.build(
        List.of(edges),
        null,
        new ExecutorGraphBuilder.Options(
            partitions, Runtime.getRuntime().availableProcessors(), weighted ? DOUBLE : null));
  }
}
