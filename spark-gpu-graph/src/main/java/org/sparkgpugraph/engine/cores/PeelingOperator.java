package org.sparkgpugraph.engine.cores;

import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Cores of a graph that has every edge in both directions, by peeling (Seidman 1983; Batagelj and
 * Zaversnik 2003, "An O(m) algorithm for cores decomposition of networks"): of each vertex its
 * coreness, or how many edges it has to others of one core. Parallel edges count as often as they
 * are there; loops, and edges of which an end is not a vertex, do not count.
 *
 * <p>Every edge is looked at once, when its end has gone, and every vertex once a level while it is
 * left. Of a graph in one piece only: one executor, one partition.
 *
 * @param k at least 1: how many edges each vertex of the k-core has to others of it, 0 where it is
 *     not in it; {@link #ALL}: each vertex's coreness
 */
public record PeelingOperator(int k) implements GraphOperator {
  /** Instead of one core: all. */
  public static final int ALL = 0;

  /** Checks k. */
  public PeelingOperator {
    if (k < 0) {
      throw new IllegalArgumentException("k must not be negative, but is " + k);
    }
  }

  /** The kernels that a device engine runs it with, to be compiled ahead. */
  public static KernelSource kernels() {
    return CoreKernels.source();
  }

  @Override
  public String name() {
    return k == ALL ? "Coreness" : "KCore";
  }

  @Override
  public ValueType result() {
    return new ValueType.Scalar(Kind.INT);
  }

  /** Degrees; on the CPU who is left, and who goes. */
  @Override
  public long heapBytes(OperatorInput input) {
    long vertices = input.graph().ids().size();
    return input.engine().deviceCount() > 0 ? 4 * vertices : 12 * vertices;
  }

  /** Whether a graph can be peeled. */
  static void check(OperatorInput input) {
    ExecutorGraph graph = input.graph();
    if (input.shards() > 1 || graph.partitions().size() > 1) {
      throw new IllegalArgumentException(
          "only a graph in one piece is peeled, not one of %d shards and %d partitions"
              .formatted(input.shards(), graph.partitions().size()));
    }
  }

  @Override
  public OperatorRun open(OperatorInput input) {
    check(input);
    return new PeelingRun(input, k);
  }
}
