package org.sparkgpugraph.runtime.rapids;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.sparkgpugraph.engine.cuda.SharedPool;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.files.input.InternalRows;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;

/**
 * A local Spark with RAPIDS' plugin, in a JVM of its own: the plugin holds the GPU's memory until
 * its process ends. Arguments: the scenario, then settings, {@code key=value}. Says "done" at last.
 */
public final class RapidsJob {
  private static final int ITERATIONS = 10;

  private static final String POOL_FRACTION = "spark.gpugraph.gpu.poolFraction";

  private final SparkSession spark;

  private RapidsJob(SparkSession spark) {
    this.spark = spark;
  }

  public static void main(String[] arguments) throws Exception {
    SparkSession.Builder builder =
        SparkSession.builder()
            .master(System.getProperty("spark.master", "local[4]"))
            .config("spark.ui.enabled", "false")
            .config("spark.plugins", Rapids.PLUGIN)
            .config("spark.rapids.memory.gpu.minAllocFraction", "0.01")
            .config("spark.rapids.memory.gpu.allocFraction", "0.5")
            .config("spark.rapids.sql.explain", "NONE")
            .config("spark.sql.shuffle.partitions", "4");
    for (int i = 1; i < arguments.length; i++) {
      String[] setting = arguments[i].split("=", 2);
      builder.config(setting[0], setting[1]);
    }
    SparkSession session = builder.getOrCreate();
    RapidsJob job = new RapidsJob(session);
    switch (arguments[0]) {
      case "sharing" -> job.sharing();
      case "spilling" -> job.spilling();
      case "bounded" -> job.bounded();
      case "together" -> job.together();
      case "columns" -> job.columns();
      case "executors" -> job.executors();
      case "results" -> job.results();
      case "write" -> job.rmat();
      case "speed" -> job.speed();
      case "pipeline" -> job.pipeline();
      default -> throw new IllegalArgumentException(arguments[0]);
    }
    session.stop();
    System.out.println("done");
  }

  /** Edges that RAPIDS makes on the GPU: some vertices have none, some many. */
  private Dataset<Row> edges(long count, long vertices) {
    return spark
        .range(0, count, 1, 4)
        .selectExpr(
            "pmod(id * 7919, %d) as src".formatted(vertices),
            "pmod(id * id, %d) as dst".formatted(vertices / 3),
            "cast(pmod(id, 255) as double) as weight");
  }

  private static RapidsPool pool() {
    return Rapids.here().orElseThrow().pool(0.5);
  }

  private static void check(boolean holds, Object what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }

  /** A run, and what it says of itself. */
  private record Ranks(Map<Long, Double> byVertex, RunReport report) {
    void near(Ranks other) {
      check(byVertex.keySet().equals(other.byVertex.keySet()), "other vertices");
      byVertex.forEach(
          (vertex, rank) -> {
            double expected = other.byVertex.get(vertex);
            check(
                Math.abs(rank - expected) <= 1e-9 * Math.max(1, expected),
                vertex + ": " + rank + ", not " + expected);
          });
    }
  }

  private static Ranks ranks(PropertyGraph graph, EngineChoice engine) {
    return ranks(graph, RunOptions.DEFAULT.withEngine(engine));
  }

  private static Ranks ranks(PropertyGraph graph, RunOptions options) {
    AtomicReference<RunReport> report = new AtomicReference<>();
    RunObserver observer =
        new RunObserver() {
          @Override
          public void finished(RunReport of) {
            report.set(of);
          }
        };
    PropertyGraph seen = graph.options(options.withObserver(observer));
    Map<Long, Double> ranks = new HashMap<>();
    for (Row row : seen.pageRank().maxIter(ITERATIONS).run().collectAsList()) {
      ranks.put(((Number) row.get(0)).longValue(), row.getDouble(1));
    }
    return new Ranks(ranks, report.get());
  }

  /** Runs live in RAPIDS' pool, and give back what they took. */
  private void sharing() {
    Dataset<Row> edges = edges(3_000_000, 100_000);
    Ranks expected = ranks(PropertyGraph.ofEdges(edges), EngineChoice.CPU);
    check(pool().taken() == 0, pool().taken());
    Ranks found = ranks(PropertyGraph.ofEdges(edges), EngineChoice.CUDA);
    System.out.println(found.report());
    found.near(expected);
    check(found.report().reason().contains("memory of RAPIDS"), found.report());
    ranks(PropertyGraph.ofEdges(edges), EngineChoice.AUTO).near(expected);
    System.out.println("after runs " + pool().taken() + " bytes are taken");
  }

