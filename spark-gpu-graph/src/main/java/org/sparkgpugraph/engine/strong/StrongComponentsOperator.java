package org.sparkgpugraph.engine.strong;

import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The smallest id of each vertex's strongly connected component. What is on no cycle is trimmed;
 * then the component of a vertex of many edges both ways is where what it reaches and what reaches
 * it meet (Fleischer, Hendrickson, Pinar 2000, "On identifying strongly connected components in
 * parallel"), which in most graphs is nearly all that is left. The rest is found by colours on a
 * device (Slota, Rajamanickam, Madduri 2014, "BFS and coloring-based parallel algorithms for
 * strongly connected components and related problems"), by one thread on the CPU (Tarjan 1972,
 * "Depth-first search and linear graph algorithms").
 *
 * <p>An edge of which an end is not a vertex joins nothing. Of a graph in one piece only: one
 * executor, one partition.
 */
public record StrongComponentsOperator() implements GraphOperator {
  /** The kernels that a device engine runs it with, to be compiled ahead. */
  public static KernelSource kernels() {
    return StrongKernels.source();
  }

  @Override
  public String name() {
    return "StronglyConnectedComponents";
  }

  @Override
  public ValueType result() {
    return new ValueType.Scalar(Kind.LONG);
  }

  @Override
  public boolean readsOutEdges() {
    return true;
  }

  /**
   * Components. On the CPU degrees both ways, twice who is reached, marks; of one thread numbers,
   * lowest numbers, places in rows, two stacks.
   */
  @Override
  public long heapBytes(OperatorInput input) {
    long vertices = input.graph().ids().size();
    return input.engine().deviceCount() > 0 ? 4 * vertices : 41 * vertices;
  }

  @Override
  public OperatorRun open(OperatorInput input) {
    int partitions = input.graph().partitions().size();
    if (input.shards() > 1 || partitions > 1) {
      throw new IllegalArgumentException(
          "strongly connected components are found in a graph in one piece, not of %d shards and %d partitions"
              .formatted(input.shards(), partitions));
    }
    return new StrongComponentsRun(input);
  }
}
