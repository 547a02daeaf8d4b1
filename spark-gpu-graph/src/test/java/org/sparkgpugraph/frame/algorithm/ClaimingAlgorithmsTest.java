package org.sparkgpugraph.frame.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.frame.Missing;
import org.sparkgpugraph.frame.PropertyGraph;
import org.sparkgpugraph.testing.SharedSpark;

/**
 * Matchings, colourings and spanning forests of tables are what these words mean, whatever the ids
 * are: their results name other vertices.
 */
@Tag("any-spark-4")
class ClaimingAlgorithmsTest {
  private static final long SEED = 23;
  private static final int VERTICES = 40;

  /** Vertices from here on have no edge. */
  private static final int CONNECTED = 34;

  private static SparkSession spark() {
    SharedSpark.context();
    return SparkSession.builder().getOrCreate();
  }

  /** With loops, parallel edges, and weights that are negative, zero and the same. */
  private static Dataset<Row> edges() {
    Random random = new Random(SEED);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      rows.add(
          RowFactory.create(
              (long) random.nextInt(CONNECTED),
              (long) random.nextInt(CONNECTED),
              random.nextInt(12) - 5.0));
    }
    rows.add(RowFactory.create(7L, 7L, -90.0));
    rows.add(RowFactory.create(rows.get(0).getLong(1), rows.get(0).getLong(0), -7.0));
    return spark()
        .createDataFrame(
            rows,
            new StructType()
                .add("src", DataTypes.LongType)
                .add("dst", DataTypes.LongType)
                .add("cost", DataTypes.DoubleType));
  }

  private static Column as(String type, Column number) {
    return switch (type) {
      case "string" -> functions.concat(functions.lit("vertex "), number);
      case "struct" -> functions.struct(number.mod(7).as("a"), number.cast("string").as("b"));
      default -> number.cast(type);
    };
  }

  private record Edge(Object source, Object destination, double cost) {}

  /** A result: its schema, and its rows by id. */
  private record Result(StructType schema, Map<Object, Row> rows) {
    static Result of(Dataset<Row> table) {
      Map<Object, Row> rows = new HashMap<>();
      for (Row row : table.collectAsList()) {
        assertThat(rows.put(row.getAs("id"), row)).isNull();
      }
      return new Result(table.schema(), rows);
    }

    Object of(Object id, String column) {
      return rows.get(id).getAs(column);
    }

    DataType type(String column) {
      return schema.apply(column).dataType();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "string, listed",
    "int, alone",
    "string, alone",
    "struct, some listed",
    "bigint, some listed"
  })
  void ofIdsOfEveryType(String type, String vertices) {
    Dataset<Row> table =
        edges()
            .select(
                as(type, functions.col("src")).as("src"),
                functions.col("cost"),
                as(type, functions.col("dst")).as("dst"));
    Dataset<Row> listed =
        spark()
            .range(vertices.equals("listed") ? 0 : 5, VERTICES)
            .select(
                as(type, functions.col("id")).as("id"),
                functions.concat(functions.lit("n"), functions.col("id")).as("name"));
    List<Edge> edges =
        table.collectAsList().stream()
            .map(row -> new Edge(row.get(0), row.get(2), row.getDouble(1)))
            .toList();
    Set<Object> ids = new HashSet<>();
    edges.forEach(edge -> ids.addAll(List.of(edge.source, edge.destination)));
    Map<Object, String> names = new HashMap<>();
    if (!vertices.equals("alone")) {
      listed.collectAsList().forEach(row -> names.put(row.get(0), row.getString(1)));
      ids.addAll(names.keySet());
    }
    PropertyGraph graph =
        vertices.equals("alone")
            ? PropertyGraph.ofEdges(table)
            : PropertyGraph.of(listed, table).missing(Missing.ADD);
    DataType idType = table.schema().apply("src").dataType();
    try (PropertyGraph held = graph.persistOnDevice("cost")) {
      for (Result result :
          List.of(
              colouring(Result.of(held.graphColouring().run()), edges),
              matching(Result.of(held.maximalMatching().run()), edges, idType),
              forest(
                  Result.of(held.minimumSpanningForest().weight("cost").run()), edges, idType))) {
        assertThat(result.rows.keySet()).isEqualTo(ids);
        if (!vertices.equals("alone")) {
          ids.forEach(id -> assertThat(result.of(id, "name")).isEqualTo(names.get(id)));
        }
      }
    }
  }

  private static Result colouring(Result found, List<Edge> edges) {
    assertThat(found.schema.apply("colour"))
        .isEqualTo(new StructField("colour", DataTypes.IntegerType, false, Metadata.empty()));
    Map<Object, Set<Object>> neighbours = new HashMap<>();
    for (Edge edge : edges) {
      if (!edge.source.equals(edge.destination)) {
        assertThat(found.of(edge.source, "colour"))
            .as("%s", edge)
            .isNotEqualTo(found.of(edge.destination, "colour"));
        neighbours.computeIfAbsent(edge.source, any -> new HashSet<>()).add(edge.destination);
        neighbours.computeIfAbsent(edge.destination, any -> new HashSet<>()).add(edge.source);
      }
    }
    int most = neighbours.values().stream().mapToInt(Set::size).max().orElseThrow();
    for (Object id : found.rows.keySet()) {
      assertThat((int) found.of(id, "colour")).isBetween(0, neighbours.containsKey(id) ? most : 0);
    }
    return found;
  }

  private static Result matching(Result found, List<Edge> edges, DataType idType) {
    assertThat(found.type("partner")).isEqualTo(idType);
    Map<Object, Set<Object>> neighbours = new HashMap<>();
    for (Edge edge : edges) {
      neighbours.computeIfAbsent(edge.source, any -> new HashSet<>()).add(edge.destination);
      neighbours.computeIfAbsent(edge.destination, any -> new HashSet<>()).add(edge.source);
      if (!edge.source.equals(edge.destination)) {
        assertThat(
                Arrays.asList(
                    found.of(edge.source, "partner"), found.of(edge.destination, "partner")))
            .as("partners of the ends of %s", edge)
            .isNotEqualTo(Arrays.asList(null, null));
      }
    }
    for (Object id : found.rows.keySet()) {
      Object partner = found.of(id, "partner");
      if (partner != null) {
        assertThat(partner).isNotEqualTo(id);
        assertThat(neighbours.get(id)).contains(partner);
        assertThat(found.of(partner, "partner")).isEqualTo(id);
      }
    }
    return found;
  }

  private static Result forest(Result found, List<Edge> edges, DataType idType) {
    assertThat(found.type("component")).isEqualTo(DataTypes.LongType);
    assertThat(found.type("parent")).isEqualTo(idType);
    assertThat(found.type("weight")).isEqualTo(DataTypes.DoubleType);
    double sum = 0;
    Map<Object, Object> roots = new HashMap<>();
    for (Object id : found.rows.keySet()) {
      Object parent = found.of(id, "parent");
      Object weight = found.of(id, "weight");
      if (parent == null) {
        assertThat(weight).isNull();
        assertThat(roots.put(found.of(id, "component"), id)).as("two roots").isNull();
      } else {
        assertThat(edges)
            .containsAnyOf(
                new Edge(id, parent, (double) weight), new Edge(parent, id, (double) weight));
        sum += (double) weight;
      }
    }
    for (Object id : found.rows.keySet()) {
      Object at = id;
      for (int steps = 0; found.of(at, "parent") != null; steps++) {
        assertThat(steps).as("a cycle from %s", id).isLessThan(VERTICES);
        at = found.of(at, "parent");
      }
      assertThat(roots.get(found.of(id, "component"))).as("root of %s", id).isEqualTo(at);
    }
    Map<Object, Object> components = new HashMap<>();
    found.rows.keySet().forEach(id -> components.put(id, id));
    double least = 0;
    int chosen = 0;
    for (Edge edge : edges.stream().sorted(Comparator.comparingDouble(Edge::cost)).toList()) {
      Object first = components.get(edge.source);
      Object second = components.get(edge.destination);
      if (!first.equals(second)) {
        components.replaceAll((id, of) -> of.equals(second) ? first : of);
        least += edge.cost;
        chosen++;
      }
    }
    assertThat(sum).as("Kruskal's sum").isEqualTo(least);
    assertThat(roots).hasSize(found.rows.size() - chosen);
    return found;
  }

  @Test
  void seedsGiveOtherResults() {
    try (PropertyGraph graph = PropertyGraph.ofEdges(edges()).persistOnDevice()) {
      assertThat(Result.of(graph.maximalMatching().seed(2).run()))
          .isNotEqualTo(Result.of(graph.maximalMatching().run()));
      assertThat(Result.of(graph.graphColouring().seed(2).run()))
          .isNotEqualTo(Result.of(graph.graphColouring().run()));
    }
  }

  @Test
  void ofNoEdges() {
    Dataset<Row> none = spark().sql("select 'a' as src, 'b' as dst, 1D as cost where false");
    PropertyGraph graph = PropertyGraph.of(spark().sql("select 'c' as id"), none);
    assertThat(graph.graphColouring().run().collectAsList()).hasToString("[[c,0]]");
    assertThat(graph.maximalMatching().run().collectAsList()).hasToString("[[c,null]]");
    Row lonely = graph.minimumSpanningForest().weight("cost").run().head();
    assertThat(lonely.isNullAt(2) && lonely.isNullAt(3)).isTrue();
  }

  /** Who has no use for keys reads ids in the error, also of other algorithms with weights. */
  @ParameterizedTest
  @ValueSource(strings = {"bigint", "string"})
  void refusesWeights(String type) {
    Dataset<Row> edges =
        spark()
            .sql(
                "select cast(src as %s) as src, cast(dst as %s) as dst, double(w) as w, kind from values"
                        .formatted(type, type)
                    + " ('1', '2', '3', 'good'), ('2', '3', 'NaN', 'bad'),"
                    + " ('3', '4', '-1', 'negative') as t(src, dst, w, kind)");
    PropertyGraph graph = PropertyGraph.ofEdges(edges);
    refused(
        graph.minimumSpanningForest().weight("w"),
        "the weight of edge 2 → 3 is NaN: a spanning forest needs weights that are finite numbers;"
            + " leave such edges out, or change their values");
    refused(
        PropertyGraph.ofEdges(edges.filter("kind <> 'bad'"))
            .distances()
            .source(type.equals("string") ? "3" : 3L)
            .weight("w"),
        "the weight of edge 3 → 4 is -1.0: shortest paths need weights of 0 or more; leave such"
            + " edges out, or change their values");
    refused(
        PropertyGraph.ofEdges(
                edges.withColumn("w", functions.expr("if(kind = 'bad', null, double(1))")))
            .minimumSpanningForest()
            .weight("w"),
        "column 'w' of the edges is null in [2,3,null,bad]: filter such rows out");
    refused(
        graph.minimumSpanningForest().weight("kind"),
        "column 'kind' of the edges is of type string, but weights are numbers: cast it to double");
    assertThatThrownBy(() -> graph.minimumSpanningForest().run())
        .hasMessage("weight is not set: give a column");
  }

  private static void refused(FrameAlgorithm algorithm, String message) {
    assertThatThrownBy(algorithm::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
