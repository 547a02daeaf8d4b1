package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.Bfs;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.SharedSpark;

/** Hubs are told partial messages by programs as users run them, and users are told so. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class HubsTest {
  private static final RunOptions CPU =
      RunOptions.DEFAULT.withEngine(EngineChoice.CPU).withFallback(RunOptions.Fallback.NEVER);
  private static final int VERTICES = 3000;

  private final JavaSparkContext context;

  HubsTest(JavaSparkContext context) {
    this.context = context;
  }

  @AfterEach
  void withoutHubs() {
    set(null, null);
  }

  private void set(String hubs, String merges) {
    context.setLocalProperty(GpuGraphConf.EXCHANGE_HUBS.key(), hubs);
    context.setLocalProperty(GpuGraphConf.EXCHANGE_HUB_MERGES.key(), merges);
  }

  /** Most edges point at a hundredth of the vertices. */
  private JavaRDD<EdgeBlock> edges() {
    Random random = new Random(3);
    int[] sources = new int[12 * VERTICES];
    int[] destinations = new int[sources.length];
    for (int e = 0; e < sources.length; e++) {
      sources[e] = random.nextInt(VERTICES);
      destinations[e] =
          e % 3 == 0 ? random.nextInt(VERTICES) : random.nextInt(VERTICES / 100) * 100;
    }
    EdgeBlock block = new IntEdgeBlock(sources.length, sources, destinations, null);
    return context.parallelize(List.of(block), 1);
  }

  private static long bytes(RunReport report) {
    return report.summary().supersteps().stream().mapToLong(SuperstepStats::boundaryBytes).sum();
  }

  private static List<String> ofHubs(RunReport report) {
    return report.notes().stream().filter(note -> note.contains("partial messages")).toList();
  }

  @Test
  void ranksNeedToBeAskedForAndAreTheSameEachTime() {
    JavaRDD<EdgeBlock> edges = edges();
    Map<Long, Double> expected;
    long without;
    try (ResidentGraph<?, ?> graph = ResidentGraph.load(edges, Object.class, CPU.withExecutors(3));
        VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, CPU)) {
      expected = ranks.collectAsMap();
      without = bytes(ranks.report());
      assertThat(ofHubs(ranks.report())).isEmpty();
    }
    set("20", null);
    try (ResidentGraph<?, ?> graph =
        ResidentGraph.load(edges, Object.class, CPU.withExecutors(3))) {
      try (VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, CPU)) {
        assertThat(ranks.collectAsMap()).isEqualTo(expected);
        assertThat(ofHubs(ranks.report())).isEmpty();
      }
      set("20", "grouped");
      Map<Long, Double> first = null;
      for (int again = 0; again < 2; again++) {
        try (VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, CPU)) {
          Map<Long, Double> grouped = ranks.collectAsMap();
          assertThat(first == null ? grouped : first).isEqualTo(grouped);
          first = grouped;
          expected.forEach(
              (id, rank) -> assertThat(grouped.get(id)).isCloseTo(rank, within(1e-12 * rank)));
          assertThat(bytes(ranks.report())).isLessThan(without * 4 / 5);
          assertThat(ofHubs(ranks.report()))
              .hasSize(3)
              .allMatch(
                  note ->
                      note.startsWith(
                          "hubs with more than 20 in-edges (spark.gpugraph.exchange.hubs) were"
                              + " told "));
        }
      }
      assertThat(first).as("sums were grouped").isNotEqualTo(expected);
    }
  }

  @Test
  void searchesTellHubsLess() {
    JavaRDD<EdgeBlock> edges = edges();
    Map<Long, Integer> expected = new TreeMap<>();
    long[] bytes = new long[2];
    for (int i = 0; i < 2; i++) {
      set(i == 0 ? null : "20", null);
      try (ResidentGraph<?, ?> graph =
              ResidentGraph.load(edges, Object.class, CPU.withExecutors(2));
          VertexResult<Integer> levels = Bfs.run(graph, 5, CPU)) {
        bytes[i] = bytes(levels.report());
        if (i == 0) {
          expected.putAll(levels.collectAsMap());
        } else {
          assertThat(new TreeMap<>(levels.collectAsMap())).isEqualTo(expected);
          assertThat(ofHubs(levels.report())).isNotEmpty();
        }
      }
    }
    assertThat(bytes[1]).isLessThan(bytes[0]);
  }

  /** On devices hubs are told of values that are not updated in place. */
  @Test
  void devicesTellHubs() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    RunOptions devices = CPU.withEngine(EngineChoice.EMULATED);
    set("20", "grouped");
    try (ResidentGraph<?, ?> graph =
        ResidentGraph.load(edges(), Object.class, devices.withExecutors(2))) {
      Map<Long, Double> expected;
      long without;
      set(null, null);
      try (VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, devices)) {
        expected = ranks.collectAsMap();
        without = bytes(ranks.report());
        assertThat(ofHubs(ranks.report())).isEmpty();
      }
      set("20", "grouped");
      long onCpus;
      try (VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, CPU)) {
        onCpus = bytes(ranks.report());
      }
      assertThat(onCpus).isLessThan(without);
      Map<Long, Double> first = null;
      for (int again = 0; again < 2; again++) {
        try (VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, devices)) {
          Map<Long, Double> grouped = ranks.collectAsMap();
          assertThat(first == null ? grouped : first).isEqualTo(grouped);
          first = grouped;
          expected.forEach(
              (id, rank) -> assertThat(grouped.get(id)).isCloseTo(rank, within(1e-12 * rank)));
          // Values that change in their last bits alone travel or not as sums are grouped.
          assertThat(bytes(ranks.report())).isCloseTo(onCpus, within(onCpus / 50));
          assertThat(ofHubs(ranks.report()))
              .hasSize(2)
              .allMatch(note -> note.contains("(spark.gpugraph.exchange.hubs) were told "));
        }
      }
      long sent;
      try (VertexResult<Double> ranks = PageRank.runUntilConvergence(graph, 1e-3, 0.15, devices)) {
        expected = ranks.collectAsMap();
        sent = bytes(ranks.report());
        assertThat(ofHubs(ranks.report())).hasSize(2).allMatch(note -> note.contains("were told "));
      }
      set(null, null);
      try (VertexResult<Double> ranks = PageRank.runUntilConvergence(graph, 1e-3, 0.15, devices)) {
        Map<Long, Double> grouped = expected;
        ranks
            .collectAsMap()
            .forEach(
                (id, rank) -> assertThat(grouped.get(id)).isCloseTo(rank, within(1e-2 * rank)));
        assertThat(sent).isLessThan(bytes(ranks.report()) * 9 / 10);
      }
      set("20", "grouped");
      try (VertexResult<Integer> levels = Bfs.run(graph, 5, devices)) {
        assertThat(ofHubs(levels.report())).noneMatch(note -> note.contains("were told"));
      }
      assertThat(Bfs.explain(graph, 5, Integer.MAX_VALUE, devices))
          .contains(
              "no partial messages to hubs because values are updated in place, and GPUs do not take"
                  + " partial messages then");
    }
  }

  @Test
  void explainSaysWhetherHubsAreToldAndWhyNot() {
    set("64", null);
    try (ResidentGraph<?, ?> graph =
        ResidentGraph.load(edges(), Object.class, CPU.withExecutors(2))) {
      assertThat(Bfs.explain(graph, 5, Integer.MAX_VALUE, CPU))
          .contains(
              "hubs with more than 64 in-edges (spark.gpugraph.exchange.hubs) are told partial"
                  + " messages, where no executor uses a GPU");
      assertThat(Bfs.explain(graph, 5, 7, CPU))
          .contains(
              "no partial messages to hubs because the send function reads the destination's"
                  + " value");
      assertThat(differences(graph).explain())
          .contains(
              "no partial messages to hubs because messages go to sources, and", "last bits of");
      set("64", "grouped");
      assertThat(differences(graph).explain())
          .contains("no partial messages to hubs because messages go to sources")
          .doesNotContain("last bits of");
      set("0", null);
      assertThat(differences(graph).explain()).doesNotContain("hubs");
    }
    set("64", null);
    try (ResidentGraph<?, ?> graph =
        ResidentGraph.load(edges(), Object.class, CPU.withExecutors(1))) {
      assertThat(Bfs.explain(graph, 5, 7, CPU)).doesNotContain("hubs with");
    }
  }

  private static ProgramBuilder<?, ?, ?, ?, ?> differences(ResidentGraph<?, ?> graph) {
    return ProgramBuilder.on(graph)
        .state((id, attribute, in, out) -> (double) id)
        .everyVertex(0.0)
        .maxIterations(2)
        .vertexProgram((id, value, sum) -> sum)
        .sendMessage(
            edge -> {
              edge.sendToDst(edge.srcAttr());
              edge.sendToSrc(-edge.dstAttr());
            })
        .mergeMessage(Double::sum)
        .options(CPU);
  }
}
