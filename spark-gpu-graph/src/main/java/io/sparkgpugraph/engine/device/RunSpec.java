package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.FunctionTraits;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ProgramInstance;
import java.util.Arrays;
import java.util.List;

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
 */
record RunSpec(
    ExecutorGraph graph,
    ProgramInstance instance,
    List<Columns> attributes,
    RunSettings settings,
    DeviceSettings device,
    ProgramKernels kernels,
    ExchangeLists lists) {
  LiftedProgram program() {
    return instance.program();
  }

  /** State columns that travel. */
  int[] shipped() {
    return FunctionTraits.shippedColumns(program());
  }

  /** Their kinds. */
  List<Kind> shippedKinds() {
    return Arrays.stream(shipped()).mapToObj(program().state().columns()::get).toList();
  }
}
