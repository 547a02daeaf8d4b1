package org.sparkgpugraph.frame;

import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.event.GraphProgramRefused;
import org.sparkgpugraph.testing.SharedSpark;

/** Programs in column expressions: on engines they give what Spark's joins give. */
class PregelTest {
  private static final long SEED = 99;
  private static final int VERTICES = 50;
  private static final RunOptions LIFTED =
      RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);
  private static final RunOptions JOINS = RunOptions.DEFAULT.withEngine(EngineChoice.GRAPHX);

  /** What joins give for each of {@link #programs()}, which takes longer than engines do. */
  private static final Map<String, Map<Long, List<Object>>> JOINED = new HashMap<>();

  @BeforeAll
  static void interpret() {
    SharedSpark.INTERPRETED.forEach(spark().conf()::set);
  }

  @AfterAll
  static void restore() {
    SharedSpark.INTERPRETED.keySet().forEach(spark().conf()::unset);
    JOINED.clear();
  }

  private static SparkSession spark() {
    SharedSpark.context();
    return SparkSession.builder().getOrCreate();
  }

  private static <T> T orNull(Random random, T value) {
    return random.nextInt(5) == 0 ? null : value;
  }

  private static PropertyGraph graph(String idType) {
    Random random = new Random(SEED);
    List<Row> vertices = new ArrayList<>();
    for (long v = 0; v < VERTICES; v++) {
      vertices.add(
          RowFactory.create(
              v,
              "name " + v,
              random.nextInt(10),
              orNull(random, random.nextDouble()),
              orNull(random, RowFactory.create(random.nextInt(7), orNull(random, 2.5)))));
    }
    List<Row> edges = new ArrayList<>();
    for (int e = 0; e < 160; e++) {
      edges.add(
          RowFactory.create(
              (long) random.nextInt(VERTICES - 8),
              (long) random.nextInt(VERTICES - 8),
              random.nextInt(40) / 8.0,
              orNull(random, random.nextInt(5)),
              "edge " + e));
    }
    StructType vertex =
        new StructType()
            .add("id", DataTypes.LongType, false)
            .add("name", DataTypes.StringType)
            .add("n", DataTypes.IntegerType, false)
            .add("x", DataTypes.DoubleType)
            .add(
                "pair",
                new StructType().add("i", DataTypes.IntegerType).add("d", DataTypes.DoubleType));
    StructType edge =
        new StructType()
            .add("src", DataTypes.LongType)
            .add("dst", DataTypes.LongType)
            .add("weight", DataTypes.DoubleType)
            .add("k", DataTypes.IntegerType)
            .add("label", DataTypes.StringType);
    Dataset<Row> ofVertices =
        spark().createDataFrame(vertices, vertex).withColumn("id", col("id").cast(idType));
    Dataset<Row> ofEdges =
        spark()
            .createDataFrame(edges, edge)
            .withColumn("src", col("src").cast(idType))
            .withColumn("dst", col("dst").cast(idType));
    return PropertyGraph.of(ofVertices, ofEdges);
  }

  private static Map<Object, List<Object>> byId(Dataset<Row> table, String... columns) {
    Map<Object, List<Object>> values = new HashMap<>();
    for (Row row : table.select("id", columns).collectAsList()) {
      List<Object> cells = new ArrayList<>();
      for (int i = 1; i <= columns.length; i++) {
        cells.add(row.get(i));
      }
      assertThat(values.put(row.get(0), cells)).isNull();
    }
    assertThat(values).hasSize(VERTICES);
    return values;
  }

  /** The values of each vertex, whatever the type of its id. */
  private static Map<Long, List<Object>> byNumber(Dataset<Row> table, String... columns) {
    Map<Long, List<Object>> values = new HashMap<>();
    byId(table, columns).forEach((id, cells) -> values.put(Long.valueOf(id.toString()), cells));
    return values;
  }

  private static Map<Long, List<Object>> joined(
      PropertyGraph graph, UnaryOperator<Pregel> program, String... columns) {
    return byNumber(program.apply(graph.options(JOINS).pregel()).run(), columns);
  }

  /** One of {@link #programs()}, as joins over numbers have it. */
  private static void sameAsJoins(
      PropertyGraph graph,
      RunOptions options,
      String name,
      UnaryOperator<Pregel> program,
      String... columns) {
    Map<Long, List<Object>> wanted =
        JOINED.computeIfAbsent(name, any -> joined(graph("bigint"), program, columns));
    same(graph, options, wanted, program, columns);
  }

  /** As wanted, up to the order of sums. */
  private static void same(
      PropertyGraph graph,
      RunOptions options,
      Map<Long, List<Object>> wanted,
      UnaryOperator<Pregel> program,
      String... columns) {
    Dataset<Row> result = program.apply(graph.options(options).pregel()).run();
    assertThat(List.of(result.columns())).startsWith(graph.vertices().columns());
    Map<Long, List<Object>> got = byNumber(result, columns);
    for (Long id : wanted.keySet()) {
      for (int i = 0; i < columns.length; i++) {
        assertThat(close(got.get(id).get(i), wanted.get(id).get(i)))
            .as("%s of %s: %s, but joins give %s", columns[i], id, got.get(id), wanted.get(id))
            .isTrue();
      }
    }
  }

  private static boolean close(Object got, Object wanted) {
    if (got instanceof Double a && wanted instanceof Double b) {
      return a.equals(b) || Math.abs(a - b) <= 1e-9 * (1 + Math.abs(b));
    } else if (got instanceof Row a && wanted instanceof Row b) {
      for (int i = 0; i < b.size(); i++) {
        if (!close(a.get(i), b.get(i))) {
          return false;
        }
      }
      return true;
    }
    return got == null ? wanted == null : got.equals(wanted);
  }

  private static Arguments program(String name, UnaryOperator<Pregel> program, String... columns) {
    return Arguments.of(name, program, columns);
  }

  static Stream<Arguments> programs() {
    Column msg = Pregel.msg();
    return Stream.of(
        program(
            "ranks",
            p ->
                p.withVertexColumn(
                        "rank", lit(1.0), coalesce(msg, lit(0.0)).multiply(0.85).plus(0.15))
                    .sendMessageToDst(expr("src.rank / nullif(src.n, 0)"))
                    .aggregateMessages(sum(msg))
                    .setMaxIterations(5),
            "rank"),
        program(
            "shortest paths",
            p ->
                p.withVertexColumn(
                        "distance",
                        expr("case when name = 'name 0' then 0.0D end"),
                        functions.least(col("distance"), msg))
                    .sendMessageToDst(Pregel.src("distance").plus(Pregel.edge("weight")))
                    .aggregateMessages(functions.min(msg))
                    .stopWhen(col("distance").eqNullSafe(Pregel.before("distance")))
                    .setMaxIterations(VERTICES),
            "distance"),
        program(
            "labels both ways",
            p ->
                p.withVertexColumn(
                        "label", col("id").cast("long"), functions.least(col("label"), msg))
                    .sendMessageToDst(Pregel.src("label"))
                    .sendMessageToSrc(Pregel.dst("label"))
                    .aggregateMessages(functions.min(msg))
                    .setMaxIterations(6),
            "label"),
        program(
            "every aggregate",
            p ->
                p.withVertexColumn(
                        "all",
                        expr(
                            "cast(null as struct<s:double,c:bigint,a:double,"
                                + "lo:double,hi:double,d:double,l:bigint,li:int,any:boolean,every:boolean,"
                                + "who:bigint,few:bigint,dev:double>)"),
                        msg)
                    .sendMessageToDst(
                        expr(
                            "struct(src.x as x, edge.k as k, cast(src.id as long) as id, src.n as n,"
                                + " edge.weight as w)"))
                    .aggregateMessages(
                        expr(
                            "struct(sum(_pregel_msg_.x) as s, count(_pregel_msg_.x) as c,"
                                + " avg(_pregel_msg_.x) as a, min(_pregel_msg_.x) as lo,"
                                + " max(_pregel_msg_.w) as hi, sum(_pregel_msg_.w) as d,"
                                + " sum(_pregel_msg_.k) as l, min(_pregel_msg_.k) as li,"
                                + " bool_or(_pregel_msg_.k > 2) as any,"
                                + " bool_and(_pregel_msg_.n > 3) as every,"
                                + " max_by(_pregel_msg_.id, _pregel_msg_.w * 1000 + _pregel_msg_.id)"
                                + " as who,"
                                + " count(*) filter (where _pregel_msg_.k = 1) as few,"
                                + " stddev(_pregel_msg_.w) as dev)"))
                    .setMaxIterations(1),
            "all"),
        program(
            "sums of longs",
            p ->
                p.withVertexColumn("total", lit(0), msg)
                    .withVertexColumn("heard", lit(true), msg.isNotNull())
                    .sendMessageToSrc(
                        functions.when(Pregel.edge("k").gt(1), Pregel.dst("n").minus(5)))
                    .aggregateMessages(sum(msg))
                    .setMaxIterations(2),
            "total",
            "heard"),
        program(
            "counts and averages",
            p ->
                p.withVertexColumn("mean", col("x"), functions.greatest(msg, col("mean")))
                    .sendMessageToDst(Pregel.src("mean"))
                    .sendMessageToSrc(Pregel.edge("weight").cast("double"))
                    .aggregateMessages(functions.avg(msg))
                    .setMaxIterations(3),
            "mean"),
        program(
            "largest",
            p ->
                p.withVertexColumn(
                        "most",
                        expr("named_struct('v', x, 'w', n)"),
                        expr("named_struct('v', greatest(most.v, _pregel_msg_), 'w', most.w + 1)"))
                    .sendMessageToDst(Pregel.src("most").getField("v"))
                    .aggregateMessages(functions.max(msg))
                    .setMaxIterations(4),
            "most"),
        program(
            "structs",
            p ->
                p.withVertexColumn("p", col("pair"), coalesce(msg, col("p")))
                    .sendMessageToDst(Pregel.src("p"))
                    .aggregateMessages(
                        expr("named_struct('i', max(_pregel_msg_.i), 'd', min(_pregel_msg_.d))"))
                    .setMaxIterations(2),
            "p"),
        program(
            "growing types",
            p ->
                p.withVertexColumn("g", lit(1), coalesce(msg, lit(0)).plus(col("g")))
                    .sendMessageToDst(Pregel.src("g").multiply(Pregel.edge("weight")))
                    .aggregateMessages(sum(msg))
                    .setMaxIterations(2),
            "g"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("programs")
  void enginesGiveWhatJoinsGive(String name, UnaryOperator<Pregel> program, String[] columns) {
    sameAsJoins(graph("bigint"), LIFTED, name, program, columns);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("programs")
  @Tag("any-spark")
  void soDoSeveralExecutors(String name, UnaryOperator<Pregel> program, String[] columns) {
    boolean readsIds = name.equals("labels both ways") || name.equals("every aggregate");
    String ids = readsIds ? "bigint" : "string";
    sameAsJoins(graph(ids), LIFTED.withExecutors(3), name, program, columns);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("programs")
  @Tag("any-spark")
  void soDoesAnEmulatedDevice(String name, UnaryOperator<Pregel> program, String[] columns) {
    sameAsJoins(graph("int"), LIFTED.withEngine(EngineChoice.EMULATED), name, program, columns);
  }

  @Tag("gpu")
  @ParameterizedTest(name = "{0}")
  @MethodSource("programs")
  void soDoesAGpu(String name, UnaryOperator<Pregel> program, String[] columns) {
    sameAsJoins(graph("bigint"), LIFTED.withEngine(EngineChoice.CUDA), name, program, columns);
  }

  @ParameterizedTest
  @ValueSource(strings = {"int", "string"})
  @SuppressWarnings("unchecked") // the arguments are those of programs()
  void soDoJoinsOverOtherIds(String ids) {
    Object[] ranks = programs().findFirst().orElseThrow().get();
    sameAsJoins(
        graph(ids),
        JOINS,
        (String) ranks[0],
        (UnaryOperator<Pregel>) ranks[1],
        (String[]) ranks[2]);
  }

  @Test
  void aHeldGraphRunsManyPrograms() {
    try (PropertyGraph held = graph("bigint").options(LIFTED).persistOnDevice()) {
      UnaryOperator<Pregel> count =
          p ->
              p.withVertexColumn("c", lit(0L), coalesce(Pregel.msg(), lit(0L)))
                  .sendMessageToDst(lit(1))
                  .aggregateMessages(functions.count(Pregel.msg()))
                  .setMaxIterations(1);
      Map<Object, List<Object>> degrees = new HashMap<>();
      for (Row row : held.inDegrees().collectAsList()) {
        degrees.put(row.get(0), List.of((long) row.getInt(1)));
      }
      Map<Object, List<Object>> got = byId(count.apply(held.pregel()).run(), "c");
      got.forEach(
          (id, counted) -> assertThat(counted).isEqualTo(degrees.getOrDefault(id, List.of(0L))));
      assertThat(byId(count.apply(held.pregel()).run(), "c")).isEqualTo(got);
    }
  }

  @Test
  void endsThatAreNoVerticesHaveNulls() {
    PropertyGraph graph =
        PropertyGraph.of(
                spark().sql("select 'a' as id, 1 as n"),
                spark().sql("select * from values ('a', 'b'), ('b', 'c') as t(src, dst)"))
            .missing(Missing.ADD)
            .options(LIFTED);
    List<String> rows =
        graph
            .pregel()
            .withVertexColumn("heard", col("n"), coalesce(Pregel.msg(), col("heard")))
            .sendMessageToDst(coalesce(Pregel.src("heard"), lit(7)))
            .aggregateMessages(functions.max(Pregel.msg()))
            .setMaxIterations(1)
            .run()
            .orderBy("id")
            .collectAsList()
            .stream()
            .map(Row::toString)
            .toList();
    assertThat(rows).containsExactly("[a,1,1]", "[b,null,1]", "[c,null,7]");
  }

  @Test
  void graphsOfEdgesAlone() {
    Dataset<Row> edges = spark().sql("select * from values (1, 2), (2, 3), (3, 3) as t(src, dst)");
    List<Row> rows =
        PropertyGraph.ofEdges(edges)
            .options(LIFTED)
            .pregel()
            .withVertexColumn("least", col("id"), functions.least(col("least"), Pregel.msg()))
            .sendMessageToDst(Pregel.src("least"))
            .aggregateMessages(functions.min(Pregel.msg()))
            .run()
            .orderBy("id")
            .collectAsList();
    assertThat(rows.toString()).isEqualTo("[[1,1], [2,1], [3,1]]");
  }

  @Test
  void noVerticesAndNoEdges() {
    Dataset<Row> vertices = spark().sql("select 1L as id where false");
    Dataset<Row> edges = spark().sql("select 1L as src, 2L as dst where false");
    Dataset<Row> result =
        PropertyGraph.of(vertices, edges)
            .options(LIFTED)
            .pregel()
            .withVertexColumn("x", lit(0.0), Pregel.msg())
            .sendMessageToDst(lit(1.0))
            .aggregateMessages(sum(Pregel.msg()))
            .stopWhen(col("x").gt(3))
            .run();
    assertThat(result.collectAsList()).isEmpty();
  }

  @Test
  void itStopsWhenAllAreDone() {
    int[] supersteps = new int[1];
    RunOptions counted =
        LIFTED.withObserver(
            new RunObserver() {
              @Override
              public void finished(RunReport report) {
                supersteps[0] = report.summary().iterations();
              }
            });
    graph("bigint")
        .options(counted)
        .pregel()
        .withVertexColumn("x2", lit(0), col("x2").plus(1))
        .sendMessageToDst(lit(1))
        .aggregateMessages(sum(Pregel.msg()))
        .stopWhen(col("x2").geq(3).and(Pregel.before("x2").equalTo(2)))
        .setMaxIterations(100)
        .run();
    assertThat(supersteps[0]).isEqualTo(3);
  }

  @Test
  void ranksAreTheLibrarys() {
    PropertyGraph graph = graph("bigint");
    Dataset<Row> degrees = graph.outDegrees().withColumnRenamed("id", "of");
    Dataset<Row> vertices =
        graph.vertices().join(degrees, col("id").equalTo(col("of")), "left_outer").drop("of");
    Dataset<Row> ranks =
        PropertyGraph.of(vertices, graph.edges())
            .options(LIFTED)
            .pregel()
            .withVertexColumn(
                "rank", lit(1.0), coalesce(Pregel.msg(), lit(0.0)).multiply(0.85).plus(0.15))
            .sendMessageToDst(Pregel.src("rank").divide(Pregel.src("outDegree")))
            .aggregateMessages(sum(Pregel.msg()))
            .setMaxIterations(7)
            .run();
    // GraphX's ranks, and the library's, are scaled to add up to the number of vertices.
    double sum = ranks.agg(functions.sum("rank")).head().getDouble(0);
    Map<Object, List<Object>> library = byId(graph.pageRank().maxIter(7).run(), "pagerank");
    byId(ranks, "rank")
        .forEach(
            (id, rank) ->
                assertThat((Double) rank.get(0) * VERTICES / sum)
                    .isCloseTo((Double) library.get(id).get(0), within(1e-12)));
  }

  @Test
  @SuppressWarnings("unchecked") // the arguments are those of programs()
  void whatIsNotLoweredRunsOnJoins() {
    UnaryOperator<Pregel> longest =
        p ->
            p.withVertexColumn(
                    "longest", col("name"), functions.greatest(col("longest"), Pregel.msg()))
                .sendMessageToDst(Pregel.src("longest"))
                .aggregateMessages(functions.max(Pregel.msg()))
                .setMaxIterations(2);
    List<GraphProgramRefused> told = new CopyOnWriteArrayList<>();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onOtherEvent(SparkListenerEvent event) {
            if (event instanceof GraphProgramRefused refused) {
              told.add(refused);
            }
          }
        };
    spark().sparkContext().addSparkListener(listener);
    try {
      PropertyGraph graph = graph("bigint");
      same(graph, RunOptions.DEFAULT, joined(graph, longest, "longest"), longest, "longest");
      await(() -> !told.isEmpty());
    } finally {
      spark().sparkContext().removeSparkListener(listener);
    }
    assertThat(told.get(0).instead()).isEqualTo("joins");
    assertThat(told.get(0).reasons().toString()).contains("longest").contains("string");
    Pregel refused = longest.apply(graph("bigint").options(LIFTED).pregel());
    assertThatThrownBy(refused::run)
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("longest")
        .hasMessageContaining("string");
    assertThat(refused.explain()).contains("joins").contains("string");
    assertThat(
            programs()
                .limit(1)
                .map(a -> ((UnaryOperator<Pregel>) a.get()[1]).apply(graph("bigint").pregel()))
                .toList()
                .get(0)
                .explain())
        .contains("engine");
  }

  private static void await(BooleanSupplier condition) {
    for (int i = 0; i < 3000 && !condition.getAsBoolean(); i++) {
      LockSupport.parkNanos(10_000_000);
    }
  }

  @Test
  void badPrograms() {
    PropertyGraph graph = graph("bigint");
    Pregel empty = graph.pregel();
    assertThatThrownBy(empty::run).hasMessageContaining("withVertexColumn");
    assertThatThrownBy(() -> graph.pregel().withVertexColumn("name", lit(1), lit(1)))
        .isInstanceOf(FrameException.class)
        .hasMessageContaining("name");
    assertThatThrownBy(() -> graph.pregel().setMaxIterations(0)).hasMessageContaining("0");
    Pregel twoTypes =
        graph
            .pregel()
            .withVertexColumn("a", lit(1), lit(2))
            .sendMessageToDst(lit(1))
            .sendMessageToSrc(lit(true))
            .aggregateMessages(functions.max(Pregel.msg()));
    assertThatThrownBy(twoTypes::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("int")
        .hasMessageContaining("boolean");
    Pregel another =
        graph
            .pregel()
            .withVertexColumn("a", lit(1), lit("text"))
            .sendMessageToDst(lit(1))
            .aggregateMessages(functions.max(Pregel.msg()));
    assertThatThrownBy(another::run).hasMessageContaining("'a'").hasMessageContaining("string");
    Pregel unknown =
        graph
            .pregel()
            .withVertexColumn("a", lit(1), lit(1))
            .sendMessageToDst(Pregel.src("nowhere"))
            .aggregateMessages(functions.max(Pregel.msg()));
    assertThatThrownBy(unknown::run).hasMessageContaining("nowhere");
  }
}
