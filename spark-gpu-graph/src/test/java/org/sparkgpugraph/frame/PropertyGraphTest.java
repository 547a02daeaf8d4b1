package org.sparkgpugraph.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.files.EdgeLoader;
import org.sparkgpugraph.frame.table.EdgeValues;
import org.sparkgpugraph.frame.table.VertexKeys;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.lib.Bfs;
import org.sparkgpugraph.lib.MaximalIndependentSet;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.lib.WeightedPageRank;
import org.sparkgpugraph.run.GraphEstimate;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.SharedSpark;

/** Graphs of tables: ids of every type, what is refused, and what algorithms give. */
class PropertyGraphTest {
  private static final long SEED = 17;
  private static final int VERTICES = 60;

  private static SparkSession spark() {
    SharedSpark.context();
    return SparkSession.builder().getOrCreate();
  }

  private static Dataset<Row> table(String sql) {
    return spark().sql(sql);
  }

  /** Some edges between the numbers from 0; many vertices have none. */
  private static Dataset<Row> numbers() {
    Random random = new Random(SEED);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 70; i++) {
      rows.add(
          RowFactory.create(
              (long) random.nextInt(VERTICES - 10), (long) random.nextInt(VERTICES - 10), i / 7.0));
    }
    return spark()
        .createDataFrame(
            rows,
            new StructType()
                .add("src", DataTypes.LongType)
                .add("dst", DataTypes.LongType)
                .add("weight", DataTypes.DoubleType));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bigint", "string", "struct"})
  void anEstimateCountsTheTables(String type) {
    Dataset<Row> edges =
        numbers()
            .select(
                as(type, functions.col("src")).as("src"), as(type, functions.col("dst")).as("dst"));
    long ends = edges.select("src").union(edges.select("dst")).distinct().count();
    GraphEstimate estimate = PropertyGraph.ofEdges(edges).estimate();
    assertThat(estimate.edges()).isEqualTo(70);
    assertThat((double) estimate.vertices()).isCloseTo(ends, within(2.0));
    assertThat(estimate.fits()).isTrue();
    assertThat(estimate.heapBytes()).isPositive();
    Dataset<Row> ids = spark().range(500).select(as(type, functions.col("id")).as("id"));
    PropertyGraph listed = PropertyGraph.of(ids, edges);
    assertThat(listed.estimate().vertices()).isEqualTo(500);
    assertThat(listed.missing(Missing.ADD).estimate().vertices()).isEqualTo(500);
  }

  private static Column as(String type, Column number) {
    return switch (type) {
      case "bigint" -> number;
      case "int" -> number.cast("int");
      case "string" -> functions.concat(functions.lit("vertex "), number);
      case "decimal" -> number.cast("decimal(20,3)");
      case "uuid" -> functions.unhex(functions.md5(number.cast("string")));
      case "struct" -> functions.struct(number.mod(7).as("a"), number.cast("string").as("b"));
      default -> throw new IllegalArgumentException(type);
    };
  }

  private static PropertyGraph graph(String type) {
    Dataset<Row> vertices =
        spark()
            .range(VERTICES)
            .select(
                as(type, functions.col("id")).as("id"),
                functions.col("id").as("number"),
                functions.concat(functions.lit("n"), functions.col("id")).as("name"));
    Dataset<Row> edges =
        numbers()
            .select(
                as(type, functions.col("src")).as("src"),
                functions.col("weight"),
                as(type, functions.col("dst")).as("dst"));
    return PropertyGraph.of(vertices, edges);
  }

  /** A result by the number of the vertex. */
  private static Map<Long, Object> byNumber(Dataset<Row> result, String column) {
    Map<Long, Object> values = new TreeMap<>();
    for (Row row : result.select("number", "name", column).collectAsList()) {
      assertThat(row.getString(1)).isEqualTo("n" + row.getLong(0));
      Object value = row.get(2) instanceof scala.collection.Map ? row.getJavaMap(2) : row.get(2);
      assertThat(values.put(row.getLong(0), value)).isNull();
    }
    assertThat(values).hasSize(VERTICES);
    return values;
  }

  /** What the library gives for the same graph with numbers as ids. */
  private static <R> Map<Long, Object> library(
      Function<ResidentGraph<?, ?>, VertexResult<R>> algorithm) {
    return weighted(algorithm::apply);
  }

