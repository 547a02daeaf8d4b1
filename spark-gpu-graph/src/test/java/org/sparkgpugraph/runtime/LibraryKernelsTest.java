package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.GraphlessPrograms;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.algorithm.LibraryPrograms;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.engine.device.settings.EdgeOrder;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.run.PregelJob;
import org.sparkgpugraph.runtime.run.PregelRequest;
import org.sparkgpugraph.runtime.run.ProgramSources;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;

/** The kernels that are compiled ahead are those that runs ask for. */
@ExtendWith(SharedSpark.class)
class LibraryKernelsTest {
  private final JavaSparkContext context;

  LibraryKernelsTest(JavaSparkContext context) {
    this.context = context;
  }

  /** One packaged image serves graphs of every type that an algorithm does not read. */
  @Test
  void kernelsDoNotDependOnValuesThatAreNotRead() {
    List<LibraryKernels.Entry> plain = LibraryKernels.all();
    assertThat(plain).hasSizeBetween(10, 60);
    assertThat(plain).extracting(entry -> entry.source().text()).doesNotHaveDuplicates();
    assertThat(LibraryKernels.all(Integer.class, Long.class))
        .extracting(entry -> entry.source().text())
        .isEqualTo(plain.stream().map(entry -> entry.source().text()).toList());
  }

  @Test
  void runsAskForKernelsThatAreCompiledAhead() {
    Set<String> packaged = new HashSet<>();
    int alone = 0;
    int hotFirst = 0;
    LibraryKernels.all().forEach(entry -> packaged.add(entry.source().text()));
    Graph<Integer, Double> input =
        RandomGraphs.of(RandomGraphs.Shape.values()[0], 5)
            .withAttributes(new Random(5), random -> 1, random -> 1.0)
            .toGraphx(context, 2, Integer.class, Double.class);
    try (ResidentGraph<Integer, Double> graph =
        GpuPregel.load(input, Integer.class, Double.class, RunOptions.DEFAULT)) {
      GraphSource source = Internals.state(graph).source();
      for (ProgramBuilder<?, ?, ?, ?, ?> builder : LibraryPrograms.on(graph)) {
        PregelRequest request = GraphlessPrograms.request(builder);
        PregelJob job = new PregelJob(source, Internals.view(graph), request);
        LiftedProgram program =
            job.hoisted(ProgramLifter.lift(ProgramSources.of(source, request))).program();
        RunSettings settings = job.settings().of(program);
        for (boolean exchanges : new boolean[] {false, true}) {
          ProgramKernels kernels = LibraryKernels.kernels(program, settings, exchanges);
          KernelShape shape = kernels.shape();
          assertThat(packaged.contains(kernels.source().text()))
              .as("%s, %s", kernels.source().origins(), shape)
              .isTrue();
          if (!exchanges && LibraryKernels.outlines(program, settings)) {
            KernelSource outlined = LibraryKernels.outlined(kernels, program, settings);
            assertThat(packaged.contains(outlined.text()))
                .as("outlined: %s, %s", outlined.origins(), shape)
                .isTrue();
          }
          if (!exchanges) {
            Optional<KernelSource> hot = LibraryKernels.hotFirst(kernels, program, settings);
            assertThat(hot.stream().map(KernelSource::text))
                .as("hot vertices first, %s", shape)
                .allMatch(packaged::contains);
            hotFirst += hot.isPresent() ? 1 : 0;
          }
          for (KernelSource relaxing : LibraryKernels.relaxing(kernels, program, settings)) {
            assertThat(packaged.contains(relaxing.text()))
                .as("without supersteps: %s, %s", relaxing.origins(), shape)
                .isTrue();
            alone++;
          }
        }
      }
    }
    assertThat(alone).isPositive();
    assertThat(hotFirst).isPositive();
    assertThat(packaged).contains(RowKernels.source().text(), RowKernels.ranks().text());
    for (Kind kind : EdgeOrder.KINDS) {
      assertThat(packaged).contains(RowKernels.sorts(kind).text());
    }
  }
}
