package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.ConnectedComponents;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.algorithm.Sssp;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.held.Staging;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestDeviceTable;

/** Graphs of several shards whose edges another library sends there, in tables on a device. */
@ExtendWith(SharedSpark.class)
class ShardTablesTest {
  private static final long SEED = 43;
  private static final int VERTICES = 400;
  private static final int EDGES = 5_000;
  private static final int SHARDS = 3;
  private static final String STAY =
      "edges stay on the GPUs: RAPIDS sends them to the executors that hold the graph";
  private static final String COPIED = "edges are copied from the GPU to the host in columns: ";

  /** A task has begun that waits for its end. */
  private static final Semaphore BEGUN = new Semaphore(0);

  /** Holds the device that programs run on. */
  private Selection selection;

  private static Device device;

  @BeforeEach
  void open(JavaSparkContext sc) {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    DeviceConf conf = DeviceConf.of(GpuGraphConf.of(sc.getConf(), Map.of()));
    selection = ExecutorRegistry.engines().select(EngineChoice.EMULATED, conf, List.of(), 1);
    device = ((DeviceEngine) selection.engine()).device();
    TestDeviceTable.COPIED.set(0);
  }

  @AfterEach
  void nothingIsLeft() {
    assertThat(TestDeviceTable.OPEN.get()).as("tables that are not closed").isZero();
    assertThat(ExecutorRegistry.buildBytes()).as("reserved").isZero();
    if (selection != null) {
      selection.close();
    }
  }

  /** Vertices without in-edges, loops, edges that are there twice with other weights. */
  private static GlobalEdgeBlock edges() {
    Random random = new Random(SEED);
    long[] sources = random.longs(EDGES, 0, VERTICES).map(v -> 7 * v - 300).toArray();
    long[] destinations = random.longs(EDGES, 0, VERTICES / 3).map(v -> 21 * v - 300).toArray();
    for (int e = 100; e < EDGES; e += 10) {
      sources[e] = sources[e - 1];
      destinations[e] = e % 3 == 0 ? sources[e - 1] : destinations[e - 1];
    }
    return new GlobalEdgeBlock(EDGES, sources, destinations, random.doubles(EDGES).toArray());
  }

  /** What a shuffle sends to a task of a shard, in tables on the device. */
  private static List<EdgeBlock> sent(IdRanges ranges, int shard, int task, int tasks) {
    GlobalEdgeBlock all = edges();
    int[] here =
        IntStream.range(0, all.size())
            .filter(e -> Math.floorMod(all.source(e) ^ all.destination(e), tasks) == task)
            .filter(
                e ->
                    ranges.shardOf(all.source(e)) == shard
                        || ranges.shardOf(all.destination(e)) == shard)
            .toArray();
    List<EdgeBlock> tables = new ArrayList<>();
    for (int part = 0, first = 0; part < 3; part++) {
      int[] some = IntStream.of(here).skip(first).limit(here.length * part / 3 - first).toArray();
      first += some.length;
      tables.add(table(all, some));
      if (part == 2) {
        tables.add(table(all, IntStream.of(here).skip(first).toArray()));
      }
    }
    return tables;
  }

  private static EdgeBlock table(GlobalEdgeBlock all, int[] edges) {
    GlobalEdgeBlock some =
        new GlobalEdgeBlock(
            edges.length,
            IntStream.of(edges).mapToLong(all::source).toArray(),
            IntStream.of(edges).mapToLong(all::destination).toArray(),
            IntStream.of(edges).mapToDouble(e -> ((double[]) all.values())[e]).toArray());
    return new DeviceEdgeBlock(TestDeviceTable.of(device, some), true);
  }

  private static ShardTables sending(JavaSparkContext sc) {
    return (ranges, tasks) -> {
      assertThat(tasks).isPositive();
      return sent(sc, ranges, tasks);
    };
  }

  private static ShardTables.Sent sent(JavaSparkContext sc, IdRanges ranges, int tasks) {
    int partitions = SHARDS * tasks;
    return new ShardTables.Sent(
        sc.parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
            .flatMap(part -> sent(ranges, part / tasks, part % tasks, tasks).iterator()),
        null);
  }