  /** A graph that no run uses gives way, and comes back. */
  private void spilling() throws Exception {
    Dataset<Row> edges = edges(30_000_000, 1_000_000);
    Ranks expected = ranks(PropertyGraph.ofEdges(edges), EngineChoice.CPU);
    RunOptions onGpu = RunOptions.DEFAULT.withEngine(EngineChoice.CUDA);
    try (PropertyGraph held = PropertyGraph.ofEdges(edges).options(onGpu).persistOnDevice()) {
      for (int round = 0; round < 2; round++) {
        held.pageRank().maxIter(ITERATIONS).run().count();
        long taken = pool().taken();
        check(taken >= 4 * 30_000_000L, taken);
        List<Object> others = fill();
        System.out.println(taken + " bytes of the graph are " + pool().taken() + " now");
        check(pool().taken() == 0, pool().taken());
        others.forEach(RapidsJob::close);
      }
      Map<Long, Double> again = new HashMap<>();
      for (Row row : held.pageRank().maxIter(ITERATIONS).run().collectAsList()) {
        again.put(row.getLong(0), row.getDouble(1));
      }
      new Ranks(again, null).near(expected);
    }
    System.out.println("after all " + pool().taken() + " bytes are taken");
  }

  /** Takes all of the pool. */
  private static List<Object> fill() throws Exception {
    RmmBinding rmm = new RmmBinding(PluginClasses.find());
    List<Object> buffers = new ArrayList<>();
    for (long bytes = 4L << 30; bytes >= 1 << 20; bytes /= 2) {
      try {
        while (true) {
          buffers.add(rmm.allocate(bytes));
        }
      } catch (SharedPool.RefusedException e) {
        System.out.println(bytes + " bytes: " + e.getMessage());
      }
    }
    return buffers;
  }

