package org.sparkgpugraph.runtime;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sparkgpugraph.GraphlessPrograms;
import org.sparkgpugraph.algorithm.LibraryPrograms;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cores.PeelingOperator;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.ComponentKernels;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.engine.device.plan.HotFirst;
import org.sparkgpugraph.engine.device.plan.Outlining;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.DeviceShape;
import org.sparkgpugraph.engine.device.settings.EdgeOrder;
import org.sparkgpugraph.engine.intersect.SortedIntersection;
import org.sparkgpugraph.engine.louvain.LouvainOperator;
import org.sparkgpugraph.engine.strong.StrongComponentsOperator;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.runtime.run.PregelRequest;
import org.sparkgpugraph.runtime.run.ProgramSources;

/** The kernels that the library's algorithms run with, as the device engine would make them. */
public final class LibraryKernels {
  /**
   * One translation unit.
   *
   * @param name algorithm, variant and what of the run decides the code
   */
  public record Entry(String name, KernelSource source) {}

  private static final Object[] SOME_MESSAGE = {};

  private LibraryKernels() {}

  /**
   * Sources, each once: on one partition and on several, with and without a bound on the supersteps
   * (monotone programs run in place only without), and of edges whose ends all exist.
   */
  public static List<Entry> all() {
    return all(Object.class, Object.class);
  }

  /** As above, for graphs of these attributes: the texts are the same. */
  static List<Entry> all(Class<?> vertex, Class<?> edge) {
    List<Entry> all = new ArrayList<>();
    Set<String> texts = new HashSet<>();
    all.add(new Entry("ConnectedComponents, union-find", ComponentKernels.source()));
    all.add(new Entry("rows of unsorted edges", RowKernels.source()));
    all.add(new Entry("ranks of vertices", RowKernels.ranks()));
    for (Kind kind : EdgeOrder.KINDS) {
      all.add(new Entry("rows in the order of edge values, " + kind, RowKernels.sorts(kind)));
    }
    for (LibraryPrograms.Entry entry : LibraryPrograms.all(vertex, edge)) {
      PregelRequest request = GraphlessPrograms.request(entry.builder());
      LiftedProgram lifted =
          ProgramLifter.lift(ProgramSources.of(entry.source(), request)).program();
      for (boolean exchanges : new boolean[] {false, true}) {
        for (boolean inPlace : new boolean[] {true, false}) {
          if (inPlace && !request.declaredMonotone && !lifted.traits().monotone()) {
            continue;
          }
          LiftedProgram program = Hoisting.apply(lifted, inPlace);
          RunSettings settings = settings(request, inPlace);
          ProgramKernels kernels = kernels(program, settings, exchanges);
          String name =
              entry.name()
                  + (exchanges ? ", several partitions" : "")
                  + (inPlace ? ", in place" : "");
          if (texts.add(kernels.source().text())) {
            all.add(new Entry(name, kernels.source()));
          }
          if (!exchanges && outlines(program, settings)) {
            KernelSource outlined = outlined(kernels, program, settings);
            if (texts.add(outlined.text())) {
              all.add(new Entry(name + ", outlined", outlined));
            }
          }
          Optional<KernelSource> hot =
              exchanges ? Optional.empty() : hotFirst(kernels, program, settings);
          if (hot.isPresent() && texts.add(hot.get().text())) {
            all.add(new Entry(name + ", hot vertices first", hot.get()));
          }
          for (KernelSource relaxing : relaxing(kernels, program, settings)) {
            if (texts.add(relaxing.text())) {
              all.add(new Entry(name + ", without supersteps", relaxing));
            }
          }
        }
      }
    }
    all.add(new Entry("neighbourhood intersection", SortedIntersection.kernels()));
    all.add(new Entry("cores", PeelingOperator.kernels()));
    all.add(new Entry("strongly connected components", StrongComponentsOperator.kernels()));
    all.add(new Entry("communities", LouvainOperator.kernels()));
    return all;
  }

  /** The kernels of a run. */
  static ProgramKernels kernels(LiftedProgram program, RunSettings settings, boolean exchanges) {
    return DeviceEngine.kernels(program, settings, DeviceSettings.DEFAULT, false, exchanges);
  }

  /** Those that do several supersteps a launch; never where partitions exchange. */
  static KernelSource outlined(
      ProgramKernels kernels, LiftedProgram program, RunSettings settings) {
    return kernels
        .outlining(program, shape(kernels, program, settings))
        .outlined()
        .orElseThrow()
        .kernels()
        .source();
  }

  /** Those that read hot vertices first, of a graph that has such; empty: never. */
  static Optional<KernelSource> hotFirst(
      ProgramKernels kernels, LiftedProgram program, RunSettings settings) {
    if (HotFirst.refusal(program, kernels, settings, DeviceSettings.DEFAULT).isPresent()) {
      return Optional.empty();
    }
    return Optional.of(
        kernels
            .readingHotFirst(
                program,
                new DeviceShape(settings.activeDirection(), false, DeviceSettings.DEFAULT.tuning()))
            .hot()
            .orElseThrow()
            .kernels()
            .source());
  }

  private static DeviceShape shape(
      ProgramKernels kernels, LiftedProgram program, RunSettings settings) {
    return DeviceEngine.shape(
        program, settings, DeviceSettings.DEFAULT, kernels.shape().tracksChanges());
  }

  /** The kernels that a run may go on with without supersteps. */
  static List<KernelSource> relaxing(
      ProgramKernels kernels, LiftedProgram program, RunSettings settings) {
    if (kernels.relaxingFrame().isEmpty()) {
      return List.of();
    }
    DeviceShape device = shape(kernels, program, settings);
    // Vertices of one of several partitions have no owners among the blocks.
    List<Boolean> ways = kernels.shape().tracksChanges() ? List.of(false) : List.of(false, true);
    return ways.stream().map(tiles -> kernels.relaxing(program, device, tiles).source()).toList();
  }

  /** Whether supersteps that walk rows are outlined on a GPU, if a graph is small enough. */
  static boolean outlines(LiftedProgram program, RunSettings settings) {
    DeviceProperties gpu =
        new DeviceProperties("GPU", 0, 9, 0, 132, 2048, 227 << 10, 1L << 36, true, false);
    return Outlining.refusal(program, settings, DeviceSettings.DEFAULT, gpu).isEmpty();
  }

  private static RunSettings settings(PregelRequest request, boolean inPlace) {
    return new RunSettings(
        request.initialMessage == null ? null : SOME_MESSAGE,
        request.emptyMessage == null ? null : SOME_MESSAGE,
        request.activeDirection,
        request.gather,
        Integer.MAX_VALUE,
        inPlace,
        KernelChoice.AUTO,
        1,
        request.stopWhen);
  }
}