  private static <R> Map<Long, Object> weighted(
      Function<ResidentGraph<?, Double>, VertexResult<R>> algorithm) {
    try (ResidentGraph<Object, Double> graph =
            GpuPregel.load(
                EdgeLoader.fromDataset(numbers(), "src", "dst", "weight"),
                SharedSpark.context()
                    .parallelize(List.of(1), 1)
                    .map(one -> new VertexBlock(LongStream.range(0, VERTICES).toArray(), null)),
                Double.class,
                RunOptions.DEFAULT);
        VertexResult<R> result = algorithm.apply(graph)) {
      return new TreeMap<>(result.collectAsMap());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"bigint", "int", "string", "decimal", "uuid", "struct"})
  void idsOfEveryType(String type) {
    PropertyGraph graph = graph(type);
    Map<Long, Object> expected =
        library(
            on ->
                org.sparkgpugraph.lib.ConnectedComponents.run(
                    on, Integer.MAX_VALUE, RunOptions.DEFAULT));
    Map<Long, Object> found = byNumber(graph.connectedComponents().run(), "component");
    if (type.equals("bigint") || type.equals("int")) {
      assertThat(found).isEqualTo(expected);
    } else {
      // Names of components are any, but one for each.
      Map<Object, Object> names = new TreeMap<>();
      found.forEach(
          (vertex, name) ->
              assertThat(names.computeIfAbsent(name, any -> expected.get(vertex)))
                  .isEqualTo(expected.get(vertex)));
      assertThat(names.values()).doesNotHaveDuplicates();
    }
    Map<Long, Object> ranks =
        library(on -> org.sparkgpugraph.lib.PageRank.run(on, 5, 0.15, RunOptions.DEFAULT));
    byNumber(graph.pageRank().maxIter(5).run(), "pagerank")
        .forEach(
            (vertex, rank) ->
                assertThat((double) rank).isCloseTo((double) ranks.get(vertex), within(1e-12)));
  }

  @Test
  void graphsAreSpreadOverExecutors() {
    assertThat(
            byNumber(
                graph("string")
                    .options(RunOptions.DEFAULT.withExecutors(3))
                    .pageRank()
                    .maxIter(3)
                    .run(),
                "pagerank"))
        .hasSize(VERTICES);
  }

  @Test
  @Tag("any-spark-4")
  void algorithmsGiveWhatTheLibraryGives() {
    try (PropertyGraph graph = graph("string").persistOnDevice()) {
      assertThat(byNumber(graph.triangleCount().run(), "count"))
          .isEqualTo(
              longs(
                  library(on -> org.sparkgpugraph.lib.TriangleCount.run(on, RunOptions.DEFAULT))));
      Map<Long, Object> ranks =
          library(
              on ->
                  org.sparkgpugraph.lib.PageRank.runUntilConvergence(
                      on, 0.001, 0.3, RunOptions.DEFAULT));
      byNumber(graph.pageRank().tol(0.001).resetProbability(0.3).run(), "pagerank")
          .forEach(
              (vertex, rank) ->
                  assertThat((double) rank).isCloseTo((double) ranks.get(vertex), within(1e-9)));
      sameClasses(
          byNumber(graph.stronglyConnectedComponents().run(), "component"),
          library(
              on ->
                  org.sparkgpugraph.lib.StronglyConnectedComponents.run(
                      on, Integer.MAX_VALUE, RunOptions.DEFAULT)));
    }
    assertThat(byNumber(graph("bigint").labelPropagation().maxIter(3).run(), "label"))
        .isEqualTo(
            library(on -> org.sparkgpugraph.lib.LabelPropagation.run(on, 3, RunOptions.DEFAULT)));
  }

