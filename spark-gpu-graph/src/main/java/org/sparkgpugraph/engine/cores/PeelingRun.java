package org.sparkgpugraph.engine.cores;

import java.util.List;
import java.util.Optional;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.operator.GraphOperator.Parcel;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;

/** {@link PeelingOperator} at work on a graph. */
final class PeelingRun implements OperatorRun {
  private final OperatorInput input;
  private final int k;
  private int[] degrees = {};
  private DeviceNanos nanos = new DeviceNanos(0, 0);

  PeelingRun(OperatorInput input, int k) {
    this.input = input;
    this.k = k;
  }

  @Override
  public Round round(int number, List<Parcel> arrived) {
    // Whose degree is below k goes, and what goes below k because of that.
    boolean all = k == PeelingOperator.ALL;
    int level = all ? 0 : k - 1;
    Optional<OperatorDevice> device = input.device();
    if (input.graph().ids().size() == 0) {
      return Round.last(0);
    }
    if (device.isPresent()) {
      DeviceCores.Peeled peeled = DeviceCores.peel(device.get(), input.graph(), level, all);
      degrees = peeled.degrees();
      nanos = peeled.nanos();
    } else {
      degrees = CpuCores.peel(input.graph().partitions().get(0), level, all, input.threads());
    }
    return Round.last(input.graph().edgeCount());
  }

  @Override
  public Columns results() {
    Columns columns = Columns.allocate(List.of(Kind.INT), degrees.length);
    int[] values = columns.ints(0);
    for (int v = 0; v < degrees.length; v++) {
      values[v] = degrees[v] >= k ? degrees[v] : 0;
    }
    return columns;
  }

  @Override
  public DeviceNanos deviceNanos() {
    return nanos;
  }
}
