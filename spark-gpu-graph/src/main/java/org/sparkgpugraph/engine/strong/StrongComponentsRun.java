package org.sparkgpugraph.engine.strong;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
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
    for (int v = 0; v < components.length; v++) {
      labels[v] = ids.original(v);
    }
    for (int v = 0; v < components.length; v++) {
      // Where ids do not ascend the smallest may be any member's.
      int label = components[v];
      labels[label] = Math.min(labels[label], ids.original(v));
    }
    for (int v = 0; v < components.length; v++) {
      labels[v] = labels[components[v]];
    }
    return columns;
  }

  @Override
  public DeviceNanos deviceNanos() {
    return nanos;
  }
}
