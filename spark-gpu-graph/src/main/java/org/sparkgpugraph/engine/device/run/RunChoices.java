package org.sparkgpugraph.engine.device.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.memory.DeviceHoldings;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.plan.HotFirst;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.HotVertices;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.Pushing;
import org.sparkgpugraph.engine.device.tuning.ChoicePolicy;
import org.sparkgpugraph.engine.device.tuning.GraphClass;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.run.KernelChoice;

/** The figures by which {@code kernel = auto} chooses on a graph, and what they say. */
final class RunChoices {
  /**
   * The part of a graph that supersteps push where most of its edges lie in the host's memory: a
   * dense one reads them all, at twice the rate at which rows of active vertices come from there.
   */
  private static final double SHARE_OUTSIDE = 0.6;

  private RunChoices() {}

  /** How a run pushes with the edges where its plans have them, unless that was chosen. */
  static PushSettings push(PushSettings settings, List<DevicePlan> plans) {
    boolean outside = plans.stream().anyMatch(plan -> 2 * plan.outsideBytes() > plan.edgeBytes());
    boolean chosen = settings.share() != PushSettings.DEFAULT.share();
    return outside && !chosen ? settings.withShare(SHARE_OUTSIDE) : settings;
  }

  /**
   * Most active vertices and edges of a superstep that pushes.
   *
   * @param byProgram whether the program's own function merges what is pushed
   */
  static long pushLimit(PushSettings settings, boolean byProgram, ExecutorGraph graph) {
    double share = byProgram ? settings.delegate().share() : settings.share();
    return (long) (share * (graph.edgeCount() + graph.heldVertices()));
  }

  /** The rows along which active vertices of a partition push. */
  static List<Csr> pushed(ProgramKernels kernels, GraphPartition partition) {
    Pushing pushing = kernels.pushing().orElseThrow();
    boolean parts = kernels.shape().tracksChanges();
    List<Csr> rows = new ArrayList<>();
    if (pushing.out()) {
      rows.add(parts ? partition.inTranspose() : partition.outEdges());
    }
    if (pushing.in()) {
      rows.add(parts ? partition.outTranspose() : partition.inEdges());
    }
    return rows;
  }

  /** The largest skew of the rows that the only partition pushes along. */
  static double skew(ProgramKernels kernels, ExecutorGraph graph, DeviceHoldings on) {
    return pushed(kernels, graph.partitions().get(0)).stream()
        .mapToDouble(side -> on.derived().degrees(side).skew())
        .max()
        .orElse(1);
  }

  /** The rows that edges of a graph of one partition are gathered in, all sides counted. */
  static GraphClass.Degrees gathered(KernelShape shape, ExecutorGraph graph, DeviceHoldings on) {
    return GraphClass.Degrees.of(
        gathered(shape, graph.partitions().get(0)).map(on.derived()::degrees));
  }

  /** The sides of a partition that messages are gathered over; none where nothing is sent. */
  static Stream<Csr> gathered(KernelShape shape, GraphPartition partition) {
    return Stream.concat(
        shape.inRows() ? Stream.of(partition.inEdges()) : Stream.empty(),
        shape.outRows() ? Stream.of(partition.outEdges()) : Stream.empty());
  }

  /**
   * What is decided, and by which figures, a line each.
   *
   * @param pushes whether supersteps may push
   * @param meets whether devices then tell each other inside of a launch
   */
  static List<String> notes(
      ExecutorGraph graph,
      LiftedProgram program,
      RunSettings run,
      DeviceSettings settings,
      ProgramKernels kernels,
      DeviceHoldings on,
      boolean pushes,
      boolean meets) {
    List<String> notes = new ArrayList<>();
    if (kernels.shape().everyVertex()
        && kernels.outlined().isEmpty()
        && settings.tuning().hot().choice() != HotVertices.Choice.OFF) {
      notes.add(HotFirst.note(graph, program, kernels, run, settings, on));
    }
    if (run.kernel() != KernelChoice.AUTO) {
      notes.add("supersteps are forced: " + run.kernel().name().toLowerCase(Locale.ROOT));
      return notes;
    }
    PushSettings push = settings.push();
    boolean byProgram = kernels.pushing().filter(p -> p.mode().isProgram()).isPresent();
    if (pushes) {
      notes.add(
          "supersteps push up to "
              + pushLimit(push, byProgram, graph)
              + " active vertices and edges, of "
              + (graph.edgeCount() + graph.heldVertices())
              + ", and gather more");
    }
    if (meets) {
      notes.add(
          "devices that push meet behind each superstep of a launch: each writes the others'"
              + " memory; with little to do they go on alone and meet behind the launch");
    }
    if (pushes
        && push.async().after() > 0
        && graph.partitions().size() == 1
        && kernels.pushing().filter(Pushing::asynchronous).isPresent()) {
      notes.add(
          ChoicePolicy.relaxesNote(push.async(), skew(kernels, graph, on), graph.heldVertices()));
    }
    if (push.delegate().reach() > 0
        && graph.partitions().size() == 1
        && !kernels.shape().everyVertex()
        && (byProgram || kernels.pushing().isEmpty())) {
      notes.add(
          ChoicePolicy.mergingNote(program, push.delegate(), gathered(kernels.shape(), graph, on)));
    }
    return notes;
  }
}