  /** With numbers as ids, so that every value is the library's. */
  @Test
  @Tag("any-spark-4")
  void everyOtherAlgorithmGivesWhatTheLibraryGives() {
    RunOptions how = RunOptions.DEFAULT;
    try (PropertyGraph graph = graph("bigint").persistOnDevice("weight")) {
      Map<Long, Object> hops = library(on -> Bfs.run(on, 3, how));
      hops.replaceAll((vertex, far) -> far.equals(-1) ? null : far);
      assertThat(hops).containsValue(null);
      assertThat(byNumber(graph.hops().source(3).run(), "hops")).isEqualTo(hops);
      Map<Long, Object> lengths = weighted(on -> Sssp.run(on, 3, how));
      lengths.replaceAll((vertex, far) -> far.equals(Double.POSITIVE_INFINITY) ? null : far);
      assertThat(lengths).containsValue(null).doesNotContainValue(Double.NaN);
      assertThat(byNumber(graph.distances().source(3).weight("weight").run(), "distance"))
          .isEqualTo(lengths);
      assertThat(byNumber(graph.clusteringCoefficient().run(), "coefficient"))
          .isEqualTo(library(on -> org.sparkgpugraph.lib.ClusteringCoefficient.run(on, how)));
      assertThat(byNumber(graph.independentSet().seed(5).run(), "member"))
          .isEqualTo(library(on -> MaximalIndependentSet.run(on, 5, how)));
      assertThat(byNumber(graph.louvain().run(), "community"))
          .isEqualTo(
              library(
                  on ->
                      org.sparkgpugraph.lib.Louvain.run(
                          on, org.sparkgpugraph.lib.Louvain.Conf.DEFAULT, how)));
      assertThat(byNumber(graph.betweenness().sources(1, 2, 3).run(), "betweenness"))
          .isEqualTo(
              library(on -> org.sparkgpugraph.lib.Betweenness.run(on, new long[] {1, 2, 3}, how)));
      Dataset<Row> hits = graph.hits().maxIter(4).run();
      Map<Long, Object> scores = library(on -> org.sparkgpugraph.lib.Hits.run(on, 4, how));
      Map<Long, Object> hubs = byNumber(hits, "hub");
      byNumber(hits, "authority")
          .forEach(
              (vertex, authority) ->
                  assertThat(
                          new org.sparkgpugraph.lib.Hits.Scores(
                              (double) authority, (double) hubs.get(vertex)))
                      .isEqualTo(scores.get(vertex)));
      assertThat(
              byNumber(graph.pageRank().weight("weight").maxIter(3).sourceId(2).run(), "pagerank"))
          .isEqualTo(weighted(on -> WeightedPageRank.run(on, 3, 0.15, OptionalLong.of(2), how)));
      assertThat(byNumber(graph.pageRank().maxIter(3).sourceId(2).run(), "pagerank"))
          .isEqualTo(
              library(
                  on -> org.sparkgpugraph.lib.PageRank.run(on, 3, 0.15, OptionalLong.of(2), how)));
      assertThat(byNumber(graph.pageRank().tol(0.01).sourceId(2).run(), "pagerank"))
          .isEqualTo(
              library(
                  on ->
                      org.sparkgpugraph.lib.PageRank.runUntilConvergence(
                          on, 0.01, 0.15, OptionalLong.of(2), how)));
    }
    Dataset<Row> both =
        table(
            "select * from values (1, 2), (2, 1), (2, 3), (3, 2), (3, 1), (1, 3),"
                + " (3, 4), (4, 3) as t(src, dst)");
    assertThat(rows(PropertyGraph.ofEdges(both).coreness().run()))
        .containsExactlyInAnyOrder("[1,2]", "[2,2]", "[3,2]", "[4,1]");
  }

  @Test
  @Tag("any-spark-4")
  void algorithmsThatGraphFramesLacksGiveWhatTheLibraryGives() {
    RunOptions how = RunOptions.DEFAULT;
    try (PropertyGraph graph = graph("bigint").persistOnDevice("weight")) {
      assertThat(byNumber(graph.katz().alpha(0.05).beta(2).tol(1e-3).maxIter(9).run(), "katz"))
          .isEqualTo(
              library(on -> org.sparkgpugraph.algorithm.Katz.run(on, 0.05, 2, 1e-3, 9, how)));
      Map<Long, Object> widths =
          weighted(on -> org.sparkgpugraph.algorithm.WidestPaths.run(on, 3, how));
      widths.replaceAll((vertex, width) -> width.equals(0.0) ? null : width);
      assertThat(widths).containsValue(null).containsEntry(3L, Double.POSITIVE_INFINITY);
      assertThat(byNumber(graph.widestPaths().source(3).weight("weight").run(), "width"))
          .isEqualTo(widths);
      Map<Long, Object> reached =
          library(
              on -> org.sparkgpugraph.algorithm.MultiSourceBfs.run(on, new long[] {1, 2, 3}, how));
      Dataset<Row> searches = graph.multiSourceBfs().sources(1, 2, 3).run();
      Map<Long, Object> hops = byNumber(searches, "totalHops");
      byNumber(searches, "reachedBy")
          .forEach(
              (vertex, count) -> {
                var expected =
                    (org.sparkgpugraph.algorithm.MultiSourceBfs.Reached) reached.get(vertex);
                assertThat(count).isEqualTo(expected.count());
                assertThat(hops.get(vertex)).isEqualTo(expected.distances());
              });
      assertThat(hops).containsValue(0L).hasSizeGreaterThan(1);
    }
  }

