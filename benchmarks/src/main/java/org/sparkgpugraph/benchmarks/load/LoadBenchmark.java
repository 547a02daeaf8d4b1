package org.sparkgpugraph.benchmarks.load;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Edge;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.adapter.data.GraphXReader;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.rows.PushRows;
import org.sparkgpugraph.program.ValueType;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Measures how fast a cached GraphX graph becomes an executor graph: a job hands over references to
 * the edge partitions' arrays, one executor builds; then how long rows by source take, for programs
 * that push, where no others were made. The first line is cold (a fresh JVM), the others warm.
 *
 * <pre>LoadBenchmark [scale = 20] [threads = 2] [repetitions = 8] [edge partitions = 4]
 *     [edge values = NUMBERS | RECORDS | CASE_CLASSES | NAMED | PAIRS | BOXED_PAIRS]</pre>
 *
 * <p>The last line has the medians of the rates.
 */
public final class LoadBenchmark {
  private static final int EDGE_FACTOR = 16;

  /** Blocks handed over in memory by the tasks of a local Spark. */
  private static final ConcurrentSkipListMap<Integer, EdgeBlock> EDGES =
      new ConcurrentSkipListMap<>();

  private static final ConcurrentSkipListMap<Integer, VertexBlock> VERTICES =
      new ConcurrentSkipListMap<>();

  private LoadBenchmark() {}

