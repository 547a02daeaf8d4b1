package org.sparkgpugraph.benchmarks.comparison;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Graphs of DataFrames: how fast a cached table of edges becomes a graph in the executors, with
 * longs and with strings of 20 characters as ids; how fast queries read a result that is there; and
 * PageRank of 10 iterations from Parquet to Parquet, beside the same with {@code
 * Graph.fromEdgeTuples} and GraphX.
 *
 * <pre>FrameBenchmark [scale = 20] [repetitions = 5] [partitions = 4] [stock = true]
 *     [loads = true]</pre>
 */
public final class FrameBenchmark {
  private static final int ITERATIONS = 10;

  private final SparkSession spark;
  private final int repetitions;
  private final TextTable table = new TextTable("what", "first s", "median s", "M rows/s");
  private long edges;

  private FrameBenchmark(SparkSession spark, int repetitions) {
    this.spark = spark;
    this.repetitions = repetitions;
  }

  /** Runs it and prints a table; the first of each is cold, and not in the median. */
  public static void main(String[] args) throws IOException {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int repetitions = args.length > 1 ? Integer.parseInt(args[1]) : 5;
    int partitions = args.length > 2 ? Integer.parseInt(args[2]) : 4;
    boolean stock = args.length <= 3 || Boolean.parseBoolean(args[3]);
    boolean loads = args.length <= 4 || Boolean.parseBoolean(args[4]);
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[*]")
            .appName("FrameBenchmark")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", partitions)
            .getOrCreate()) {
      spark.sparkContext().setLogLevel("ERROR");
      Path folder = Files.createTempDirectory("frames");
      new FrameBenchmark(spark, repetitions).run(folder, scale, partitions, stock, loads);
    }
  }

  private void run(Path folder, int scale, int partitions, boolean stock, boolean loads) {
    String parquet = folder.resolve("edges").toUri().toString();
    generated(spark, scale, partitions).write().parquet(parquet);
    Dataset<Row> read = spark.read().parquet(parquet);
    edges = read.count();
    String ranks = folder.resolve("ranks").toUri().toString();
    double ours = measure("PageRank, Parquet to Parquet", edges, () -> frame(read, ranks));
    if (stock) {
      double theirs = measure("… GraphX", edges, () -> graphx(parquet, ranks));
      System.out.printf("GraphX takes %.1f times as long%n", theirs / ours);
    }
    read(read, ranks);
    if (loads) {
      load("load, longs", read);
      load("load, strings of 20", read.select(name("src"), name("dst")));
    }
    System.out.printf("R-MAT %d: %d edges%n", scale, edges);
    System.out.print(table);
  }

  private static Column name(String column) {
    return functions.format_string("vertex-%013d", functions.col(column)).as(column);
  }

  /** An R-MAT graph as a table of longs. */
  static Dataset<Row> generated(SparkSession spark, int scale, int partitions) {
    JavaRDD<EdgeBlock> blocks =
        new RmatGraph(scale, RmatGraphX.EDGE_FACTOR, RmatGraphX.SEED)
            .edges(new JavaSparkContext(spark.sparkContext()), partitions, true, false);
    return spark.createDataFrame(
        blocks.flatMap(
            block -> {
              List<Row> rows = new ArrayList<>(block.size());
              for (int i = 0; i < block.size(); i++) {
                rows.add(RowFactory.create(block.source(i), block.destination(i)));
              }
              return rows.iterator();
            }),
        new StructType()
            .add("src", DataTypes.LongType, false)
            .add("dst", DataTypes.LongType, false));
  }

  private Object frame(Dataset<Row> read, String ranks) {
    return write(PropertyGraph.ofEdges(read).pageRank().maxIter(ITERATIONS).run(), ranks);
  }

  /** As GraphX's users write it. */
  private Object graphx(String parquet, String ranks) {
    ClassTag<Object> longs = ClassTag$.MODULE$.Object();
    @SuppressWarnings("unchecked")
    ClassTag<Object> ints = (ClassTag<Object>) (ClassTag<?>) ClassTag$.MODULE$.Int();
    JavaRDD<Tuple2<Object, Object>> pairs =
        spark
            .read()
            .parquet(parquet)
            .toJavaRDD()
            .map(row -> new Tuple2<>((Object) row.getLong(0), (Object) row.getLong(1)));
    Graph<Object, Object> graph =
        Graph.fromEdgeTuples(
            pairs.rdd(),
            (Object) 1,
            scala.Option.empty(),
            StorageLevel.MEMORY_ONLY(),
            StorageLevel.MEMORY_ONLY(),
            longs);
    Graph<Object, Object> ranked =
        org.apache.spark.graphx.lib.PageRank.run(graph, ITERATIONS, 0.15, longs, ints);
    spark
        .createDataFrame(
            ranked
                .vertices()
                .toJavaRDD()
                .map(vertex -> RowFactory.create(vertex._1(), vertex._2())),
            new StructType().add("id", DataTypes.LongType).add("pagerank", DataTypes.DoubleType))
        .write()
        .mode(SaveMode.Overwrite)
        .parquet(ranks);
    graph.unpersist(true);
    ranked.unpersist(true);
    return ranks;
  }

  /** What queries read of ranks that are there. */
  private void read(Dataset<Row> of, String parquet) {
    Dataset<Row> ranks = PropertyGraph.ofEdges(of).pageRank().maxIter(1).run();
    long vertices = ranks.count();
    measure("sum of ranks", vertices, () -> ranks.agg(functions.sum("pagerank")).head());
    measure(
        "ranks by id, every 16th",
        vertices,
        () -> ranks.join(spark.range(0, vertices, 16), "id").agg(functions.max("pagerank")).head());
    measure("ranks to Parquet", vertices, () -> write(ranks, parquet));
  }

  private static Object write(Dataset<Row> ranks, String parquet) {
    ranks.write().mode(SaveMode.Overwrite).parquet(parquet);
    return parquet;
  }

  private void load(String what, Dataset<Row> from) {
    Dataset<Row> cached = from.cache();
    cached.count();
    measure(
        what,
        edges,
        () -> {
          try (PropertyGraph graph = PropertyGraph.ofEdges(cached).persistOnDevice()) {
            return graph;
          }
        });
    cached.unpersist(true);
  }

  /** The median in seconds. */
  private double measure(String what, long rows, Supplier<Object> run) {
    List<Double> seconds = new ArrayList<>();
    double first = 0;
    for (int i = 0; i <= repetitions; i++) {
      System.gc();
      long start = System.nanoTime();
      run.get();
      double took = (System.nanoTime() - start) / 1e9;
      if (i == 0) {
        first = took;
      } else {
        seconds.add(took);
      }
    }
    double median = Medians.median(seconds);
    table.add(List.of(what, format(first), format(median), format(rows / median / 1e6)));
    return median;
  }

  private static String format(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }
}
