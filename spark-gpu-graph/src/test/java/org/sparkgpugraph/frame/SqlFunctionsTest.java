package org.sparkgpugraph.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.function.FilterFunction;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.frame.algorithm.FrameAlgorithm;
import org.sparkgpugraph.frame.sql.SqlFunction;
import org.sparkgpugraph.testing.SharedSpark;

/** Algorithms as table functions of SQL. */
class SqlFunctionsTest {
  private static SparkSession before;
  private static SparkSession spark;

  @TempDir Path folder;

  /** A session of the shared context with the extension, which is the default one meanwhile. */
  @BeforeAll
  static void session() {
    SharedSpark.context();
    before = SparkSession.builder().getOrCreate();
    SparkSession.clearActiveSession();
    SparkSession.clearDefaultSession();
    spark =
        SparkSession.builder()
            .withExtensions(new GraphExtensions())
            .config(new HashMap<>(SharedSpark.INTERPRETED))
            .getOrCreate();
    assertThat(spark).isNotSameAs(before);
  }

  @AfterAll
  static void restore() {
    SparkSession.setActiveSession(before);
    SparkSession.setDefaultSession(before);
  }

  @BeforeEach
  void tables() {
    SparkSession.setActiveSession(spark);
    sql("select * from values ('a', 'b', 1.5, 'x'), ('b', 'c', 2.0, 'y'), ('c', 'a', 3.0, 'z'),"
            + " ('c', 'd', 1.0, 'z'), ('e', 'f', 1.0, 'z') as t(src, dst, length, kind)")
        .createOrReplaceTempView("edges");
    sql("select * from values ('a', 1), ('b', 2), ('c', 3), ('d', 4), ('e', 5), ('f', 6), ('g', 7)"
            + " as t(id, age)")
        .createOrReplaceTempView("persons");
  }

  private static Dataset<Row> sql(String text) {
    return spark.sql(text);
  }

