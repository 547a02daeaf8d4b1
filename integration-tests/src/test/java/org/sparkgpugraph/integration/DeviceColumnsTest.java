package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.PageRank;
import org.sparkgpugraph.algorithm.Sssp;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.conf.DeviceConf;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.device.Selection;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.load.ShardTables;

/** Edges in tables on the devices of executors, as another library would have made them. */
class DeviceColumnsTest {
  private static final int PARTS = 3;
  private static final int VERTICES = 300;
  private static final long SEED = 7;
  private static final String STAY = "edges stay";

  /** In the executor. */
  private static final class Tables {
    static final AtomicInteger OPEN = new AtomicInteger();
    static final AtomicInteger COPIED = new AtomicInteger();
    static final Selection SELECTION =
        ExecutorRegistry.engines()
            .select(
                EngineChoice.EMULATED,
                DeviceConf.of(GpuGraphConf.of(SparkEnv.get().conf(), Map.of())),
                List.of(),
                1);
    static final Device DEVICE = ((DeviceEngine) SELECTION.engine()).device();
  }

  private static final class Table implements DeviceTable {
    private final GlobalEdgeBlock edges;
    private final List<DeviceMemory> columns = new ArrayList<>();

    Table(GlobalEdgeBlock edges) {
      this.edges = edges;
      for (Object column : new Object[] {edges.sources(), edges.destinations(), edges.values()}) {
        DeviceMemory memory = Tables.DEVICE.allocate(8L * edges.size(), "a column");
        Tables.DEVICE.upload(column, 0, edges.size(), memory, 0);
        columns.add(memory);
      }
      Tables.OPEN.incrementAndGet();
    }

    @Override
    public int size() {
      return edges.size();
    }

    @Override
    public long sources() {
      return columns.get(0).address();
    }

    @Override
    public long destinations() {
      return columns.get(1).address();
    }

    @Override
    public long values() {
      return columns.get(2).address();
    }

    @Override
    public long[] copyEnds(boolean ofSources) {
      Tables.COPIED.incrementAndGet();
      return ofSources ? edges.sources() : edges.destinations();
    }

    @Override
    public double[] copyValues() {
      return (double[]) edges.values();
    }

    @Override
    public synchronized void close() {
      if (!columns.isEmpty()) {
        columns.forEach(DeviceMemory::close);
        columns.clear();
        Tables.OPEN.decrementAndGet();
      }
    }
  }

  private static GlobalEdgeBlock part(int part) {
    Random random = new Random(SEED + part);
    int size = 1_000 * part;
    return new GlobalEdgeBlock(
        size,
        random.longs(size, 0, VERTICES).map(v -> 7 * v).toArray(),
        random.longs(size, 0, VERTICES / 3).map(v -> 7 * v).toArray(),
        random.doubles(size).toArray());
  }