  @Test
  @Tag("any-spark-4")
  void ranksForManySources() {
    Object[] names = new Object[11];
    long[] numbers = new long[11];
    for (int i = 0; i < names.length; i++) {
      names[i] = "vertex " + 3 * i;
      numbers[i] = 3L * i;
    }
    try (PropertyGraph graph = graph("string").persistOnDevice()) {
      Map<Long, Object> found = new TreeMap<>();
      for (Row row :
          graph
              .parallelPersonalizedPageRank()
              .sourceIds(names)
              .maxIter(4)
              .resetProbability(0.3)
              .run()
              .select("number", "pageranks")
              .collectAsList()) {
        found.put(row.getLong(0), row.getList(1));
      }
      Map<Long, Object> expected =
          library(
              on ->
                  org.sparkgpugraph.algorithm.PageRank.runParallelPersonalizedPageRank(
                      on, 4, 0.3, numbers, RunOptions.DEFAULT));
      assertThat(found).hasSize(VERTICES);
      found.forEach(
          (vertex, ranks) -> {
            assertThat((List<?>) ranks).hasSize(11);
            for (int i = 0; i < 11; i++) {
              assertThat((double) ((List<?>) ranks).get(i))
                  .isCloseTo(((double[]) expected.get(vertex))[i], within(1e-9));
            }
          });
    }
  }

  @Test
  @Tag("any-spark-4")
  void ranksForMoreSourcesThanOneRunTakes() {
    Dataset<Row> edges = table("select id as src, (id * 7 + 1) % 80 as dst from range(80)");
    Object[] sources = LongStream.range(5, 75).boxed().toArray();
    PropertyGraph graph = PropertyGraph.ofEdges(edges);
    List<Row> all =
        graph.parallelPersonalizedPageRank().sourceIds(sources).maxIter(3).run().collectAsList();
    assertThat(all).hasSize(80);
    Map<Long, Object> single = new TreeMap<>();
    for (Row row :
        graph.parallelPersonalizedPageRank().sourceIds(72L).maxIter(3).run().collectAsList()) {
      single.put(row.getLong(0), row.getList(1).get(0));
    }
    for (Row row : all) {
      assertThat(row.getList(1)).hasSize(70);
      assertThat(row.getList(1).get(67)).isEqualTo(single.get(row.getLong(0)));
    }
    assertThat(single.values()).contains(0.0).anyMatch(rank -> (double) rank > 0.1);
  }

