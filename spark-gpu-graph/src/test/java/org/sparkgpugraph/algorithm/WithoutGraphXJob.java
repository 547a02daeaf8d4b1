package org.sparkgpugraph.algorithm;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.files.EdgeLoader;
import org.sparkgpugraph.files.VertexWriter;
import org.sparkgpugraph.frame.Pregel;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.function.AggregateOperation;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;

/**
 * What does without GraphX, in a JVM of its own that may lack GraphX's jar: every algorithm on
 * DataFrames, and some on resident graphs. Prints a line for each result; run by {@link
 * WithoutGraphXTest}.
 */
final class WithoutGraphXJob {
  private static final int VERTICES = 40;

  private WithoutGraphXJob() {}

  /**
   * @param args a folder that does not exist
   */
  public static void main(String[] args) {
    System.out.println(
        "GraphX is " + (isThere("org.apache.spark.graphx.Graph") ? "" : "not ") + "here");
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("without GraphX")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.shuffle.partitions", "3")
            .config("spark.plugins", "org.sparkgpugraph.GpuGraphPlugin")
            .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .config("spark.kryo.registrator", "org.sparkgpugraph.GpuGraphKryoRegistrator")
            .config("spark.gpugraph.engine", "cpu")
            .config("spark.sql.extensions", "org.sparkgpugraph.frame.GraphExtensions")
            .getOrCreate();
    try (JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext())) {
      Dataset<Row> edges = edges(spark);
      frames(spark, edges);
      expressions(spark, edges);
      JavaRDD<EdgeBlock> blocks = EdgeLoader.fromDataset(edges, "src", "dst", "weight");
      for (int executors : new int[] {1, 2}) {
        RunOptions options = RunOptions.DEFAULT.withExecutors(executors);
        try (ResidentGraph<Object, Double> graph =
            ResidentGraph.load(blocks, isolated(context), Double.class, options)) {
          resident(spark, graph, " on " + executors, new File(args[0], "of-" + executors));
        }
      }
      refusals(blocks);
    }
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static Dataset<Row> edges(SparkSession spark) {
    Random random = new Random(11);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 3 * VERTICES; i++) {
      rows.add(
          RowFactory.create(
              (long) random.nextInt(VERTICES - 4), (long) random.nextInt(VERTICES - 4), i / 8.0));
    }
    return spark.createDataFrame(
        rows,
        new StructType()
            .add("src", DataTypes.LongType)
            .add("dst", DataTypes.LongType)
            .add("weight", DataTypes.DoubleType));
  }

  private static JavaRDD<VertexBlock> isolated(JavaSparkContext context) {
    return context
        .parallelize(List.of(1), 1)
        .map(one -> new VertexBlock(LongStream.range(0, VERTICES).toArray(), null));
  }

  // ---- DataFrames -----------------------------------------------------------------------------

  private static void frames(SparkSession spark, Dataset<Row> edges) {
    Dataset<Row> vertices = spark.range(VERTICES).toDF("id");
    try (PropertyGraph graph = PropertyGraph.of(vertices, edges).persistOnDevice("weight")) {
      print("connectedComponents", graph.connectedComponents().run());
      print("stronglyConnectedComponents", graph.stronglyConnectedComponents().run());
      print("pageRank", graph.pageRank().maxIter(5).run());
      print("pageRank until convergence", graph.pageRank().tol(0.01).sourceId(2).run());
      print("weighted pageRank", graph.pageRank().weight("weight").maxIter(3).run());
      print("labelPropagation", graph.labelPropagation().maxIter(3).run());
      print("louvain", graph.louvain().run());
      print("shortestPaths", graph.shortestPaths().landmarks(1, 7).run());
      print("hops", graph.hops().source(3).run());
      print("distances", graph.distances().source(3).weight("weight").run());
      print("triangleCount", graph.triangleCount().run());
      print("clusteringCoefficient", graph.clusteringCoefficient().run());
      print("hits", graph.hits().maxIter(4).run());
      print("betweenness", graph.betweenness().sources(1, 2, 3).run());
      print("independentSet", graph.independentSet().seed(5).run());
      print("maximalMatching", graph.maximalMatching().seed(5).run());
      print("graphColouring", graph.graphColouring().seed(5).run());
      print("minimumSpanningForest", graph.minimumSpanningForest().weight("weight").run());
      print("katz", graph.katz().alpha(0.05).tol(1e-3).maxIter(9).run());
      print("widestPaths", graph.widestPaths().source(3).weight("weight").run());
      print("multiSourceBfs", graph.multiSourceBfs().sources(1, 2).run());
      print(
          "parallelPersonalizedPageRank",
          graph.parallelPersonalizedPageRank().sourceIds(1, 2).maxIter(3).run());
      print("degrees", graph.degrees());
    }
    Dataset<Row> back =
        edges.select(functions.col("dst").as("src"), functions.col("src").as("dst"));
    Dataset<Row> both = edges.select("src", "dst").union(back);
    print("coreness", PropertyGraph.ofEdges(both).coreness().run());
    Dataset<Row> ratings =
        edges.select(
            functions.col("src"),
            functions.col("dst").plus(functions.lit(1000)).as("dst"),
            functions.col("weight"));
    print(
        "svdPlusPlus",
        PropertyGraph.ofEdges(ratings)
            .svdPlusPlus()
            .weight("weight")
            .rank(2)
            .maxIter(2)
            .minValue(0)
            .maxValue(20)
            .seed(5)
            .run());
    print("kCore", PropertyGraph.ofEdges(both).kCore().k(2).run());
    Dataset<Row> teams =
        vertices.withColumn("team", functions.col("id").mod(functions.lit(3)).cast("bigint"));
    System.out.println(
        "result of modularity: " + PropertyGraph.of(teams, edges).modularity("team"));
    Dataset<Row> names =
        edges.select(
            functions.concat(functions.lit("n"), functions.col("src")).as("src"),
            functions.concat(functions.lit("n"), functions.col("dst")).as("dst"));
    print("names", PropertyGraph.ofEdges(names).triangleCount().run());
  }

  /**
   * SQL, and programs in column expressions: on engines and, where they say so, on Spark's joins.
   */
  private static void expressions(SparkSession spark, Dataset<Row> edges) {
    edges.createOrReplaceTempView("edges");
    print("page_rank", spark.sql("select * from page_rank('edges', tol => 0.001)"));
    PropertyGraph graph = PropertyGraph.ofEdges(edges);
    for (EngineChoice engine : new EngineChoice[] {EngineChoice.CPU, EngineChoice.GRAPHX}) {
      print(
          "smallest weight " + engine,
          graph
              .options(RunOptions.DEFAULT.withEngine(engine))
              .pregel()
              .withVertexColumn(
                  "least",
                  functions.lit(1000.0),
                  functions.least(functions.col("least"), Pregel.msg()))
              .sendMessageToDst(functions.least(Pregel.src("least"), Pregel.edge("weight")))
              .aggregateMessages(functions.min(Pregel.msg()))
              .setMaxIterations(4)
              .run());
    }
  }

  private static void print(String name, Dataset<Row> table) {
    List<String> rows = new ArrayList<>(table.collectAsList().stream().map(Row::toString).toList());
    Collections.sort(rows);
    System.out.println("result of " + name + ": " + rows);
  }

  // ---- resident graphs ------------------------------------------------------------------------

  private static void resident(
      SparkSession spark, ResidentGraph<Object, Double> graph, String how, File folder) {
    RunOptions options = RunOptions.DEFAULT;
    print("Katz" + how, () -> Katz.run(graph, 0.01, 1.0, 1e-9, 100, options));
    print("Sssp" + how, () -> Sssp.run(graph, 3, options));
    print("WidestPaths" + how, () -> WidestPaths.run(graph, 3, options));
    print("MultiSourceBfs" + how, () -> MultiSourceBfs.run(graph, new long[] {1, 2}, options));
    print("personal ranks" + how, () -> PageRank.run(graph, 3, 0.15, OptionalLong.of(2), options));
    print(
        "ranks of several sources" + how,
        () -> PageRank.runParallelPersonalizedPageRank(graph, 3, 0.15, new long[] {1, 2}, options));
    print("forest" + how, () -> MinimumSpanningForest.run(graph, options));
    print("matching" + how, () -> MaximalMatching.run(graph, 4, options));
    print("colours" + how, () -> GraphColouring.run(graph, 4, options));
    print("lcc" + how, () -> Graphalytics.lcc(graph, options));
    print("program of labels" + how, () -> ConnectedComponents.runProgram(graph, 20, options));
    print("strengths" + how, () -> strengths(graph));
    System.out.println(
        "result of modularity"
            + how
            + ": "
            + modularity(graph, Louvain.run(graph, Louvain.Conf.DEFAULT, options)));
    System.out.println(
        "result of explain"
            + how
            + ": "
            + PageRank.explain(graph, 3, 0.15, options).lines().count());
    try (VertexResult<Double> result = PageRank.run(graph, 3, 0.15, options)) {
      write(spark, result, folder.toString());
    }
    System.out.println(
        "result of writing"
            + how
            + ": "
            + Arrays.stream(folder.list()).anyMatch("_SUCCESS"::equals));
  }

  private static void write(SparkSession spark, VertexResult<Double> result, String folder) {
    try (VertexWriter writer =
        new VertexWriter(spark, folder, VertexWriter.Format.CSV, List.of("rank"))) {
      writer.write(result.type().columns(), result.blocks());
    }
  }

  private static VertexResult<Double> strengths(ResidentGraph<Object, Double> graph) {
    return ProgramBuilder.on(graph)
        .state((id, attribute, inDegree, outDegree) -> 0.0)
        .everyVertex(0.0)
        .maxIterations(2)
        .vertexProgram((id, before, sum, run) -> sum + run.aggregate("most"))
        .sendMessage(
            edge -> {
              if (edge.srcId() != edge.dstId()) {
                edge.sendToDst(edge.attr());
                edge.sendToSrc(edge.attr() / 2);
              }
            })
        .mergeMessage(Double::sum)
        .aggregate("most", AggregateOperation.MAX, (id, before, after) -> after)
        .runVertices();
  }

  private static double modularity(
      ResidentGraph<Object, Double> graph, VertexResult<Long> communities) {
    try (communities;
        ResidentGraph<Long, Double> named = graph.withVertices(communities, Long.class)) {
      return Modularity.of(named, 1, RunOptions.DEFAULT);
    }
  }

  private static <R> void print(String name, Supplier<VertexResult<R>> run) {
    try (VertexResult<R> result = run.get()) {
      Map<Long, Object> values = new TreeMap<>();
      result.collectAsMap().forEach((id, value) -> values.put(id, printable(value)));
      System.out.println("result of " + name + ": " + values);
    }
  }

  /** An array's elements, which its own text does not show. */
  private static Object printable(Object value) {
    return value instanceof double[] elements ? Arrays.toString(elements) : value;
  }

  // ---- what would be for stock GraphX ----------------------------------------------------------

  private static void refusals(JavaRDD<EdgeBlock> blocks) {
    try (ResidentGraph<Object, Double> graph =
        ResidentGraph.load(blocks, Double.class, RunOptions.DEFAULT)) {
      refused("what cannot be lifted", NotLiftableException.class, () -> printing(graph));
      refused(
          "stock GraphX",
          IllegalArgumentException.class,
          () -> PageRank.run(graph, 3, 0.15, RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX)));
    }
  }

  private static VertexResult<Long> printing(ResidentGraph<Object, Double> graph) {
    return ProgramBuilder.on(graph)
        .state((id, attribute, inDegree, outDegree) -> id)
        .initialMessage(0L)
        .vertexProgram((id, value, message) -> value + System.getenv().size())
        .sendMessage(edge -> edge.sendToDst(1L))
        .mergeMessage(Long::sum)
        .maxIterations(2)
        .runVertices();
  }

  private static void refused(
      String what, Class<? extends RuntimeException> type, Supplier<VertexResult<?>> run) {
    try {
      run.get().close();
      throw new AssertionError(what + " was not refused");
    } catch (RuntimeException e) {
      if (!type.isInstance(e)) {
        throw e;
      }
      System.out.println(
          "result of asking for " + what + ": " + e.getMessage().lines().findFirst().get());
    }
  }
}