  private static List<String> rows(Dataset<Row> table) {
    return table.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private static List<String> rows(String text) {
    return rows(sql(text));
  }

  private static PropertyGraph graph() {
    return PropertyGraph.of(spark.table("persons"), spark.table("edges"));
  }

  /** Every function with all of its options, and the same by the API. */
  record Case(String function, String arguments, Function<PropertyGraph, FrameAlgorithm> same) {
    @Override
    public String toString() {
      return function + " " + arguments;
    }
  }

  private static Case of(
      String function, String arguments, Function<PropertyGraph, FrameAlgorithm> same) {
    return new Case(function, arguments, same);
  }

  static List<Case> cases() {
    return List.of(
        of("connected_components", "", PropertyGraph::connectedComponents),
        of("strongly_connected_components", "", PropertyGraph::stronglyConnectedComponents),
        of(
            "strongly_connected_components",
            "max_iter => 1",
            graph -> graph.stronglyConnectedComponents().maxIter(1)),
        of("page_rank", "tol => 0.001", graph -> graph.pageRank().tol(0.001)),
        of("page_rank", "tolerance => 1e-1", graph -> graph.pageRank().tol(0.1)),
        of(
            "page_rank",
            "max_iter => 3, reset_probability => 0.5, source_id => 'a', weight => 'length'",
            graph ->
                graph.pageRank().maxIter(3).resetProbability(0.5).sourceId("a").weight("length")),
        of("label_propagation", "max_iter => 2", graph -> graph.labelPropagation().maxIter(2)),
        of("louvain", "", PropertyGraph::louvain),
        of(
            "louvain",
            "resolution => 2, max_levels => 1, refine => true, weight => 'length'",
            graph -> graph.louvain().resolution(2).maxLevels(1).refine(true).weight("length")),
        of(
            "shortest_paths",
            "landmarks => array('a', 'd')",
            graph -> graph.shortestPaths().landmarks("a", "d")),
        of("hops", "source => 'a'", graph -> graph.hops().source("a")),
        of(
            "distances",
            "source => 'a', weight => 'length'",
            graph -> graph.distances().source("a").weight("length")),
        of("triangle_count", "", PropertyGraph::triangleCount),
        of("clustering_coefficient", "", PropertyGraph::clusteringCoefficient),
        of("hits", "max_iter => 4", graph -> graph.hits().maxIter(4)),
        of(
            "betweenness",
            "sources => array('a', 'b')",
            graph -> graph.betweenness().sources("a", "b")),
        of(
            "betweenness",
            "samples => 2, seed => 5",
            graph -> graph.betweenness().samples(2).seed(5)),
        of("katz", "alpha => 0.1", graph -> graph.katz().alpha(0.1)),
        of(
            "katz",
            "alpha => 0.1, beta => 2, tol => 0.5, max_iter => 3",
            graph -> graph.katz().alpha(0.1).beta(2).tol(0.5).maxIter(3)),
        of(
            "widest_paths",
            "source => 'a', weight => 'length'",
            graph -> graph.widestPaths().source("a").weight("length")),
        of(
            "multi_source_bfs",
            "sources => array('a', 'e')",
            graph -> graph.multiSourceBfs().sources("a", "e")),
        of(
            "parallel_personalized_page_rank",
            "source_ids => array('a', 'e'), max_iter => 3, reset_probability => 0.2",
            graph ->
                graph
                    .parallelPersonalizedPageRank()
                    .sourceIds("a", "e")
                    .maxIter(3)
                    .resetProbability(0.2)),
        of("independent_set", "", PropertyGraph::independentSet),
        of("independent_set", "seed => 3", graph -> graph.independentSet().seed(3)),
        of("maximal_matching", "", PropertyGraph::maximalMatching),
        of("maximal_matching", "seed => 3", graph -> graph.maximalMatching().seed(3)),
        of("graph_colouring", "", PropertyGraph::graphColouring),
        of("graph_colouring", "seed => 3", graph -> graph.graphColouring().seed(3)),
        of(
            "minimum_spanning_forest",
            "weight => 'length'",
            graph -> graph.minimumSpanningForest().weight("length")));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void givesWhatTheApiGives(Case is) {
    String options = is.arguments.isEmpty() ? "" : ", " + is.arguments;
    Dataset<Row> expected = is.same.apply(graph()).run();
    Dataset<Row> found =
        sql("select * from %s('edges', vertices => 'persons'%s)".formatted(is.function, options));
    assertThat(found.columns()).isEqualTo(expected.columns());
    assertThat(types(found)).isEqualTo(types(expected));
    assertThat(rows(found)).isEqualTo(rows(expected));
    Dataset<Row> edgesAlone = is.same.apply(PropertyGraph.ofEdges(spark.table("edges"))).run();
    Dataset<Row> alone = sql("select * from %s('edges'%s)".formatted(is.function, options));
    assertThat(alone.columns()).isEqualTo(edgesAlone.columns());
    assertThat(types(alone)).isEqualTo(types(edgesAlone));
    assertThat(rows(alone)).isEqualTo(rows(edgesAlone));
  }

  private static List<String> types(Dataset<Row> table) {
    return Arrays.stream(table.schema().fields())
        .map(field -> field.dataType().simpleString())
        .toList();
  }

  @Test
  void corenessOfEdgesInBothDirections() {
    sql("select src, dst from edges union select dst, src from edges")
        .createOrReplaceTempView("both");
    assertThat(rows("select * from coreness('both')"))
        .containsExactly("[a,2]", "[b,2]", "[c,2]", "[d,1]", "[e,1]", "[f,1]");
    assertThat(rows("select * from k_core('both', k => 2)"))
        .containsExactly("[a,2]", "[b,2]", "[c,2]", "[d,0]", "[e,0]", "[f,0]");
  }

  @Test
  void recommendationsFromRatings() {
    sql("select * from values (1, 10, 4.0), (1, 11, 2.0), (2, 10, 5.0) as t(src, dst, stars)")
        .createOrReplaceTempView("ratings");
    assertThat(
            rows(
                "select * from svd_plus_plus('ratings', weight => 'stars', rank => 2, max_iter => 3,"
                    + " min_value => 1, max_value => 6, gamma1 => 0.01, gamma2 => 0.02, gamma6 =>"
                    + " 0.03, gamma7 => 0.04, seed => 7)"))
        .isEqualTo(
            rows(
                PropertyGraph.ofEdges(spark.table("ratings"))
                    .svdPlusPlus()
                    .weight("stars")
                    .rank(2)
                    .maxIter(3)
                    .minValue(1)
                    .maxValue(6)
                    .gamma1(0.01)
                    .gamma2(0.02)
                    .gamma6(0.03)
                    .gamma7(0.04)
                    .seed(7)
                    .run()));
  }

  /** No algorithm is without a function or without a case above. */
  @Test
  void everyAlgorithmHasAFunction() {
    List<String> algorithms =
        Arrays.stream(PropertyGraph.class.getMethods())
            .filter(method -> FrameAlgorithm.class.isAssignableFrom(method.getReturnType()))
            .map(method -> method.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
            .toList();
    List<String> functions = SqlFunctions.ALL.stream().map(SqlFunction::name).toList();
    assertThat(functions).containsExactlyInAnyOrderElementsOf(algorithms);
    List<String> tested = new ArrayList<>(cases().stream().map(Case::function).toList());
    tested.addAll(List.of("coreness", "k_core", "svd_plus_plus"));
    assertThat(tested).containsAll(functions);
  }

  @Test
  void tablesAreNamesOrQueries() {
    List<String> expected = rows("select * from triangle_count('edges', vertices => 'persons')");
    assertThat(expected).contains("[a,1,1]", "[g,7,0]");
    for (String arguments :
        List.of(
            "TABLE(edges), vertices => TABLE(persons)",
            "edges => 'EDGES', vertices => '`persons`'",
            "vertices => 'persons', edges => TABLE(edges)",
            "TABLE(select dst, src from edges), vertices => TABLE(select * from persons)")) {
      assertThat(rows("select * from triangle_count(" + arguments + ")"))
          .as(arguments)
          .isEqualTo(expected);
    }
    assertThat(
            rows(
                "with few as (select * from edges where src <> 'e'), who as (select id, 1 as one from"
                    + " persons where age < 5) select * from triangle_count(TABLE(few), vertices =>"
                    + " TABLE(who))"))
        .containsExactly("[a,1,1]", "[b,1,1]", "[c,1,1]", "[d,1,0]");
  }

  /** With a database "graphs" for tables that are stored. */
  private void inDatabase(Runnable action) {
    sql("create database graphs location '" + folder.toUri() + "'");
    try {
      action.run();
    } finally {
      sql("use default");
      sql("drop database graphs cascade");
    }
  }

  @Test
  void namesAreThoseOfTheCatalog() {
    inDatabase(
        () -> {
          spark.table("edges").write().mode("overwrite").saveAsTable("graphs.follows");
          spark.table("edges").createOrReplaceGlobalTempView("everywhere");
          List<String> expected = rows("select * from hops('edges', source => 'a')");
          for (String name :
              List.of("graphs.follows", "spark_catalog.graphs.follows", "global_temp.everywhere")) {
            assertThat(rows("select * from hops('" + name + "', source => 'a')"))
                .as(name)
                .isEqualTo(expected);
          }
          String path = spark.table("graphs.follows").inputFiles()[0].replaceAll("/[^/]*$", "");
          assertThat(rows("select * from hops('parquet.`" + path + "`', source => 'a')"))
              .isEqualTo(expected);
          // A view knows its tables wherever it is read.
          sql("use graphs");
          sql("create or replace temp view near as select * from hops('follows', source => 'a')");
          sql("use default");
          assertThat(rows("select * from near")).isEqualTo(expected);
        });
  }

  @Test
  void edgesWithoutVertices() {
    sql("select * from values ('a', 1), ('b', 2), ('c', 3) as t(id, age)")
        .createOrReplaceTempView("some");
    assertThatThrownBy(() -> rows("select * from triangle_count('edges', vertices => 'some')"))
        .hasMessageContaining("triangle_count: ")
        .hasMessageContaining(" but no vertex: ");
    assertThat(rows("select * from triangle_count('edges', vertices => 'some', missing => 'add')"))
        .containsExactly("[a,1,1]", "[b,2,1]", "[c,3,1]", "[d,null,0]", "[e,null,0]", "[f,null,0]");
    assertThat(
            rows("select id from triangle_count('edges', vertices => 'some', missing => 'DROP')"))
        .containsExactly("[a]", "[b]", "[c]");
  }

  @Test
  void nothingRunsBeforeRowsAreAskedFor() throws Exception {
    LongAccumulator reads = counted();
    long jobs =
        jobs(
            () -> {
              sql("explain extended select * from page_rank('counted', tol => 0.1)")
                  .collectAsList();
              sql("describe query select * from page_rank('counted', tol => 0.1)").collectAsList();
              sql("describe function page_rank").collectAsList();
              assertThat(sql("select * from page_rank('counted', tol => 0.1)").columns())
                  .containsExactly("id", "pagerank");
            });
    assertThat(jobs).isZero();
    assertThat(reads.value()).isZero();
  }

  /** The edges as a view that counts the rows that are read. */
  private static LongAccumulator counted() {
    LongAccumulator reads = SharedSpark.context().sc().longAccumulator();
    spark
        .table("edges")
        .filter(
            (FilterFunction<Row>)
                row -> {
                  reads.add(1);
                  return true;
                })
        .selectExpr("cast(ascii(src) as bigint) as src", "cast(ascii(dst) as bigint) as dst")
        .createOrReplaceTempView("counted");
    return reads;
  }

  private static long jobs(Runnable action) throws Exception {
    SparkContext context = SharedSpark.context().sc();
    LongAccumulator jobs = context.longAccumulator();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart start) {
            jobs.add(1);
          }
        };
    context.addSparkListener(listener);
    try {
      action.run();
      context.listenerBus().waitUntilEmpty();
    } finally {
      context.removeSparkListener(listener);
    }
    return jobs.value();
  }

  @Test
  void runsOncePerQuery() {
    LongAccumulator reads = counted();
    Dataset<Row> components = sql("select * from connected_components('counted')");
    components.collectAsList();
    long once = reads.value();
    assertThat(once).isPositive();
    List<String> rows = rows(components);
    assertThat(reads.value()).as("the same query again").isEqualTo(once);
    assertThat(
            rows(
                "with c as (select * from connected_components('counted')) select a.id, count(*)"
                    + " from c a join c b on a.component = b.component group by a.id"))
        .hasSize(6);
    sql("cache table groups as select * from connected_components('counted')");
    try {
      long cached = reads.value();
      assertThat(rows("select * from groups")).isEqualTo(rows);
      assertThat(rows("select count(*) from groups a, groups b where a.id = b.id"))
          .containsExactly("[6]");
      // Found by the plan, whoever asks.
      assertThat(rows("select * from connected_components('counted')")).isEqualTo(rows);
      assertThat(reads.value()).isEqualTo(cached);
    } finally {
      sql("drop view groups");
    }
    sql("cache table counted");
    long cached = reads.value();
    assertThat(rows("select * from connected_components('counted')")).isEqualTo(rows);
    assertThat(reads.value()).as("cached edges").isEqualTo(cached);
    sql("uncache table counted");
  }

  @Test
  void joinsWithItselfAndItsTables() {
    Dataset<Row> hops = sql("select * from hops('edges', vertices => 'persons', source => 'a')");
    assertThat(
            rows(
                hops.as("x")
                    .join(hops.as("y"), functions.expr("x.age = y.age + 1"))
                    .selectExpr("x.id", "y.id", "y.hops")))
        .containsExactly("[b,a,0]", "[c,b,1]", "[d,c,2]", "[e,d,3]", "[f,e,null]", "[g,f,null]");
    hops.createOrReplaceTempView("reached");
    assertThat(
            rows(
                "select a.id, p.age, b.hops from reached a join persons p on a.id = p.id join reached b"
                    + " on b.id = p.id where a.hops > 0"))
        .containsExactly("[b,2,1]", "[c,3,2]", "[d,4,3]");
    assertThat(
            rows(
                "select id from persons where age > (select max(hops) from hops('edges', source =>"
                    + " 'a'))"))
        .containsExactly("[d]", "[e]", "[f]", "[g]");
    assertThat(
            rows(
                "select component, count(*), sum(age) from connected_components('edges', vertices =>"
                    + " 'persons') group by component order by 2 desc"))
        .hasSize(3)
        .anyMatch(row -> row.endsWith(",4,10]"));
    assertThat(
            rows(
                "select id from (select * from hops('edges', source => 'a') union all select * from"
                    + " hops('edges', source => 'a')) where hops = 3"))
        .containsExactly("[d]", "[d]");
  }

  @ParameterizedTest
  @CsvSource({"true", "false"})
  void withAndWithoutAdaptiveExecution(boolean adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    try {
      assertThat(
              rows(
                  "select h.hops, count(*) from hops('edges', vertices => 'persons', source => 'a') h"
                      + " join persons p on h.id = p.id group by h.hops having count(*) > 1"))
          .containsExactly("[null,3]");
    } finally {
      spark.conf().unset("spark.sql.adaptive.enabled");
    }
  }

  @Test
  void resultsBecomeTables() {
    inDatabase(
        () -> {
          sql("create or replace temp view wide as select *, 'unused' as other from persons");
          sql(
              "create table graphs.ranks using parquet as select * from page_rank('edges',"
                  + " vertices => 'wide', max_iter => 2)");
          assertThat(rows("select id, age, other, pagerank from graphs.ranks"))
              .isEqualTo(
                  rows(
                      PropertyGraph.of(spark.table("wide"), spark.table("edges"))
                          .pageRank()
                          .maxIter(2)
                          .run()));
        });
  }

  @Test
  void parametersOfStatements() {
    assertThat(
            rows(
                spark.sql(
                    "select * from hops(:edges, source => :from) where hops = 1",
                    Map.<String, Object>of("edges", "edges", "from", "c"))))
        .containsExactly("[a,1]", "[d,1]");
  }

  @Test
  void constantsAreComputed() {
    assertThat(rows("select * from hops('edges', source => concat('', 'c')) where hops = 1"))
        .containsExactly("[a,1]", "[d,1]");
    sql("select struct(1 as a, 'x' as b) as src, struct(2 as a, 'y' as b) as dst")
        .createOrReplaceTempView("pairs");
    assertThat(rows("select * from hops('pairs', source => named_struct('a', 1, 'b', 'x'))"))
        .containsExactly("[[1,x],0]", "[[2,y],1]");
  }

  @Test
  void describes() {
    String text = String.join("\n", rows("describe function extended page_rank"));
    assertThat(text)
        .contains("Function: page_rank")
        .contains("page_rank(edges, name => value, ...) - PageRank of the vertices")
        .contains("reset_probability - a number: of a random jump");
    assertThat(rows("show functions like 'page_rank'")).containsExactly("[page_rank]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hops() | hops: argument 'edges' is missing: give the name of a table or view, or TABLE(...)",
        "hops('edges') | hops: argument 'source' is missing: give the id of a vertex, where paths begin",
        "hops('edges', 'a') | hops: argument 2 has no name: only the first, edges, may do without; write NAME => VALUE, where NAME is vertices, missing, source",
        "hops('edges', sauce => 'a') | hops: there is no argument 'sauce': arguments are edges, vertices, missing, source",
        "hops('edges', source => 'a', Source => 'b') | hops: argument 'source' is given twice",
        "hops('edges', source => null) | hops: argument 'source' is NULL: leave it out or give a value",
        "hops('edges', source => rand()) | hops: argument 'source' is rand(), but a constant is expected",
        "hops('edges', source => array(1)) | hops: argument 'source' is [1] of type ARRAY<INT>, but the id of a vertex is expected",
        "hops('edges', source => TABLE(edges)) | hops: argument 'source' is a table, but a constant is expected",
        "hops(7, source => 'a') | hops: argument 'edges' is 7 of type INT, but the name of a table or view is expected, as in 'sales.edges', or TABLE(...)",
        "hops('no such', source => 'a') | hops: argument 'edges' is 'no such', which is no name of a table or view; quote a part with other characters in backticks, and give queries as TABLE(...)",
        "hops('nowhere', source => 'a') | hops: argument 'edges' is 'nowhere', but there is no such table or view; what WITH names is given as edges => TABLE(nowhere)",
        "hops('edges', vertices => 'some.where', source => 'a') | hops: argument 'vertices' is 'some.where', but there is no such table or view; what WITH names is given as vertices => TABLE(some.where)",
        "hops('persons', source => 'a') | hops: the edges have no column 'src', only [id, age]: rename one with withColumnRenamed",
        "hops('edges', source => 'a', missing => 'add') | hops: argument 'missing' goes with 'vertices', which is not given: without it the ends of the edges are the vertices",
        "hops('edges', source => 'a', vertices => 'persons', missing => 'ignore') | hops: argument 'missing' is 'ignore' of type STRING, but 'error', 'add' or 'drop' is expected",
        "page_rank('edges', max_iter => 'ten') | page_rank: argument 'max_iter' is 'ten' of type STRING, but an integer is expected",
        "page_rank('edges', max_iter => 3000000000) | page_rank: argument 'max_iter' is 3000000000 of type BIGINT, but an integer is expected",
        "page_rank('edges', max_iter => 1.5) | page_rank: argument 'max_iter' is 1.5 of type DECIMAL(2,1), but an integer is expected",
        "page_rank('edges') | page_rank: neither max_iter nor tol is set: give one of them",
        "page_rank('edges', max_iter => 3, weight => 'kind') | page_rank: column 'kind' of the edges is of type string, but weights are numbers: cast it to double",
        "page_rank('edges', max_iter => 3, weight => 7) | page_rank: argument 'weight' is 7 of type INT, but the name of a column is expected",
        "minimum_spanning_forest('edges') | minimum_spanning_forest: argument 'weight' is missing: give the name of a column, of the edges: finite numbers, also negative ones",
        "louvain('edges', refine => 1) | louvain: argument 'refine' is 1 of type INT, but true or false is expected",
        "shortest_paths('edges', landmarks => 'a') | shortest_paths: argument 'landmarks' is 'a' of type STRING, but an array of ids of vertices is expected",
        "betweenness('edges', samples => 1, sources => array('a')) | betweenness: sources and samples are both set: give one of them",
      })
  void refusesAndNamesTheArgument(String call, String message) {
    assertThatThrownBy(() -> sql("select * from " + call))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void refusesWhatShowsWhenItRuns() {
    assertThatThrownBy(() -> rows("select * from hops('edges', source => 'q')"))
        .hasMessage("hops: source q is no vertex of the graph, whose ids are of type string");
    assertThatThrownBy(() -> rows("select * from hits('edges', max_iter => 0)"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("hits: ");
    sql("select *, 0 as hops from persons").createOrReplaceTempView("hopped");
    assertThatThrownBy(
            () -> sql("select * from hops('edges', vertices => 'hopped', source => 'a')"))
        .hasMessage(
            "hops: the vertices have a column 'hops' already, where the result is to go: rename or"
                + " drop it");
    assertThatThrownBy(
            () -> sql("with few as (select * from edges) select * from hops('few', source => 'a')"))
        .hasMessageContaining("what WITH names is given as edges => TABLE(few)");
    assertThatThrownBy(
            () -> sql("select * from persons, lateral hops('edges', source => persons.id)"))
        .hasMessageContaining("argument 'source'")
        .hasMessageContaining("a constant is expected");
  }

  /** What a query does not use is not read: neither columns of the vertices nor of the edges. */
  @Test
  void columnsThatNobodyUsesAreNotRead() {
    inDatabase(
        () -> {
          spark.table("edges").write().saveAsTable("graphs.wide_edges");
          spark
              .table("persons")
              .withColumn("name", functions.lit("n"))
              .write()
              .saveAsTable("graphs.wide_persons");
          String ranks =
              "page_rank('graphs.wide_edges', vertices => 'graphs.wide_persons', max_iter => 2,"
                  + " weight => 'length')";
          assertThat(sql("explain select pagerank from " + ranks).head().getString(0))
              .contains("ReadSchema: struct<src:string,dst:string,length:decimal(2,1)>")
              .contains("ReadSchema: struct<id:string>")
              .contains("page_rank(max_iter => 2, weight => length)");
          assertThat(rows("select age, pagerank from " + ranks + " where id = 'g'"))
              .isEqualTo(
                  rows("select age, pagerank from (select * from " + ranks + ") where age = 7"))
              .hasSize(1)
              .allMatch(row -> row.startsWith("[7,"));
        });
  }
}