  @Test
  @Tag("any-spark-4")
  void coresAndRatings() {
    Dataset<Row> both =
        table(
            "select * from values (1, 2), (2, 1), (2, 3), (3, 2), (3, 1), (1, 3),"
                + " (3, 4), (4, 3) as t(src, dst)");
    assertThat(rows(PropertyGraph.ofEdges(both).kCore().k(2).run()))
        .containsExactlyInAnyOrder("[1,2]", "[2,2]", "[3,2]", "[4,0]");
    Dataset<Row> ratings =
        table(
            "select * from values (1L, 10L, 4.0D), (1L, 11L, 2.0D), (2L, 10L, 5.0D),"
                + " (3L, 11L, 1.0D) as t(src, dst, weight)");
    Map<Long, Object> learnt = new TreeMap<>();
    for (Row row :
        PropertyGraph.ofEdges(ratings)
            .svdPlusPlus()
            .weight("weight")
            .rank(3)
            .maxIter(4)
            .minValue(1)
            .gamma1(0.01)
            .seed(5)
            .run()
            .collectAsList()) {
      learnt.put(
          row.getLong(0),
          List.of(row.getList(1), row.getList(2), row.getDouble(3), row.getDouble(4)));
    }
    try (ResidentGraph<Object, Double> graph =
            GpuPregel.load(
                EdgeLoader.fromDataset(ratings, "src", "dst", "weight"),
                Double.class,
                RunOptions.DEFAULT);
        var model =
            org.sparkgpugraph.algorithm.SVDPlusPlus.run(
                graph,
                new org.sparkgpugraph.algorithm.SVDPlusPlus.Conf(
                    3, 4, 1, 5, 0.01, 0.007, 0.005, 0.015),
                5,
                RunOptions.DEFAULT)) {
      Map<Long, Object> expected = new TreeMap<>();
      model
          .vertices()
          .collectAsMap()
          .forEach(
              (vertex, of) ->
                  expected.put(
                      vertex, List.of(listed(of._1()), listed(of._2()), of._3(), of._4())));
      assertThat(learnt).hasSize(5).isEqualTo(expected);
    }
  }

  private static List<Double> listed(double[] vector) {
    return Arrays.stream(vector).boxed().toList();
  }

  @Test
  @Tag("any-spark-4")
  void modularityOfAColumn() {
    Dataset<Row> vertices =
        table(
            "select * from values ('a', 'x'), ('b', 'x'), ('c', 'x'), ('d', 'y'), ('e', 'y')"
                + " as t(id, team)");
    Dataset<Row> edges =
        table(
            "select * from values ('a', 'b', 1), ('b', 'c', 1), ('c', 'a', 1), ('c', 'd', 1),"
                + " ('d', 'e', 3) as t(src, dst, weight)");
    PropertyGraph graph = PropertyGraph.of(vertices, edges);
    // Totals are 7 and 3 of 10, and 6 and 2 of them inside.
    assertThat(graph.modularity("team")).isCloseTo(0.6 - 0.49 + 0.2 - 0.09, within(1e-12));
    // With weights 7 and 7 of 14, inside 6 and 6.
    assertThat(graph.modularity("team", "weight", 2))
        .isCloseTo(2 * (6 / 14.0 - 2 * 0.25), within(1e-12));
    Dataset<Row> found = graph.louvain().run();
    assertThat(PropertyGraph.of(found, edges).modularity("community")).isGreaterThanOrEqualTo(0.22);
    refused(
        () -> graph.modularity("group"),
        "the vertices have no column 'group', only [id, team]: rename one with withColumnRenamed");
    PropertyGraph some = PropertyGraph.of(vertices.filter("id <> 'e'"), edges).missing(Missing.ADD);
    refused(
        () -> some.modularity("team"),
        "column 'team' of the vertices is null in [e,null]: filter such rows out");
  }

  private static Map<Long, Object> longs(Map<Long, Object> counts) {
    counts.replaceAll((vertex, count) -> ((Number) count).longValue());
    return counts;
  }

  private static void sameClasses(Map<Long, Object> found, Map<Long, Object> expected) {
    Map<Object, Object> names = new TreeMap<>();
    found.forEach(
        (vertex, name) ->
            assertThat(names.computeIfAbsent(name, any -> expected.get(vertex)))
                .isEqualTo(expected.get(vertex)));
    assertThat(names.values()).doesNotHaveDuplicates();
  }

