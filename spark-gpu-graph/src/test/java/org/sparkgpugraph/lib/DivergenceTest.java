package org.sparkgpugraph.lib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** Runs whose values grow without end say so instead of giving them. */
@Tag("any-spark")
@ExtendWith(SharedSpark.class)
class DivergenceTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);

  private final JavaSparkContext context;

  DivergenceTest(JavaSparkContext context) {
    this.context = context;
  }

  private static List<RunOptions> engines() {
    List<RunOptions> engines =
        new ArrayList<>(List.of(CPU, CPU.withPartitions(2), CPU.withExecutors(2)));
    if (EmulatedDevice.isAvailable()) {
      engines.add(RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED));
    }
    return engines;
  }

  private Graph<Double, Double> graph(int vertices, List<int[]> edges, double value) {
    TestGraph<Double, Double> plain = TestGraph.ofEdges("g", vertices, edges);
    return new TestGraph<>(
            plain.name(),
            plain.ids(),
            LongStream.of(plain.ids()).mapToObj(v -> v == 0 ? 1.0 : 0.0).toList(),
            plain.sources(),
            plain.destinations(),
            Collections.nCopies(edges.size(), value))
        .toGraphx(context, 2, Double.class, Double.class);
  }

  /** Its adjacency matrix' largest eigenvalue is one less than the number of vertices. */
  private Graph<Double, Double> complete(int vertices) {
    List<int[]> edges = new ArrayList<>();
    for (int a = 0; a < vertices; a++) {
      for (int b = 0; b < vertices; b++) {
        if (a != b) {
          edges.add(new int[] {a, b});
        }
      }
    }
    return graph(vertices, edges, 1);
  }

  @Test
  void katzNamesTheAttenuation() {
    Graph<Double, Double> graph = complete(10);
    for (RunOptions options : engines()) {
      // Until a number is too large, and until the iterations are used up.
      for (int iterations : new int[] {1000, 30}) {
        assertThatThrownBy(() -> Katz.run(graph, 0.9, 1, 1e-6, iterations, options))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("does not converge with attenuation 0.9: ")
            .hasMessageContaining("change by 8.1")
            .hasMessageContaining("largest eigenvalue, here about 0.11 ");
      }
    }
    try (ResidentGraph<Double, Double> held =
        GpuPregel.load(graph, Double.class, Double.class, CPU)) {
      assertThatThrownBy(() -> Katz.run(held, 0.12, 1, 1e-6, 1000, CPU))
          .hasMessageContaining("with attenuation 0.12: ")
          .hasMessageContaining("here about 0.11 ");
      try (VertexResult<Double> slow = Katz.run(held, 0.11, 1, 1e-6, 100_000, CPU)) {
        assertThat(slow.report().summary().stopped()).isEqualTo(RunSummary.Stopped.STOP_WHEN);
        assertThat(slow.collectAsMap().get(3L)).isBetween(99.99, 100.01);
      }
    }
  }

  /** Where there are no cycles values may grow for a while, and any attenuation will do. */
  @Test
  void katzTakesAnyAttenuationWithoutCycles() {
    int layers = 20;
    List<int[]> edges = new ArrayList<>();
    for (int layer = 1; layer < layers; layer++) {
      for (int e = 0; e < 9; e++) {
        edges.add(new int[] {layer * 3 - 3 + e / 3, layer * 3 + e % 3});
      }
    }
    List<RunReport> told = new ArrayList<>();
    RunOptions observed =
        CPU.withObserver(
            new RunObserver() {
              @Override
              public void finished(RunReport report) {
                told.add(report);
              }
            });
    assertThat(
            Katz.run(graph(3 * layers, edges, 1), 0.9, 1, 1e-6, 1000, observed).vertices().count())
        .isEqualTo(3 * layers);
    assertThat(told).hasSize(1);
  }

  private Graph<Double, Double> star(double conductance) {
    List<int[]> edges = new ArrayList<>();
    for (int leaf = 1; leaf <= 5; leaf++) {
      edges.add(new int[] {0, leaf});
      edges.add(new int[] {leaf, 0});
    }
    return graph(6, edges, conductance);
  }

  @Test
  void heatNamesTheVertexWhoseConductancesAreTooLarge() {
    for (RunOptions options : engines()) {
      for (int steps : new int[] {1000, 40}) {
        assertThatThrownBy(() -> HeatSimulation.run(star(3), 1e-6, steps, options))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining(
                "heats grow without end: the conductances of vertex 0's in-edges add up to 15")
            .hasMessageContaining("multiply all conductances by 0.067 or less");
      }
    }
    try (ResidentGraph<Double, Double> held =
        GpuPregel.load(star(3), Double.class, Double.class, CPU)) {
      assertThatThrownBy(() -> HeatSimulation.run(held, 1e-6, 1000, CPU))
          .hasMessageContaining("vertex 0's in-edges add up to 15");
    }
    assertThat(HeatSimulation.run(star(0.2), 1e-9, 1000, CPU).vertices().count()).isEqualTo(6);
  }
}
