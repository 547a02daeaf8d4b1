package org.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjIntConsumer;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * What a run on a device did.
 *
 * @param values of the graph's vertices, by dense id
 * @param launches the kernels that were launched, in their order
 */
public record CountedRun(List<SuperstepStats> steps, Columns values, List<String> launches) {
  /**
   * Runs to the end, or to its fault.
   *
   * @param seen is told of each launch and its blocks
   */
  public static CountedRun of(
      Device device,
      DeviceSettings how,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings,
      ObjIntConsumer<String> seen) {
    List<String> launches = new ArrayList<>();
    Device counted =
        DeviceProxies.launching(
            device,
            (kernel, blocks) -> {
              seen.accept(kernel, blocks);
              launches.add(kernel);
            });
    try (DeviceEngine engine = new DeviceEngine("counted", counted, how)) {
      return of(engine, launches, program, graph, attributes, settings);
    }
  }

  /**
   * The same on an engine that is open.
   *
   * @param launches that its device fills
   */
  public static CountedRun of(
      DeviceEngine engine,
      List<String> launches,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    int n = graph.ids.length;
    List<SuperstepStats> steps = new ArrayList<>();
    try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      SuperstepLoop.run("counted", run, settings, n, program.program().aggregates(), steps::add);
      return new CountedRun(steps, values(run, program, graph), launches);
    }
  }

  /** The values of all vertices, by dense id. */
  public static Columns values(DeviceRun run, ProgramInstance program, SimpleGraph graph) {
    Columns values = Columns.allocate(program.program().state().columns(), graph.ids.length);
    for (int p = 0; p < graph.partitions().size(); p++) {
      SimpleGraph.Partition part = graph.partitions().get(p);
      values.copyFrom(run.values(p), 0, part.from, part.to - part.from);
    }
    return values;
  }

  /** How often a kernel was launched. */
  public long launched(String kernel) {
    return launches.stream().filter(kernel::equals).count();
  }

  /** Both runs did the same, superstep by superstep, and have the same bits. */
  public static void same(CountedRun wanted, CountedRun found, String what) {
    assertThat(found.steps()).as(what).hasSameSizeAs(wanted.steps());
    for (int i = 0; i < found.steps().size(); i++) {
      SuperstepStats is = found.steps().get(i);
      SuperstepStats should = wanted.steps().get(i);
      String where = what + ", superstep " + i;
      assertThat(is.superstep()).as(where).isEqualTo(i);
      assertThat(is.kernel()).as(where).isEqualTo(should.kernel());
      assertThat(is.verticesRun()).as(where).isEqualTo(should.verticesRun());
      assertThat(is.activeVertices()).as(where).isEqualTo(should.activeVertices());
      assertThat(is.edgesEvaluated()).as(where).isEqualTo(should.edgesEvaluated());
      assertThat(is.lanes()).as(where).isEqualTo(should.lanes());
      assertThat(is.aggregates()).as(where).isEqualTo(should.aggregates());
    }
    for (int c = 0; c < wanted.values().width(); c++) {
      for (int v = 0; v < wanted.values().length(); v++) {
        assertThat(found.values().get(c, v))
            .as("%s: column %s of vertex %s", what, c, v)
            .isEqualTo(wanted.values().get(c, v));
      }
    }
  }

  /** Settings of a program whose every vertex runs in every superstep. */
  public static RunSettings everyVertex(int iterations, Object... empty) {
    return new RunSettings(
        null,
        empty,
        ActiveDirection.OUT,
        Gather.ACTIVE,
        iterations,
        false,
        KernelChoice.AUTO,
        1,
        null);
  }
}