  @Test
  @Tag("any-spark-4")
  void hopsToMoreLandmarksThanOneRunTakes() {
    Object[] landmarks = new Object[11];
    long[] numbers = new long[11];
    for (int i = 0; i < landmarks.length; i++) {
      landmarks[i] = "vertex " + 3 * i;
      numbers[i] = 3L * i;
    }
    Map<Long, Object> found =
        byNumber(graph("string").shortestPaths().landmarks(landmarks).run(), "distances");
    Map<Long, Map<Object, Integer>> expected = new TreeMap<>();
    for (long v = 0; v < VERTICES; v++) {
      expected.put(v, new TreeMap<>());
    }
    List<Row> edges = numbers().collectAsList();
    for (long landmark : numbers) {
      expected.get(landmark).put("vertex " + landmark, 0);
      for (boolean changed = true; changed; ) {
        changed = false;
        for (Row edge : edges) {
          Integer next = expected.get(edge.getLong(1)).get("vertex " + landmark);
          Integer now = expected.get(edge.getLong(0)).get("vertex " + landmark);
          if (next != null && (now == null || now > next + 1)) {
            expected.get(edge.getLong(0)).put("vertex " + landmark, next + 1);
            changed = true;
          }
        }
      }
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void edgesAlone() {
    Dataset<Row> edges = table("select * from values (5, 3L), (3, -7L), (9, 9L) as t(src, dst)");
    assertThat(rows(PropertyGraph.ofEdges(edges).connectedComponents().run()))
        .containsExactlyInAnyOrder("[5,-7]", "[3,-7]", "[-7,-7]", "[9,9]");
    Dataset<Row> names = table("select * from values ('a', 'b'), ('c', 'c') as t(src, dst)");
    PropertyGraph graph = PropertyGraph.ofEdges(names);
    assertThat(rows(graph.triangleCount().run()))
        .containsExactlyInAnyOrder("[a,0]", "[b,0]", "[c,0]");
    assertThat(rows(graph.degrees())).containsExactlyInAnyOrder("[a,1]", "[b,1]", "[c,2]");
    assertThat(rows(graph.inDegrees())).containsExactlyInAnyOrder("[b,1]", "[c,1]");
    assertThat(rows(graph.outDegrees())).containsExactlyInAnyOrder("[a,1]", "[c,1]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bigint", "string"})
  void nothingAtAll(String type) {
    Dataset<Row> edges =
        table("select * from values ('1', '2') as t(src, dst) where src = ''")
            .select(
                functions.col("src").cast(type).as("src"),
                functions.col("dst").cast(type).as("dst"));
    assertThat(rows(PropertyGraph.ofEdges(edges).connectedComponents().run())).isEmpty();
    Dataset<Row> vertices = edges.select(functions.col("src").as("id"));
    assertThat(rows(PropertyGraph.of(vertices, edges).pageRank().maxIter(1).run())).isEmpty();
    Dataset<Row> one = table("select cast('1' as " + type + ") as id");
    assertThat(rows(PropertyGraph.of(one, edges).triangleCount().run())).containsExactly("[1,0]");
  }

  private static List<String> rows(Dataset<Row> table) {
    return table.collectAsList().stream().map(Row::toString).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"bigint", "string"})
  void endsThatAreNoVertices(String type) {
    UnaryOperator<String> id = number -> "cast(" + number + " as " + type + ")";
    Dataset<Row> vertices =
        table(
            "select "
                + id.apply("1")
                + " as id, 'one' as name union all select "
                + id.apply("2")
                + ", 'two'");
    Dataset<Row> edges =
        table(
            "select "
                + id.apply("1")
                + " as src, "
                + id.apply("2")
                + " as dst, 'kept' as what"
                + " union all select "
                + id.apply("2")
                + ", "
                + id.apply("3")
                + ", 'stranger'");
    PropertyGraph graph = PropertyGraph.of(vertices, edges);
    assertThatThrownBy(() -> graph.connectedComponents().run())
        .isInstanceOf(FrameException.class)
        .hasMessage(
            "3 is the end of an edge, [2,3,stranger], but no vertex: add it to the vertices, or say"
                + " missing(Missing.ADD) or missing(Missing.DROP)");
    assertThat(rows(graph.missing(Missing.ADD).triangleCount().run()))
        .containsExactlyInAnyOrder("[1,one,0]", "[2,two,0]", "[3,null,0]");
    assertThat(rows(graph.missing(Missing.DROP).pageRank().maxIter(1).run()).size()).isEqualTo(2);
  }

  /** Spark 3.5 has no collations. */
  @Test
  void refusesIdsThatAreEqualInDifferentBytes() {
    assumeTrue(spark().version().startsWith("4"));
    refused(
        () ->
            PropertyGraph.ofEdges(
                table("select 'a' collate utf8_lcase as src, 'B' collate utf8_lcase as dst")),
        "ids are of type string collate UTF8_LCASE, in which different bytes may be equal: use"
            + " collate(id, 'UTF8_BINARY'), of lower(id), say, so that equal ids are equal in"
            + " their bytes");
  }

  @Test
  void refusesWhatIsNoGraph() {
    Dataset<Row> edges = table("select 1L as src, 2L as dst");
    Dataset<Row> vertices = table("select 1L as id union all select 2L");
    refused(
        () -> PropertyGraph.of(table("select 1L as name"), edges),
        "the vertices have no column 'id', only [name]: rename one with withColumnRenamed");
    refused(
        () -> PropertyGraph.of(table("select 1L as id, 2L as ID"), edges),
        "the vertices have 2 columns 'id' of [id, ID]: rename or drop all but one");
    refused(
        () -> PropertyGraph.of(table("select 'a' as id"), edges),
        "ids of vertices are of type string, but ends of edges are of type bigint: cast one");
    refused(
        () -> PropertyGraph.ofEdges(table("select 'a' as src, 1L as dst")),
        "column 'src' of the edges is of type string, but 'dst' of type bigint: cast one");
    refused(
        () -> PropertyGraph.ofEdges(table("select map(1, 2) as src, map(1, 2) as dst")),
        "ids are of type map, which Spark cannot group by: cast them");
    refused(
        () ->
            PropertyGraph.of(
                    table("select 1L as id, 'ann' as name union all select 2L, 'bob'")
                        .union(table("select 1L, 'ann'")),
                    edges)
                .connectedComponents()
                .run(),
        "id 1 is that of 2 vertices, of [1,ann] and [1,ann]: ids are unique, so use"
            + " dropDuplicates(\"id\") or group by it");
    refused(
        () -> PropertyGraph.ofEdges(table("select 1L as src, 2L as target")),
        "the edges have no column 'dst', only [src, target]: rename one with withColumnRenamed");
    refused(
        () -> PropertyGraph.ofEdges(edges.join(edges.as("others").select("src"))),
        "the edges have 2 columns 'src' of [src, dst, src]: rename or drop all but one");
    refused(
        () ->
            PropertyGraph.ofEdges(table("select 1L as src, 2L as dst, 1 as weight, 2 as WEIGHT"))
                .distances()
                .source(1)
                .weight("weight")
                .run(),
        "the edges have 2 columns 'weight' of [src, dst, weight, WEIGHT]: rename or drop all but"
            + " one");
    refused(
        () ->
            PropertyGraph.ofEdges(table("select 1L as src, 2L as dst, double(null) as length"))
                .distances()
                .source(1)
                .weight("length")
                .run(),
        "column 'length' of the edges is null in [1,2,null]: filter such rows out");
    PropertyGraph withNull = PropertyGraph.of(vertices.union(table("select null")), edges);
    refused(
        () -> withNull.connectedComponents().run(),
        "a vertex has no id: column 'id' is null in [null]: filter such rows out");
    refused(
        () ->
            PropertyGraph.of(vertices, edges.union(table("select 2L, cast(null as bigint)")))
                .connectedComponents()
                .run(),
        "column 'dst' of the edges is null in [2,null]: filter such rows out");
    refused(
        () ->
            PropertyGraph.ofEdges(table("select 'a' as src, 'b' as dst union all select null, 'c'"))
                .missing(Missing.DROP)
                .connectedComponents()
                .run(),
        "column 'src' of the edges is null in [null,c]: filter such rows out");
    refused(
        () ->
            PropertyGraph.of(vertices.withColumn("PageRank", functions.lit(1)), edges)
                .pageRank()
                .maxIter(1)
                .run(),
        "the vertices have a column 'PageRank' already, where the result is to go: rename or drop"
            + " it");
    refused(
        () -> PropertyGraph.of(vertices, edges).shortestPaths().landmarks(7L).run(),
        "landmark 7 is no vertex of the graph, whose ids are of type bigint");
    refused(
        () -> PropertyGraph.of(vertices, edges).shortestPaths().landmarks("seven").run(),
        "landmark seven is no vertex of the graph, whose ids are of type bigint");
    refused(
        () -> PropertyGraph.of(vertices, edges).pageRank().run(),
        "neither maxIter nor tol is set: give one of them");
    refused(
        () -> PropertyGraph.of(vertices, edges).persistOnDevice("price"),
        "the edges have no column 'price', only [src, dst]: rename one with withColumnRenamed");
  }

  /** Names that SQL would read as a field of a struct, or end at a backtick, are columns, too. */
  @Test
  void namesAreTakenAsTheyAre() {
    Dataset<Row> edges = table("select 1L as src, 2L as dst, 3D as `road.length`, 4D as `a``b`");
    assertThat(rows(PropertyGraph.ofEdges(edges).distances().source(1).weight("road.length").run()))
        .containsExactlyInAnyOrder("[1,0.0]", "[2,3.0]");
    assertThat(rows(PropertyGraph.ofEdges(edges).distances().source(1).weight("a`b").run()))
        .containsExactlyInAnyOrder("[1,0.0]", "[2,4.0]");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessage(message);
  }

  @Test
  void tripletsAndPartsOfAGraph() {
    Dataset<Row> vertices =
        table("select * from values ('a', 1), ('b', 2), ('c', 3), ('d', 4) as t(id, age)");
    Dataset<Row> edges =
        table(
            "select * from values ('a', 'b', 'x'), ('b', 'c', 'y'), ('c', 'a', 'z') as t(src, dst, kind)");
    PropertyGraph graph = PropertyGraph.of(vertices, edges);
    assertThat(rows(graph.triplets()))
        .containsExactlyInAnyOrder(
            "[[a,1],[a,b,x],[b,2]]", "[[b,2],[b,c,y],[c,3]]", "[[c,3],[c,a,z],[a,1]]");
    PropertyGraph young = graph.filterVertices(functions.col("age").leq(2));
    assertThat(rows(young.vertices())).containsExactlyInAnyOrder("[a,1]", "[b,2]");
    assertThat(rows(young.edges())).containsExactly("[a,b,x]");
    assertThat(rows(graph.dropIsolatedVertices().vertices()))
        .containsExactlyInAnyOrder("[a,1]", "[b,2]", "[c,3]");
    PropertyGraph fewer = graph.filterEdges(functions.col("kind").equalTo("y"));
    assertThat(rows(fewer.edges())).containsExactly("[b,c,y]");
    assertThat(rows(fewer.dropIsolatedVertices().vertices()))
        .containsExactlyInAnyOrder("[b,2]", "[c,3]");
    assertThat(fewer.connectedComponents().run().select("component").distinct().count())
        .isEqualTo(3);
  }

  /** With few bits the first salts give some vertices one key; results are right nevertheless. */
  @Test
  @Tag("any-spark-4")
  void idsWithEqualHashesGetKeysOfTheirOwn() {
    Dataset<Row> edges = table("select * from values ('a', 'b'), ('c', 'd') as t(src, dst)");
    for (int bits = 3; bits < 9; bits++) {
      VertexKeys keys = new VertexKeys(DataTypes.StringType, 0, bits);
      try (FrameGraph graph =
          FrameGraph.load(null, edges, keys, EdgeValues.NONE, Missing.ADD, RunOptions.DEFAULT)) {
        assertThat(graph.graph().vertexCount()).isEqualTo(4);
        assertThat(graph.vertices(edges).collectAsList()).hasSize(4);
        salts.add(graph.keys().salt());
      }
    }
    assertThat(salts).anyMatch(salt -> salt > 0);
  }

  private final List<Integer> salts = new ArrayList<>();

  @Test
  void whatIsKeptIsReadOnce() {
    var reads = SharedSpark.context().sc().longAccumulator();
    Dataset<Row> edges =
        numbers()
            .filter(
                (FilterFunction<Row>)
                    row -> {
                      reads.add(1);
                      return true;
                    });
    try (PropertyGraph graph = PropertyGraph.ofEdges(edges).persistOnDevice("weight")) {
      long loaded = reads.value();
      assertThat(loaded).isPositive();
      Dataset<Row> components = graph.connectedComponents().run();
      long distinct = components.select("component").distinct().count();
      assertThat(reads.value()).isEqualTo(loaded);
      graph.close();
      // A result stays when the graph is gone.
      assertThat(components.select("component").distinct().count()).isEqualTo(distinct);
      assertThat(reads.value()).isEqualTo(loaded);
      graph.connectedComponents().run();
      assertThat(reads.value()).isGreaterThan(loaded);
    }
  }
}
