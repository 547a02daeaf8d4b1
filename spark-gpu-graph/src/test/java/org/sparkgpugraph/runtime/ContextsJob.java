package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.TestGraph;

/**
 * Several SparkContexts one after the other, in a JVM of their own; run by {@link ContextsTest}.
 */
final class ContextsJob {
  private ContextsJob() {}

  record Ranked(int value, long id) implements Serializable {}

  public static void main(String[] args) {
    ResidentGraph<Integer, Integer> left;
    VertexResult<Integer> values;
    try (JavaSparkContext context = start("local[2,4]")) {
      retriedTasks(context);
      left = GpuPregel.load(graph(context, List.of(1, 2, 3)), Integer.class, Integer.class);
      values = sums(GpuPregel.on(left)).runVertices();
      assertThat(ExecutorRegistry.size()).isEqualTo(2);
    }
    assertThat(ExecutorRegistry.size()).as("held after the context stopped").isZero();
    assertThat(ExecutorRegistry.bytes()).isZero();
    for (ThrowingCallable use :
        List.<ThrowingCallable>of(
            () -> sums(GpuPregel.on(left)).runVertices(),
            () -> left.containsVertex(1),
            left::edgeCount,
            values::collectAsMap)) {
      assertThatThrownBy(use)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was freed when its SparkContext was stopped");
    }
    left.close();
    values.close();
    System.out.println("retries and restart: done");
    try (JavaSparkContext context =
        start(
            "local[2]",
            "spark.testing.memory=100000000",
            "spark.testing.reservedMemory=0",
            "spark.serializer=org.apache.spark.serializer.KryoSerializer")) {
      assertThatThrownBy(() -> left.containsVertex(1)).hasMessageContaining("is closed");
      recordResultsUnderKryo(context);
      eviction(context);
    }
    assertThat(ExecutorRegistry.size()).isZero();
    System.out.println("eviction: done");
  }

  private static JavaSparkContext start(String master, String... settings) {
    SparkConf conf =
        new SparkConf()
            .setMaster(master)
            .setAppName("contexts")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1");
    for (String setting : settings) {
      conf.set(setting.split("=", 2)[0], setting.split("=", 2)[1]);
    }
    JavaSparkContext context = new JavaSparkContext(conf);
    context.setLogLevel("WARN");
    return context;
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // the attributes may be null: arrays of objects
  private static Graph<Integer, Integer> graph(JavaSparkContext context, List<Integer> attributes) {
    return (Graph)
        new TestGraph<Object, Integer>(
                "triangle",
                new long[] {1, 2, 3},
                (List) attributes,
                new long[] {1, 2, 1},
                new long[] {2, 3, 3},
                List.of(5, 6, 7))
            .toGraphx(context, 2, Object.class, Integer.class);
  }

  private static PregelBuilder<Integer, Integer, Integer, Integer, Integer> sums(
      PregelBuilder<Integer, Integer, Integer, Object, Integer> on) {
    return on.initialMessage(0)
        .vertexProgram((id, value, message) -> value + message)
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr()))
        .mergeMessage(Integer::sum)
        .maxIterations(1);
  }

  /** A master that tries failed tasks again. */
  private static void retriedTasks(JavaSparkContext context) {
    Graph<Integer, Integer> bad = graph(context, Arrays.asList(1, null, 3));
    assertThatThrownBy(() -> sums(GpuPregel.on(bad, Integer.class, Integer.class)).run())
        .hasMessageContaining("vertex 2");
    AtomicInteger failures = new AtomicInteger();
    RunObserver once =
        new RunObserver() {
          @Override
          public void superstepEnded(SuperstepStats stats) {
            if (failures.getAndIncrement() == 0) {
              throw new IllegalStateException("the first try fails");
            }
          }
        };
    Graph<Integer, Integer> result =
        sums(GpuPregel.on(graph(context, List.of(1, 2, 3)), Integer.class, Integer.class))
            .options(RunOptions.DEFAULT.withObserver(once))
            .run();
    assertThat(Compare.vertices(result)).isEqualTo(Map.of(1L, 1, 2L, 3, 3L, 6));
    assertThat(failures.get()).isGreaterThan(1);
    assertThat(ExecutorRegistry.size()).isZero();
  }

  private static void recordResultsUnderKryo(JavaSparkContext context) {
    PregelBuilder<Integer, Integer, Integer, Integer, Ranked> program =
        sums(GpuPregel.on(graph(context, List.of(1, 2, 3)), Integer.class, Integer.class))
            .result((id, attribute, value) -> new Ranked(value, id));
    for (Runnable run : List.<Runnable>of(program::run, program::runVertices)) {
      assertThatThrownBy(run::run)
          .hasMessageContaining("spark.kryo.registrator=org.sparkgpugraph.GpuGraphKryoRegistrator");
    }
    assertThat(ExecutorRegistry.size()).isZero();
  }

  /** Cached blocks make room for a graph. */
  private static void eviction(JavaSparkContext context) {
    int longs = 500_000;
    JavaRDD<long[]> cached =
        context
            .parallelize(IntStream.range(0, 10).boxed().toList(), 10)
            .map(
                i -> {
                  long[] block = new long[longs];
                  Arrays.fill(block, i);
                  return block;
                })
            .persist(StorageLevel.MEMORY_AND_DISK());
    assertThat(cached.count()).isEqualTo(10);
    long before = context.sc().getRDDStorageInfo()[0].memSize();
    assertThat(before).isGreaterThan(10L * 8 * longs - 1);
    int vertices = 1_000_000;
    JavaRDD<EdgeBlock> edges =
        context
            .parallelize(List.of(0, 1, 2), 3)
            .map(
                part ->
                    new IntEdgeBlock(
                        vertices - 1,
                        IntStream.range(0, vertices - 1).toArray(),
                        IntStream.range(1, vertices).toArray(),
                        null));
    try (ResidentGraph<Object, Object> graph =
            GpuPregel.load(edges, Object.class, RunOptions.DEFAULT);
        VertexResult<Integer> levels = Bfs.run(graph, vertices - 3, RunOptions.DEFAULT)) {
      assertThat(graph.bytes()).isGreaterThan(19_000_000);
      assertThat(context.sc().getRDDStorageInfo()[0].memSize()).isLessThan(before);
      assertThat(cached.map(block -> block[longs - 1]).collect())
          .containsExactlyInAnyOrder(0L, 1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
      assertThat(levels.blocks().map(block -> block.size()).reduce(Integer::sum))
          .isEqualTo(vertices);
    }
  }
}
