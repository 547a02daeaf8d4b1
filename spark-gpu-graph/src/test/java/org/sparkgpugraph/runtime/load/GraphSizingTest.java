package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.PageRank;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.GraphEstimate;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.SharedSpark;

/** What is estimated, beside what it turns out to be. */
@Tag("any-spark")
class GraphSizingTest {
  private static final RunOptions CPU = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);

  private static SparkContext sc() {
    return SharedSpark.context().sc();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rmat", "lattice"})
  void theHeapOfARunIsWhatWasEstimatedAtMost(String kind) {
    JavaRDD<EdgeBlock> edges = edges(kind);
    GraphEstimate estimate = GraphSizing.of(edges, null, CPU, 0, 8);
    try (ResidentGraph<Object, Object> graph = GpuPregel.load(edges, Object.class, CPU)) {
      assertThat(estimate.edges()).isEqualTo(graph.edgeCount());
      assertThat((double) estimate.vertices())
          .isCloseTo(graph.vertexCount(), within(0.03 * graph.vertexCount()));
      assertThat(estimate.executors()).isEqualTo(1);
      assertThat(estimate.fits()).isTrue();
      assertThat(estimate.loadingBytes()).isGreaterThan(graph.bytes());
      try (VertexResult<?> ranks = PageRank.run(graph, 2, 0.15, CPU);
          VertexResult<?> levels = Bfs.run(graph, source(edges), CPU)) {
        // Structure, with what these have had made; values and result beside it. The ids of the
        // lattice take nothing.
        assertThat(estimate.heapBytes())
            .isBetween(graph.bytes() + 16 * graph.vertexCount(), 7 * graph.bytes() / 2);
      }
    }
  }

  @Test
  void theMemoryOfAGpuIsWhatWasEstimatedAtMost() {
    RunOptions emulated = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    JavaRDD<EdgeBlock> edges = edges("rmat");
    GraphEstimate estimate = GraphSizing.of(edges, null, emulated, 0, 8);
    try (ResidentGraph<Object, Object> graph =
        GpuPregel.load(edges, Object.class, RunOptions.DEFAULT)) {
      for (String text :
          new String[] {
            PageRank.explain(graph, 2, 0.15, emulated),
            Bfs.explain(graph, source(edges), Integer.MAX_VALUE, emulated)
          }) {
        assumeTrue(text.contains("engine: emulated"), "needs g++ for the emulated GPU: " + text);
        Matcher planned = Pattern.compile("; (\\d+) not on the device yet").matcher(text);
        assertThat(planned.find()).as(text).isTrue();
        long bytes = Long.parseLong(planned.group(1));
        assertThat(estimate.deviceBytes()).as(text).isBetween(bytes, 3 * bytes);
      }
    }
  }

  private static long source(JavaRDD<EdgeBlock> edges) {
    return edges.first().source(0);
  }

  private static JavaRDD<EdgeBlock> edges(String kind) {
    return kind.equals("rmat")
        ? new RmatGraph(13, 16, 1).edges(SharedSpark.context(), 3, false, false)
        : new LatticeGraph(150, 150, 1).edges(SharedSpark.context(), 3, false, false);
  }

  @Test
  void aGraphThatFitsNobodyIsTold() {
    GraphEstimate estimate = GraphSizing.of(sc(), CPU, 1L << 40, 1L << 42, 8, 8);
    assertThat(estimate.fits()).isFalse();
    assertThat(estimate.executors()).isZero();
    assertThat(estimate.loadingBytes()).isGreaterThan(12L << 42);
    assertThat(estimate.toString())
        .contains("about 1,099,511,627,776 vertices, 4,398,046,511,104 edges")
        .contains("no number of them has room");
  }

  @Test
  void manyExecutorsTakeLessEach() {
    GraphEstimate one = GraphSizing.of(sc(), CPU, 1_000_000, 16_000_000, 0, 8);
    GraphEstimate four = GraphSizing.of(sc(), CPU.withExecutors(4), 1_000_000, 16_000_000, 0, 8);
    assertThat(four.heapBytes()).isBetween(one.heapBytes() / 4, one.heapBytes());
    assertThat(four.deviceBytes()).isBetween(one.deviceBytes() / 4, one.deviceBytes());
    assertThat(GraphSizing.of(sc(), CPU, 1_000_000, 16_000_000, 8, 8).heapBytes())
        .isEqualTo(one.heapBytes() + 8 * 16_000_000);
  }

  /** Edges whose structure takes as much as there is, and vertices that do. */
  @Test
  void whereTheHeapHasNoRoomForEdgesItSaysWhatToSet() {
    long heap = (long) (Runtime.getRuntime().maxMemory() * 0.8);
    GraphEstimate estimate = GraphSizing.of(sc(), CPU, 1_000_000, heap / 5, 0, 8);
    assertThat(estimate.edgesOnHeap()).isFalse();
    assertThat(estimate.fits()).isTrue();
    long outside = estimate.outside().loadingBytes();
    assertThat(outside).isBetween(20 * (heap / 5), 21 * (heap / 5) + (256 << 20));
    assertThat(estimate.outside().runningBytes()).isEqualTo(8 * (heap / 5));
    assertThat(estimate.toString())
        .contains("spark.gpugraph.memory.edges = auto or mapped, with ")
        .contains("spark.memory.offHeap.size = " + ((outside + (1 << 20) - 1) >> 20) + "m");
    assertThat(GraphSizing.of(sc(), CPU, 1_000_000, 1_000_000, 0, 8).toString())
        .contains("spark.gpugraph.memory.edges = auto or heap: the heap has room for edges");
    assertThat(GraphSizing.of(sc(), CPU, heap / 40, heap / 5, 0, 8).toString())
        .contains("no number of them has room")
        .doesNotContain("spark.gpugraph.memory.edges");
  }

  @Test
  void nothingTakesNothing() {
    GraphEstimate estimate = GraphSizing.of(SharedSpark.context().emptyRDD(), null, CPU, 0, 8);
    assertThat(estimate.vertices()).isZero();
    assertThat(estimate.heapBytes()).isZero();
    assertThat(estimate.executors()).isEqualTo(1);
  }
}