  private static ResidentGraph<Object, Double> load(
      JavaSparkContext sc, boolean onDevice, String told) {
    JavaRDD<EdgeBlock> blocks =
        sc.parallelize(List.of(0, 1, 2), PARTS)
            .map(part -> onDevice ? new DeviceEdgeBlock(new Table(part(part)), true) : part(part));
    GraphSource source =
        new GraphSource(sc.sc(), Object.class, Double.class, blocks, null, null, false)
            .withGpuColumns(STAY);
    RunOptions options =
        RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED).withPartitions(1).withExecutors(1);
    GraphView view =
        GraphView.load(onDevice ? source.withEdgesOnDevice() : source, options, true, false);
    assertThat(view.state().handle().gpuColumns()).isEqualTo(told);
    return Internals.graph(view);
  }

  private static List<Map<Long, Double>> results(JavaSparkContext sc, boolean onDevice) {
    RunOptions on = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    try (ResidentGraph<Object, Double> graph = load(sc, onDevice, STAY);
        VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, on);
        VertexResult<Double> distances = Sssp.run(graph, 0, on)) {
      return List.of(ranks.collectAsMap(), distances.collectAsMap());
    }
  }

  /** How many tables are open in executors, and how many columns of ends were copied there. */
  private static List<List<Integer>> counts(JavaSparkContext sc) {
    return sc.parallelize(List.of(0, 1, 2, 3), 2)
        .map(any -> List.of(Tables.OPEN.get(), Tables.COPIED.get()))
        .collect();
  }

  @Test
  void theyStayInTheOnlyExecutor(@TempDir Path scratch) {
    Cluster.assumeUsable(EngineChoice.EMULATED);
    try (Cluster cluster = Cluster.of(1).start(scratch)) {
      JavaSparkContext sc = cluster.context();
      List<Map<Long, Double>> expected = results(sc, false);
      assertThat(expected).noneMatch(Map::isEmpty);
      assertThat(results(sc, true)).isEqualTo(expected);
      assertThat(counts(sc)).containsOnly(List.of(0, 0));
    }
  }

  /** One that nobody knew of when the load began has read some of them. */
  @Test
  void whatIsInSeveralExecutorsGoesThroughTheHost(@TempDir Path scratch) {
    Cluster.assumeUsable(EngineChoice.EMULATED);
    try (Cluster cluster = Cluster.of(2).set("spark.locality.wait", "0").start(scratch)) {
      JavaSparkContext sc = cluster.context();
      String told = "edges on the GPU go through the host: other executors have read some";
      try (ResidentGraph<Object, Double> graph = load(sc, true, told)) {
        assertThat(graph.edgeCount()).isEqualTo(3_000);
        assertThat(graph.vertexCount()).isEqualTo(VERTICES);
      }
      assertThat(counts(sc)).allMatch(of -> of.get(0) == 0).anyMatch(of -> of.get(1) > 0);
    }
  }

  /** The edges of a part that have an end in a shard. */
  private static GlobalEdgeBlock sent(
      GlobalEdgeBlock part, IdRanges ranges, int shard, int task, int tasks) {
    int[] here =
        IntStream.range(0, part.size())
            .filter(
                e ->
                    ranges.shardOf(part.source(e)) == shard
                        || ranges.shardOf(part.destination(e)) == shard)
            .filter(e -> Math.floorMod(part.source(e) + part.destination(e), tasks) == task)
            .toArray();
    double[] values = (double[]) part.values();
    return new GlobalEdgeBlock(
        here.length,
        IntStream.of(here).mapToLong(part::source).toArray(),
        IntStream.of(here).mapToLong(part::destination).toArray(),
        IntStream.of(here).mapToDouble(e -> values[e]).toArray());
  }

  private static JavaRDD<EdgeBlock> tables(JavaSparkContext sc, IdRanges ranges, int tasks) {
    return sc.parallelize(IntStream.range(0, 2 * tasks).boxed().toList(), 2 * tasks)
        .flatMap(
            partition ->
                IntStream.range(0, PARTS)
                    .<EdgeBlock>mapToObj(
                        part ->
                            new DeviceEdgeBlock(
                                new Table(
                                    sent(
                                        part(part),
                                        ranges,
                                        partition / tasks,
                                        partition % tasks,
                                        tasks)),
                                true))
                    .toList()
                    .iterator());
  }

  private static List<Map<Long, Double>> overTwo(JavaSparkContext sc, boolean onDevice) {
    ShardTables tables =
        (ranges, tasks) -> {
          assertThat(tasks).isEqualTo(2);
          return new ShardTables.Sent(tables(sc, ranges, tasks), null);
        };
    return overTwo(sc, onDevice ? tables : null, onDevice ? "edges stay on the GPUs" : STAY);
  }

  private static List<Map<Long, Double>> overTwo(
      JavaSparkContext sc, ShardTables tables, String told) {
    JavaRDD<EdgeBlock> blocks = sc.parallelize(List.of(0, 1, 2), PARTS).map(part -> part(part));
    GraphSource source =
        new GraphSource(sc.sc(), Object.class, Double.class, blocks, null, null, false)
            .withGpuColumns(STAY)
            .withShardTables(tables);
    RunOptions on = RunOptions.DEFAULT.withEngine(EngineChoice.EMULATED);
    GraphView view = GraphView.load(source, on.withPartitions(1).withExecutors(2), true, false);
    assertThat(view.state().handle().gpuColumns()).startsWith(told);
    try (ResidentGraph<Object, Double> graph = Internals.graph(view);
        VertexResult<Double> ranks = PageRank.run(graph, 5, 0.15, on);
        VertexResult<Double> distances = Sssp.run(graph, 0, on)) {
      return List.of(ranks.collectAsMap(), distances.collectAsMap());
    }
  }

  /** Each holds a shard, of what two tasks read there, wherever Spark would have started them. */
  @Test
  void theyAreSentToTheExecutorsThatHoldTheGraph(@TempDir Path scratch) {
    Cluster.assumeUsable(EngineChoice.EMULATED);
    try (Cluster cluster = Cluster.of(2).cores(2).set("spark.locality.wait", "0").start(scratch)) {
      JavaSparkContext sc = cluster.context();
      List<Map<Long, Double>> expected = overTwo(sc, false);
      assertThat(expected).noneMatch(Map::isEmpty);
      assertThat(overTwo(sc, true)).isEqualTo(expected);
      assertThat(counts(sc)).containsOnly(List.of(0, 0));
    }
  }

  /** As when a GPU runs out of memory in a way that ends the process: the load goes another way. */
  @Test
  void whereAnExecutorIsLostMeanwhileTheyAreCopied(@TempDir Path scratch) {
    Cluster.assumeUsable(EngineChoice.EMULATED);
    try (Cluster cluster = Cluster.of(2).start(scratch)) {
      JavaSparkContext sc = cluster.context();
      List<Map<Long, Double>> expected = overTwo(sc, null, STAY);
      AtomicInteger sent = new AtomicInteger();
      ShardTables deadly =
          (ranges, tasks) -> {
            sent.incrementAndGet();
            return new ShardTables.Sent(
                tables(sc, ranges, tasks)
                    .mapPartitionsWithIndex(
                        (partition, tables) -> {
                          if (partition == 0) {
                            Runtime.getRuntime().halt(1);
                          }
                          return tables;
                        },
                        true),
                null);
          };
      assertThat(
              overTwo(
                  sc,
                  deadly,
                  "edges are copied from the GPU to the host in columns: an executor was lost while"
                      + " they were loaded"))
          .isEqualTo(expected);
      assertThat(sent).hasValue(1);
    }
  }
}