  private static void close(Object buffer) {
    try {
      ((AutoCloseable) buffer).close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** A run that is larger than its part of the pool goes to the CPU and says why. */
  private void bounded() {
    Dataset<Row> edges = edges(3_000_000, 100_000);
    Ranks expected = ranks(PropertyGraph.ofEdges(edges), EngineChoice.CPU);
    Ranks found = ranks(PropertyGraph.ofEdges(edges), EngineChoice.AUTO);
    System.out.println(found.report());
    found.near(expected);
    check(found.report().engine().equals("cpu"), found.report());
  }

  /** Columns that are on the GPU become graphs there, the same as rows on the host do. */
  private void columns() {
    Dataset<Row> edges = edges(3_000_000, 100_000);
    same("close", edges);
    same("dense", edges.selectExpr("src % 5000 as src", "dst % 5000 as dst", "weight"));
    same(
        "far apart",
        edges.selectExpr(
            "src * 1234567890123 - 77 as src", "dst * 1234567890123 - 77 as dst", "weight"));
    same("joined", edges.join(edges.filter("weight > 250").select("src").distinct(), "src"));
    same(
        "of small types",
        edges.selectExpr(
            "cast(src % 30000 as int) src",
            "cast(dst % 30000 as int) dst", "cast(weight as float) weight"));
    try {
      ranks(
          PropertyGraph.ofEdges(edges.selectExpr("src", "nullif(dst, 4) as dst")),
          EngineChoice.CUDA);
      throw new AssertionError("a null is a vertex");
    } catch (IllegalArgumentException e) {
      System.out.println(e.getMessage());
    }
    System.out.println("after runs " + pool().taken() + " bytes are taken");
  }

  private void same(String what, Dataset<Row> edges) {
    PropertyGraph graph = PropertyGraph.ofEdges(edges);
    PropertyGraph here = graph.options(RunOptions.DEFAULT.withEngine(EngineChoice.CPU));
    PropertyGraph there = graph.options(RunOptions.DEFAULT.withEngine(EngineChoice.CUDA));
    long first =
        edges.agg(functions.min("src")).head().getAs(0) instanceof Number id ? id.longValue() : -1;
    Ranks ranks = ranks(graph, EngineChoice.CUDA);
    ranks.near(ranks(graph, EngineChoice.CPU));
    List<String> notes = ranks.report.notes();
    check(notes.contains("edges stay on the GPU, where RAPIDS has them"), notes);
    check(notes.contains("a table of the result has columns that RAPIDS takes to the GPU"), notes);
    equal(
        what + ": components", here.connectedComponents().run(), there.connectedComponents().run());
    equal(what + ": hops", here.hops().source(first).run(), there.hops().source(first).run());
    equal(
        what + ": distances",
        here.distances().source(first).weight("weight").run(),
        there.distances().source(first).weight("weight").run());
    System.out.println(what + ": " + ranks.byVertex.size() + " vertices, " + ranks.report.reason());
  }

  /**
   * In the only executor of a cluster columns stay on its GPU, and over several RAPIDS sends them
   * to the executors that hold the graph, by default and where the device is asked for; over one of
   * several they go through the host, and over all where graphs take nothing of the pool: the same
   * graphs as of rows, for programs that follow edges forwards, both ways and with weights. Where a
   * folder of edges is given the ways are timed, in turns. What executors say of bytes that went to
   * their GPUs is printed last, from the folder of their logs.
   */
  private void executors() throws Exception {
    int executors = Integer.getInteger("executors", 2);
    Dataset<Row> edges = edges(3_000_000, 100_000);
    PropertyGraph graph = PropertyGraph.ofEdges(edges);
    Ranks expected = ranks(graph, RunOptions.DEFAULT.withEngine(EngineChoice.CPU));
    String copied = "edges are copied from the GPU to the host in columns: ";
    if (executors > 1) {
      spark.sparkContext().setLocalProperty(POOL_FRACTION, "0");
      Ranks found = ranks(graph, RunOptions.DEFAULT.withExecutors(executors));
      spark.sparkContext().setLocalProperty(POOL_FRACTION, null);
      found.near(expected);
      List<String> notes = found.report.notes();
      check(notes.contains(copied + POOL_FRACTION + " = 0.0"), notes);
    }
    for (int over = 1; over <= executors; over++) {
      RunOptions onGpus = RunOptions.DEFAULT.withEngine(EngineChoice.CUDA).withExecutors(over);
      String told =
          executors == 1
              ? "edges stay on the GPU, where RAPIDS has them"
              : over == 1
                  ? copied + "there are several executors, or may be"
                  : "edges stay on the GPUs: RAPIDS sends them to the executors that hold the graph";
      for (String rows : new String[] {"device", "auto"}) {
        spark.sparkContext().setLocalProperty(ROWS_ON, rows);
        Ranks found = ranks(graph, onGpus);
        found.near(expected);
        List<String> notes = found.report.notes();
        check(notes.contains(told), rows + ": " + notes);
        System.out.println("over " + over + ", " + rows + ": " + found.report.reason());
      }
      spark.sparkContext().setLocalProperty(ROWS_ON, null);
      sameOver("close", graph, onGpus);
      PropertyGraph farApart =
          PropertyGraph.ofEdges(
              edges.selectExpr(
                  "src * 1234567890123 - 77 as src", "dst * 1234567890123 - 77 as dst", "weight"));
      sameOver("far apart", farApart, onGpus);
    }
    resultsOver(graph, executors);
    if (System.getProperty("edges.folder") != null) {
      loadOver(executors);
    }
    tellUploads();
  }

  /** Programs that follow edges both ways, and with weights, against the CPU engine. */
  private static void sameOver(String what, PropertyGraph graph, RunOptions onGpus) {
    PropertyGraph there = graph.options(onGpus);
    PropertyGraph here = graph.options(RunOptions.DEFAULT.withEngine(EngineChoice.CPU));
    equal(
        what + ": components", here.connectedComponents().run(), there.connectedComponents().run());
    long first = here.connectedComponents().run().head().getLong(0);
    equal(what + ": hops", here.hops().source(first).run(), there.hops().source(first).run());
    equal(
        what + ": distances",
        here.distances().source(first).weight("weight").run(),
        there.distances().source(first).weight("weight").run());
    ranks(graph, onGpus).near(ranks(graph, EngineChoice.CPU));
  }

  /** What executors of a local cluster have logged of rows that were made of tables. */
  private static void tellUploads() throws Exception {
    String home = System.getenv().getOrDefault("SPARK_HOME", ".");
    Path logs = Path.of(System.getProperty("executors.logs", home + "/work"));
    if (!Files.isDirectory(logs)) {
      System.out.println("no logs of executors in " + logs.toAbsolutePath());
      return;
    }
    List<Path> files;
    try (Stream<Path> all = Files.walk(logs)) {
      files =
          all.filter(file -> file.endsWith("stderr") || file.endsWith("stdout")).sorted().toList();
    }
    for (Path file : files) {
      try (Stream<String> lines = Files.lines(file)) {
        lines
            .filter(
                line -> line.contains("bytes went there") || line.contains("go through the host"))
            .forEach(line -> System.out.println(file + ": " + line));
      }
    }
  }

  /** What executors give back goes to RAPIDS' operators as columns, without a row. */
  private static void resultsOver(PropertyGraph graph, int executors) {
    RunOptions onCores = RunOptions.DEFAULT.withEngine(EngineChoice.CPU);
    Dataset<Row> result =
        graph.options(onCores.withExecutors(executors)).pageRank().maxIter(ITERATIONS).run();
    Dataset<Row> query = grouped(result.filter("pagerank >= 0"), "pagerank");
    // The same rows of the driver's, which RAPIDS never has as columns of ours.
    Dataset<Row> rows =
        result.sparkSession().createDataFrame(result.collectAsList(), result.schema());
    equal("ranks over " + executors, grouped(rows, "pagerank"), query);
    // A plan that adapts is known when it has run.
    String plan = plan(query);
    check(plan.contains("vertex values") && plan.contains("HostColumnarToGpu"), plan);
    check(!plan.contains("RowToColumnar"), plan);
    System.out.println("results over " + executors + ":\n" + plan);
  }

  private void loadOver(int executors) throws Exception {
    Dataset<Row> edges = spark.read().parquet(rmat() + "/edges");
    long count = edges.count();
    RunOptions options = RunOptions.DEFAULT.withExecutors(executors);
    for (int round = 0; round < 3; round++) {
      for (String way : new String[] {"columns that stay", "columns that are copied", "rows"}) {
        spark.sparkContext().setLocalProperty(ROWS_ON, way.equals("rows") ? "host" : "auto");
        // Without a part of the pool they cannot stay, in a single executor or in several.
        spark
            .sparkContext()
            .setLocalProperty(POOL_FRACTION, way.equals("columns that are copied") ? "0" : null);
        long start = System.nanoTime();
        try (PropertyGraph held = PropertyGraph.ofEdges(edges).options(options).persistOnDevice()) {
          double seconds = (System.nanoTime() - start) / 1e9;
          System.out.printf(
              "round %d, as %s: %d edges over %d executors in %.2f s, %.1f M/s%n",
              round, way, count, executors, seconds, count / seconds / 1e6);
        }
      }
    }
  }

  private static void equal(String what, Dataset<Row> one, Dataset<Row> other) {
    Map<Object, Object> values = new HashMap<>();
    one.collectAsList().forEach(row -> values.put(row.get(0), row.get(1)));
    for (Row row : other.collectAsList()) {
      Object value = values.remove(row.get(0));
      check(java.util.Objects.equals(value, row.get(1)), what + ": " + row + ", not " + value);
    }
    check(values.isEmpty(), what + ": " + values.size() + " vertices are missing");
  }

  /** Results are columns on the GPU, without a row, for the operators behind the run. */
  private void results() {
    Dataset<Row> edges = edges(3_000_000, 100_000);
    Dataset<Row> farApart =
        edges.selectExpr("src * 1234567890123 - 77 as src", "dst * 1234567890123 - 77 as dst");
    for (Dataset<Row> table :
        List.of(edges, edges.selectExpr("src % 5000 as src", "dst % 5000 as dst"), farApart)) {
      Map<String, Dataset<Row>> columns = read(table, "auto");
      Map<String, Dataset<Row>> rows = read(table, "host");
      columns.forEach(
          (column, result) -> {
            Dataset<Row> query = result.filter(column + " >= 0");
            String plan = plan(query);
            check(!plan.contains("RowToColumnar") && !plan.contains("ExistingRDD"), plan);
            String stored = plan(rows.get(column).filter(column + " >= 0"));
            check(stored.contains("vertex values") && !stored.contains("RowToColumnar"), stored);
            equal(column, rows.get(column).filter(column + " >= 0"), query);
            equal(column + ", grouped", grouped(rows.get(column), column), grouped(result, column));
            equal(column + ", none", rows.get(column).filter("id = -1"), result.filter("id = -1"));
            System.out.println(column + ": " + query.count() + " rows of\n" + plan);
          });
    }
  }

  private static Dataset<Row> grouped(Dataset<Row> result, String column) {
    return result
        .join(result.filter("id % 2 = 0").select("id"), "id")
        .groupBy(functions.expr("id % 10"))
        .agg(functions.max(column), functions.count("id"));
  }

  private Map<String, Dataset<Row>> read(Dataset<Row> edges, String rows) {
    spark.sparkContext().setLocalProperty(ROWS_ON, rows);
    PropertyGraph graph =
        PropertyGraph.ofEdges(edges).options(RunOptions.DEFAULT.withEngine(EngineChoice.CPU));
    Object first = edges.agg(functions.min("src")).head().get(0);
    Map<String, Dataset<Row>> results =
        Map.of(
            "pagerank", graph.pageRank().maxIter(ITERATIONS).run(),
            "component", graph.connectedComponents().run(),
            "hub", graph.hits().maxIter(2).run(),
            "hops", graph.hops().source(first).run());
    spark.sparkContext().setLocalProperty(ROWS_ON, null);
    return results;
  }

  private static String plan(Dataset<Row> query) {
    return InternalRows.queryExecution(query).executedPlan().toString();
  }

  private static final String ROWS_ON = "spark.gpugraph.gpu.buildRows";

  private static final int SCALE = Integer.getInteger("scale", 24);

  /** Ends of a generated graph's edges as a column, a slice at a time. */
  private record Ends(boolean ofSources) implements ColumnFunction {
    private static final int SLICES = 64;
    private static final Map<Integer, long[][]> MADE = new ConcurrentHashMap<>();

    static Column column(boolean ofSources) {
      try {
        UDF1<?, ?> ends = GpuFunction.of(UDF1.class, new Ends(ofSources));
        return functions
            .udf(ends, DataTypes.LongType)
            .asNonNullable()
            .apply(functions.col("id").cast("int"))
            .as(ofSources ? "src" : "dst");
      } catch (ReflectiveOperationException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public Object at(int position) {
      throw new UnsupportedOperationException("a row");
    }

    /** Sources are asked for first, then the destinations of the same edges. */
    @Override
    public Object range(int first, int count) {
      int each = (int) ((16L << SCALE) / SLICES);
      check(first % each == 0 && count == each, first + ", " + count);
      int slice = first / each;
      return ofSources ? MADE.computeIfAbsent(slice, Ends::made)[0] : MADE.remove(slice)[1];
    }

    private static long[][] made(int slice) {
      int each = (int) ((16L << SCALE) / SLICES);
      long[][] ends = new long[2][each];
      int at = 0;
      Iterator<EdgeBlock> blocks = new RmatGraph(SCALE, 16, 1).slice(slice, SLICES, false, false);
      while (blocks.hasNext()) {
        EdgeBlock block = blocks.next();
        for (int i = 0; i < block.size(); i++, at++) {
          ends[0][at] = block.source(i);
          ends[1][at] = block.destination(i);
        }
      }
      check(at == each, at);
      return ends;
    }

    @Override
    public Object gather(int[] positions) {
      throw new UnsupportedOperationException("other rows");
    }
  }

  /**
   * An R-MAT graph (Graph500's, 16 edges a vertex) as Parquet, which RAPIDS writes: once for all
   * scenarios where a folder is given.
   */
  private String rmat() throws Exception {
    String given = System.getProperty("edges.folder");
    Path folder =
        given == null ? Files.createTempDirectory("rapids-rmat") : Path.of(given).toAbsolutePath();
    if (!Files.exists(folder.resolve("names").resolve("_SUCCESS"))) {
      long start = System.nanoTime();
      spark
          .range(0, 16L << SCALE, 1, Ends.SLICES)
          .select(Ends.column(true), Ends.column(false))
          .write()
          .mode("overwrite")
          .parquet(folder.resolve("edges").toString());
      System.out.printf("edges written in %.1f s%n", (System.nanoTime() - start) / 1e9);
      spark
          .range(1L << SCALE)
          .selectExpr("id", "pmod(id, 1000) as class")
          .write()
          .mode("overwrite")
          .parquet(folder.resolve("names").toString());
    }
    return folder.toString();
  }

  /**
   * From Parquet to a graph on the GPU; the time of "rows of … edges in … tables" is that from
   * columns on. The first rounds warm up.
   */
  private void speed() throws Exception {
    Dataset<Row> edges = spark.read().parquet(rmat() + "/edges");
    long count = edges.count();
    RunOptions onGpu = RunOptions.DEFAULT.withEngine(EngineChoice.CUDA);
    for (int round = 0; round < 5; round++) {
      PhaseTimes.start();
      long start = System.nanoTime();
      try (PropertyGraph held = PropertyGraph.ofEdges(edges).options(onGpu).persistOnDevice()) {
        double seconds = (System.nanoTime() - start) / 1e9;
        System.out.printf(
            "round %d: %d edges loaded in %.3f s, %.0f M/s%n",
            round, count, seconds, count / seconds / 1e6);
      }
      PhaseTimes.stop().stream()
          .filter(phase -> phase.nanos() > 1_000_000)
          .forEach(phase -> System.out.printf("  %.3f s %s%n", phase.nanos() / 1e9, phase.name()));
    }
  }

  /**
   * Parquet, a filter, PageRank, a join and an aggregate, Parquet: with columns that stay on the
   * GPU, and with host rows before the program, in turns.
   */
  private void pipeline() throws Exception {
    String in = rmat();
    Path folder = Files.createTempDirectory("rapids-pipeline");
    int rounds = Integer.getInteger("rounds", 3);
    for (int round = 0; round < rounds; round++) {
      for (String rows : new String[] {"device", "host"}) {
        spark.sparkContext().setLocalProperty(ROWS_ON, rows);
        PhaseTimes.start();
        long start = System.nanoTime();
        Dataset<Row> edges = spark.read().parquet(in + "/edges").filter("src != dst");
        Dataset<Row> ranks =
            PropertyGraph.ofEdges(edges)
                .options(RunOptions.DEFAULT.withEngine(EngineChoice.CUDA))
                .pageRank()
                .maxIter(ITERATIONS)
                .run();
        long ranked = System.nanoTime();
        String out = folder.resolve(rows + round).toString();
        ranks
            .join(spark.read().parquet(in + "/names"), "id")
            .groupBy("class")
            .agg(functions.sum("pagerank").as("rank"))
            .write()
            .parquet(out);
        long end = System.nanoTime();
        double sum = spark.read().parquet(out).agg(functions.sum("rank")).head().getDouble(0);
        System.out.printf(
            "round %d, rows on the %s: to ranks %.2f s, to Parquet %.2f s, sum %.3f%n",
            round, rows, (ranked - start) / 1e9, (end - start) / 1e9, sum);
        PhaseTimes.stop().stream()
            .filter(phase -> phase.nanos() > 20_000_000)
            .forEach(
                phase -> System.out.printf("  %.3f s %s%n", phase.nanos() / 1e9, phase.name()));
      }
    }
  }

  /** Queries and runs at once. */
  private void together() throws Exception {
    Dataset<Row> edges = edges(3_000_000, 100_000);
    Ranks expected = ranks(PropertyGraph.ofEdges(edges), EngineChoice.CPU);
    long sum = edges.agg(functions.sum("dst")).head().getLong(0);
    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Integer> queries =
        CompletableFuture.supplyAsync(
            () -> {
              int count = 0;
              while (!ended.get()) {
                long found =
                    edges
                        .groupBy("src")
                        .agg(functions.sum("dst").as("sum"))
                        .agg(functions.sum("sum"))
                        .head()
                        .getLong(0);
                check(found == sum, found + ", not " + sum);
                count++;
              }
              return count;
            });
    for (int i = 0; i < 5; i++) {
      ranks(PropertyGraph.ofEdges(edges), EngineChoice.CUDA).near(expected);
    }
    ended.set(true);
    System.out.println(queries.get() + " queries meanwhile");
  }
}
