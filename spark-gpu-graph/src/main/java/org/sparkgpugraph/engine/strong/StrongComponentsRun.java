package org.sparkgpugraph.engine.strong;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.program.ir.Kind;

/** {@link StrongComponentsOperator} at work on a graph. */
final class StrongComponentsRun implements OperatorRun {
  private final OperatorInput input;

  /** By dense id the smallest dense id of the component. */
  private int[] components = {};

  private DeviceNanos nanos = new DeviceNanos(0, 0);

  StrongComponentsRun(OperatorInput input) {
    this.input = input;
  }

  @Override
  public Round round(int number, List<Parcel> arrived) {
    ExecutorGraph graph = input.graph();
    Optional<OperatorDevice> device = input.device();
    if (graph.ids().size() == 0) {
      return Round.last(0);
    }
    if (device.isPresent()) {
      DeviceStrongComponents.Found found = DeviceStrongComponents.find(device.get(), graph);
      components = found.components();
      nanos = found.nanos();
    } else {
      components = CpuStrongComponents.find(graph.partitions().get(0), input.threads());
    }
    return Round.last(graph.edgeCount());
  }

  @Override
  public Columns results() {
    VertexIds ids = input.graph().ids();
    Columns columns = Columns.allocate(List.of(Kind.LONG), components.length);
    long[] labels = columns.longs(0);
    int[] smallest = ids.ascending() ? components : smallest(ids);
    try (Workers workers = new Workers(input.threads())) {
      workers.forEachChunk(
          components.length,
          (from, to) -> {
            for (int v = from; v < to; v++) {
              // The smallest of components[v] is itself where ids ascend.
              labels[v] = ids.original(smallest[components[v]]);
            }
          });
    }
    return columns;
  }

  /** Where ids do not ascend: by a component's smallest dense id that of the smallest original. */
  private int[] smallest(VertexIds ids) {
    int[] least = components.clone();
    for (int v = 0; v < components.length; v++) {
      int component = components[v];
      least[component] = ids.original(v) < ids.original(least[component]) ? v : least[component];
    }
    return least;
  }

  @Override
  public DeviceNanos deviceNanos() {
    return nanos;
  }
}