  private static GraphView view(JavaSparkContext sc, ShardTables tables, EngineChoice engine) {
    JavaRDD<EdgeBlock> blocks = sc.parallelize(List.of(0), 1).map(part -> edges());
    GraphSource source =
        new GraphSource(sc.sc(), Object.class, Double.class, blocks, null, null, false)
            .withGpuColumns("to be told")
            .withShardTables(tables);
    RunOptions options =
        RunOptions.DEFAULT.withEngine(engine).withPartitions(1).withExecutors(SHARDS);
    return GraphView.load(source, options, true, false);
  }

  private static ResidentGraph<Object, Double> load(
      JavaSparkContext sc, ShardTables tables, EngineChoice engine, String told) {
    GraphView view = view(sc, tables, engine);
    assertThat(view.state().handle().gpuColumns()).isEqualTo(told);
    return Internals.graph(view);
  }

  /** Programs that follow edges forwards, backwards and with their weights. */
  private static List<Map<Long, ?>> results(
      ResidentGraph<Object, Double> loaded, EngineChoice engine) {
    RunOptions on = RunOptions.DEFAULT.withEngine(engine);
    try (ResidentGraph<Object, Double> graph = loaded;
        VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, on);
        VertexResult<Double> distances = Sssp.run(graph, -300, on);
        VertexResult<Long> components = ConnectedComponents.run(graph, Integer.MAX_VALUE, on)) {
      return List.of(ranks.collectAsMap(), distances.collectAsMap(), components.collectAsMap());
    }
  }

  @Test
  void theyBecomeTheShardsThatTheHostWouldMake(JavaSparkContext sc) {
    for (EngineChoice run : List.of(EngineChoice.EMULATED, EngineChoice.CPU)) {
      List<Map<Long, ?>> expected =
          results(load(sc, null, EngineChoice.EMULATED, "to be told"), run);
      assertThat(expected).noneMatch(Map::isEmpty);
      assertThat(results(load(sc, sending(sc), EngineChoice.EMULATED, STAY), run))
          .isEqualTo(expected);
      assertThat(TestDeviceTable.COPIED.get()).as("through the host").isZero();
    }
  }

  /** Several tasks read a shard's edges, those between the same vertices one of them. */
  @Test
  void tablesOfSeveralTasksAreOneShard(JavaSparkContext sc) {
    List<Map<Long, ?>> expected =
        results(load(sc, null, EngineChoice.EMULATED, "to be told"), EngineChoice.EMULATED);
    for (int tasks : new int[] {1, 2, 7}) {
      ShardTables tables = (ranges, any) -> sent(sc, ranges, tasks);
      ResidentGraph<Object, Double> graph = load(sc, tables, EngineChoice.EMULATED, STAY);
      assertThat(graph.edgeCount()).isEqualTo(EDGES);
      assertThat(results(graph, EngineChoice.EMULATED)).as("%d", tasks).isEqualTo(expected);
    }
    assertThat(TestDeviceTable.COPIED.get()).as("through the host").isZero();
  }

  /** A shard is made of copies of what has come to it. */
  @Test
  void whereNoDeviceMakesThemTheHostDoes(JavaSparkContext sc) {
    List<Map<Long, ?>> expected =
        results(load(sc, null, EngineChoice.CPU, "to be told"), EngineChoice.CPU);
    String told = "edges on the GPU go through the host: shard 0: the configuration asks for it";
    ResidentGraph<Object, Double> graph = load(sc, sending(sc), EngineChoice.CPU, told);
    assertThat(graph.edgeCount()).isEqualTo(EDGES);
    assertThat(results(graph, EngineChoice.CPU)).isEqualTo(expected);
    assertThat(TestDeviceTable.COPIED.get()).as("through the host").isPositive();
  }

  /** Whoever sends them cannot. */
  @Test
  void whatIsNotSentComesInParcels(JavaSparkContext sc) {
    ShardTables none = (ranges, tasks) -> new ShardTables.Sent(null, "it has no plan");
    try (ResidentGraph<Object, Double> graph =
        load(sc, none, EngineChoice.EMULATED, COPIED + "it has no plan")) {
      assertThat(graph.edgeCount()).isEqualTo(EDGES);
    }
  }

  /** No edge is lost where they are sent to the wrong shards, and nothing is left of them. */
  @Test
  void whatIsSentElsewhereComesInParcels(JavaSparkContext sc) {
    ShardTables others =
        (ranges, tasks) ->
            new ShardTables.Sent(
                sc.parallelize(List.of(0, 1, 2), SHARDS)
                    .flatMap(shard -> sent(ranges, (shard + 1) % SHARDS, 0, 1).iterator()),
                null);
    for (EngineChoice engine : List.of(EngineChoice.EMULATED, EngineChoice.CPU)) {
      GraphView view = view(sc, others, engine);
      assertThat(view.state().handle().gpuColumns())
          .startsWith(COPIED + "shard ")
          .contains(engine == EngineChoice.CPU ? "has no end of" : "belong to none of");
      List<Map<Long, ?>> expected = results(load(sc, null, engine, "to be told"), engine);
      assertThat(results(Internals.graph(view), engine)).isEqualTo(expected);
    }
  }

  /** A table, and then none. */
  private static Iterator<EdgeBlock> failing() {
    return new Iterator<>() {
      private boolean begun;

      @Override
      public boolean hasNext() {
        return true;
      }

      @Override
      public EdgeBlock next() {
        if (begun) {
          throw new IllegalStateException("the exchange has failed");
        }
        begun = true;
        return table(edges(), new int[] {1, 2, 3});
      }
    };
  }

  private static ShardTables failing(JavaSparkContext sc) {
    return (ranges, tasks) ->
        new ShardTables.Sent(
            sc.parallelize(List.of(0, 1, 2), SHARDS).mapPartitions(shard -> failing()), null);
  }

  /** Other tasks of a job that has failed may still be at it. */
  private static void awaitClosed() throws InterruptedException {
    for (int i = 0; i < 200 && TestDeviceTable.OPEN.get() > 0; i++) {
      Thread.sleep(50);
    }
  }

  private static void withRowsOn(JavaSparkContext sc, String where, Executable work)
      throws Throwable {
    sc.setLocalProperty(GpuGraphConf.GPU_BUILD_ROWS.key(), where);
    try {
      work.execute();
    } finally {
      sc.setLocalProperty(GpuGraphConf.GPU_BUILD_ROWS.key(), null);
    }
  }

  /** What has come when the rest fails is freed, and nothing is held. */
  @Test
  void whatFailsIsFreed(JavaSparkContext sc) throws Throwable {
    withRowsOn(
        sc,
        "device",
        () ->
            assertThatThrownBy(() -> load(sc, failing(sc), EngineChoice.EMULATED, STAY))
                .hasMessage("the exchange has failed"));
    awaitClosed();
  }

  /** Where nobody asks for the device a failure of sending is none of the load. */
  @Test
  void whatFailsComesInParcels(JavaSparkContext sc) throws Exception {
    List<Map<Long, ?>> expected =
        results(load(sc, null, EngineChoice.EMULATED, "to be told"), EngineChoice.EMULATED);
    ShardTables planning =
        (ranges, tasks) -> {
          throw new UnsupportedOperationException("no such plan\n+- Exchange");
        };
    ShardTables exhausted =
        (ranges, tasks) ->
            new ShardTables.Sent(
                sc.parallelize(List.of(0, 1, 2), SHARDS)
                    .map(
                        shard -> {
                          throw new DeviceOutOfMemoryException("a GPU", "a table", 24, 16, "", "");
                        }),
                null);
    Map<String, ShardTables> ways =
        Map.of(
            "IllegalStateException: the exchange has failed", failing(sc),
            "UnsupportedOperationException: no such plan", planning,
            "DeviceOutOfMemoryException: ", exhausted);
    for (Map.Entry<String, ShardTables> way : ways.entrySet()) {
      GraphView view = view(sc, way.getValue(), EngineChoice.EMULATED);
      assertThat(view.state().handle().gpuColumns())
          .startsWith(COPIED + "RAPIDS did not send them: ")
          .contains(way.getKey())
          .doesNotContain("Exchange");
      ResidentGraph<Object, Double> graph = Internals.graph(view);
      assertThat(graph.edgeCount()).isEqualTo(EDGES);
      assertThat(results(graph, EngineChoice.EMULATED)).as(way.getKey()).isEqualTo(expected);
      awaitClosed();
    }
  }

  /** Of one shard: those that were made of what had come are made anew. */
  @Test
  void aShardThatTheHostHasNoRoomForComesInParcels(JavaSparkContext sc) throws Throwable {
    ShardTables larger =
        (ranges, tasks) ->
            new ShardTables.Sent(
                sc.parallelize(List.of(0, 1, 2), SHARDS)
                    .flatMap(
                        shard ->
                            shard == 1
                                ? List.<EdgeBlock>of(
                                        new DeviceEdgeBlock(
                                            TestDeviceTable.larger(Integer.MAX_VALUE), true))
                                    .iterator()
                                : sent(ranges, shard, 0, 1).iterator()),
                null);
    withRowsOn(
        sc,
        "device",
        () ->
            assertThatThrownBy(() -> load(sc, larger, EngineChoice.EMULATED, STAY))
                .isInstanceOf(GraphMemoryException.class));
    GraphView view = view(sc, larger, EngineChoice.EMULATED);
    assertThat(view.state().handle().gpuColumns())
        .startsWith(COPIED + "RAPIDS did not send them: ")
        .contains("it needs at least ");
    List<Map<Long, ?>> expected =
        results(load(sc, null, EngineChoice.EMULATED, "to be told"), EngineChoice.EMULATED);
    assertThat(results(Internals.graph(view), EngineChoice.EMULATED)).isEqualTo(expected);
  }

  /** A task that is still at it when the load goes another way leaves what that holds alone. */
  @Test
  void aShardThatComesTooLateIsNotHeld(JavaSparkContext sc) {
    IdRanges ranges = new IdRanges(0, 900);
    JavaRDD<EdgeBlock> blocks = sc.parallelize(List.of(0), 1).map(part -> edges());
    GraphSource source =
        new GraphSource(sc.sc(), Object.class, Double.class, blocks, null, null, false);
    DeviceConf conf = DeviceConf.of(GpuGraphConf.of(sc.getConf(), Map.of()));
    LoadTask task =
        new LoadTask(
            RegistryKey.of(sc.sc(), "graph"),
            null,
            ranges,
            LoadTask.Source.of(source),
            new LoadTask.How(EngineChoice.CPU, conf, 1, 1, false),
            new Needs(false, true, true),
            true,
            List.of());
    Staging staging = new Staging(task.key(0), task.edgeValues());
    staging.edges(0, sent(ranges, 0, 0, 1).iterator(), read -> {});
    assertThatThrownBy(() -> ShardLoading.build(task, 0, staging, 1, why -> staging.close()))
        .hasMessage("the load of " + task.key(0) + " goes another way by now");
    assertThat(ExecutorRegistry.holds(task.key(0))).isFalse();
  }

  /** Who ends a load does not get another one. */
  @Test
  void whatIsCancelledEnds(JavaSparkContext sc) throws Exception {
    BEGUN.drainPermits();
    ShardTables waiting =
        (ranges, tasks) ->
            new ShardTables.Sent(
                sc.parallelize(List.of(0, 1, 2), SHARDS)
                    .map(
                        shard -> {
                          BEGUN.release();
                          while (!TaskContext.get().isInterrupted()) {
                            Thread.sleep(10);
                          }
                          throw new IllegalStateException("it was to end");
                        }),
                null);
    Thread canceller =
        new Thread(
            () -> {
              BEGUN.acquireUninterruptibly();
              sc.sc().cancelJobGroup("to be cancelled");
            });
    canceller.start();
    sc.setJobGroup("to be cancelled", "a load");
    try {
      assertThatThrownBy(() -> view(sc, waiting, EngineChoice.EMULATED))
          .hasMessageContaining("cancelled");
    } finally {
      sc.clearJobGroup();
    }
    canceller.join();
  }
}
