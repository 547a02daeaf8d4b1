package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.graph.ExecutorGraph;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ProgramInstance;
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
 * @param borders between the devices, where they move; the graph is theirs then, and so are the
 *     attributes. Null: each device computes all that it holds
 */
record RunSpec(
    ExecutorGraph graph,
    ProgramInstance instance,
    List<Columns> attributes,
    RunSettings settings,
    DeviceSettings device,
    ProgramKernels kernels,
    ExchangeLists lists,
    Borders borders) {
  LiftedProgram program() {
    return instance.program();
  }

  /** State columns that travel. */
  List<Integer> shipped() {
    return kernels.shipped();
  }

  /** The graph as the caller knows it. */
  ExecutorGraph whole() {
    return borders == null ? graph : borders.graph().whole();
  }

  /** Their kinds. */
  List<Kind> shippedKinds() {
    return shipped().stream().map(program().state().columns()::get).toList();
  }
}
