package org.sparkgpugraph.engine.device.partition;

import java.util.List;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.exchange.ExchangeLists;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.plan.Borders;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * What is run, whatever the devices.
 *
 * @param graph the graph
 * @param instance the program
 * @param attributes vertex attributes of each partition
 * @param settings how it is run
 * @param device how devices are used
 * @param kernels the program's kernels, for its shape on the graph
 * @param lists over which partitions tell each other what changed
 * @param borders what each device computes; graph and attributes are as they say
 */
public record RunSpec(
    ExecutorGraph graph,
    ProgramInstance instance,
    List<Columns> attributes,
    RunSettings settings,
    DeviceSettings device,
    ProgramKernels kernels,
    ExchangeLists lists,
    Borders borders) {
  public LiftedProgram program() {
    return instance.program();
  }

  /** State columns that travel. */
  List<Integer> shipped() {
    return kernels.shipped();
  }

  /** The graph as the caller knows it. */
  public ExecutorGraph whole() {
    return borders.whole();
  }

  /** Their kinds. */
  public List<ColumnType> shippedKinds() {
    return shipped().stream().map(program().state().columns()::get).toList();
  }
}
