package org.sparkgpugraph.engine.intersect;

import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.RemoteBoundary;
import org.sparkgpugraph.program.ValueType;

/**
 * Intersects the neighbourhoods of the two ends of every edge and tells each vertex what is found:
 * how many of its neighbours are neighbours of each other. Directions, loops and parallel edges of
 * the graph do not matter, or as the measure says. See {@link OrientedRows} for how.
 *
 * <p>Work: for every oriented edge the length of one oriented row, O(edges^1.5) at worst. Where
 * several executors hold the graph they tell each other the degrees of boundary vertices, once the
 * oriented rows that others need, and the counts of others' vertices: four rounds.
 *
 * @param measure what is told of each vertex
 * @param tuning constants of the kernels
 */
public record SortedIntersection(Measure measure, IntersectionTuning tuning)
    implements GraphOperator {
  /** As it is used, but by benchmarks. */
  public SortedIntersection(Measure measure) {
    this(measure, IntersectionTuning.DEFAULT);
  }

  /** The kernels that a device engine runs it with, to be compiled ahead. */
  public static KernelSource kernels() {
    return DeviceTriangleCounter.source(IntersectionTuning.DEFAULT);
  }

  @Override
  public String name() {
    return "neighbourhood intersection";
  }

  @Override
  public ValueType result() {
    return measure.type();
  }

  @Override
  public boolean readsOutEdges() {
    return true;
  }

  @Override
  public long heapBytes(OperatorInput input) {
    ExecutorGraph graph = input.graph();
    long vertices = graph.ids().size();
    long peers = graph.exports().stream().mapToInt(RemoteBoundary::peer).distinct().count();
    // Degrees, ranks and dense ids, where rows begin and end, both counts; an entry for every edge.
    // For every peer two bits a vertex: what it reads, and what of that it needs.
    return 36 * vertices
        + (vertices + 3) / 4 * peers
        + 4 * graph.edgeCount()
        + (input.device().isPresent()
            ? DeviceTriangleCounter.bytes(vertices)
            : CpuTriangleCounter.bytes(vertices, graph.edgeCount(), input.threads()));
  }

  @Override
  public OperatorRun open(OperatorInput input) {
    return new IntersectionRun(input, measure, tuning);
  }
}