  /** Runs it and prints a line per repetition. */
  public static void main(String[] args) {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int threads = args.length > 1 ? Integer.parseInt(args[1]) : 2;
    int repetitions = args.length > 2 ? Integer.parseInt(args[2]) : 8;
    int partitions = args.length > 3 ? Integer.parseInt(args[3]) : 4;
    EdgeValues kind = args.length > 4 ? EdgeValues.valueOf(args[4]) : EdgeValues.NUMBERS;
    SparkConf conf =
        new SparkConf()
            .setMaster("local[" + threads + "]")
            .setAppName("LoadBenchmark")
            .set("spark.ui.enabled", "false");
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      sc.setLogLevel("WARN");
      Graph<Object, Object> graph = rmat(sc, scale, partitions, kind);
      long edges = graph.edges().count();
      System.out.printf("%d vertices, %d edges%n", graph.vertices().count(), edges);
      for (ValueType values : new ValueType[] {null, kind.type()}) {
        double[] rates = new double[repetitions];
        for (int i = 0; i < repetitions; i++) {
          rates[i] = load(graph, edges, threads, values);
        }
        Arrays.sort(rates);
        System.out.printf(
            "median %s: %.1f M edges/s%n",
            values == null ? "structure" : "with " + kind, rates[repetitions / 2]);
      }
    }
  }

  private static double load(Graph<?, ?> graph, long edges, int threads, ValueType values) {
    System.gc();
    long before = used();
    resetPeak();
    long cpuBefore = cpu();
    long start = System.nanoTime();
    EDGES.clear();
    VERTICES.clear();
    GraphXReader.edgeBlocks(graph)
        .foreachPartition(it -> EDGES.put(TaskContext.getPartitionId(), it.next()));
    long edgesHandedOver = System.nanoTime();
    GraphXReader.vertexBlocks(graph)
        .foreachPartition(it -> VERTICES.put(TaskContext.getPartitionId(), it.next()));
    long handedOver = System.nanoTime();
    PhaseTimes.start();
    ExecutorGraph built =
        ExecutorGraphBuilder.build(
            new ArrayList<>(EDGES.values()),
            new ArrayList<>(VERTICES.values()),
            new ExecutorGraphBuilder.Options(1, threads, values));
    long end = System.nanoTime();
    List<PhaseTimes.Phase> phases = PhaseTimes.stop();
    long cpuTime = cpu() - cpuBefore;
    long peak = peak();
    built.partitions().get(0).outEdges();
    long out = System.nanoTime();
    System.out.printf(
        "%s: %.1f M edges/s (%d ms: edges' hand-over %d, vertices' %d, build %d; CPU time of"
            + " all threads %d ms), out-edges %d ms; graph %d MB, heap used"
            + " before %d MB, at most %d MB more (%.1f times the graph)%n",
        values != null ? "with edge values" : "structure",
        edges * 1e3 / (end - start),
        (end - start) / 1_000_000,
        (edgesHandedOver - start) / 1_000_000,
        (handedOver - edgesHandedOver) / 1_000_000,
        (end - handedOver) / 1_000_000,
        cpuTime / 1_000_000,
        (out - end) / 1_000_000,
        built.bytes() >> 20,
        before >> 20,
        (peak - before) >> 20,
        (peak - before) / (double) built.bytes());
    print(phases);
    rowsThatWait(threads, values);
    return edges * 1e3 / (end - start);
  }

  /** The same blocks with rows that are made when they are asked for. */
  private static void rowsThatWait(int threads, ValueType values) {
    System.gc();
    PhaseTimes.start();
    long start = System.nanoTime();
    ExecutorGraph built =
        ExecutorGraphBuilder.build(
            new ArrayList<>(EDGES.values()),
            new ArrayList<>(VERTICES.values()),
            new ExecutorGraphBuilder.Options(1, threads, values, RowsMade.LATER));
    long end = System.nanoTime();
    GraphPartition partition = built.partitions().get(0);
    PushRows.of(partition).csr().neighbours();
    PushRows.of(partition).values();
    long pushed = System.nanoTime();
    partition.inEdges().neighbours();
    long in = System.nanoTime();
    System.out.printf(
        "  rows that wait: build %d ms, rows by source for pushing %d ms, then by destination"
            + " %d ms%n",
        (end - start) / 1_000_000, (pushed - end) / 1_000_000, (in - pushed) / 1_000_000);
    print(PhaseTimes.stop());
  }

  private static void print(List<PhaseTimes.Phase> phases) {
    phases.forEach(phase -> System.out.printf("  %s %.1f ms", phase.name(), phase.nanos() / 1e6));
    System.out.println();
  }

  /** Tells a slow load from a busy machine. */
  private static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long used() {
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static List<MemoryPoolMXBean> heapPools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  private static void resetPeak() {
    heapPools().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  private static long peak() {
    return heapPools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  /** A cached R-MAT graph with GraphX's usual parameters and scrambled ids. */
  private static Graph<Object, Object> rmat(
      JavaSparkContext sc, int scale, int partitions, EdgeValues values) {
    List<Integer> seeds = new ArrayList<>();
    for (int p = 0; p < partitions; p++) {
      seeds.add(p);
    }
    long perPartition = ((long) EDGE_FACTOR << scale) / partitions;
    @SuppressWarnings("unchecked")
    ClassTag<Object> tag = (ClassTag<Object>) (Object) ClassTag$.MODULE$.Double();
    Graph<Object, Object> graph =
        Graph.fromEdges(
            sc.parallelize(seeds, partitions)
                .mapPartitions(
                    it -> {
                      SplittableRandom random = new SplittableRandom(it.next());
                      return new java.util.Iterator<Edge<Object>>() {
                        private long left = perPartition;

                        @Override
                        public boolean hasNext() {
                          return left > 0;
                        }

                        @Override
                        public Edge<Object> next() {
                          left--;
                          return edge(random, scale, values);
                        }
                      };
                    })
                .rdd(),
            (Object) 1.0,
            StorageLevel.MEMORY_ONLY(),
            StorageLevel.MEMORY_ONLY(),
            tag,
            values.tag());
    graph.cache();
    return graph;
  }

  private static Edge<Object> edge(SplittableRandom random, int scale, EdgeValues values) {
    int source = 0;
    int destination = 0;
    for (int bit = 0; bit < scale; bit++) {
      double quadrant = random.nextDouble();
      source = source << 1 | (quadrant < 0.76 ? 0 : 1);
      destination =
          destination << 1 | (quadrant < 0.57 || quadrant >= 0.76 && quadrant < 0.95 ? 0 : 1);
    }
    return new Edge<>(
        scramble(source, scale), scramble(destination, scale), values.of(source & 63));
  }

  /** A bijection of {@code scale} bits. */
  private static int scramble(int id, int scale) {
    int mask = (1 << scale) - 1;
    int x = id * 0x9E3779B1 & mask;
    x ^= x >>> (scale / 2);
    return x * 0x85EBCA6B & mask;
  }
}
