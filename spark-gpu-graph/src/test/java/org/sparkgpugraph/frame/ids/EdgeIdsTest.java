package org.sparkgpugraph.frame.ids;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.testing.SharedSpark;

/** The different ends of edges: each once, whatever its length and wherever it stands. */
class EdgeIdsTest {
  private static final long SEED = 5;

  private static Dataset<Row> edges(int count, int partitions) {
    SharedSpark.context();
    SparkSession spark = SparkSession.builder().getOrCreate();
    Random random = new Random(SEED);
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(RowFactory.create(id(random.nextInt(3000)), id(random.nextInt(5000))));
    }
    return spark
        .createDataFrame(
            rows,
            new StructType().add("src", DataTypes.StringType).add("dst", DataTypes.StringType))
        .repartition(partitions);
  }

  /** Empty, short, long, and not of one byte a letter. */
  private static String id(int number) {
    return number == 0 ? "" : "ü".repeat(number % 50) + number;
  }

  private static EdgeIds ids(Dataset<Row> edges, String type) {
    List<Column> ends = List.of(edges.col("src").cast(type), edges.col("dst").cast(type));
    return EdgeIds.of(edges, ends, ends.stream().map(functions::xxhash64).toList()).orElseThrow();
  }

  @Test
  void eachIsThereOnce() {
    Dataset<Row> edges = edges(20_000, 5);
    Set<String> wanted = new HashSet<>();
    for (Row row : edges.collectAsList()) {
      wanted.add(row.getString(0));
      wanted.add(row.getString(1));
    }
    EdgeIds ids = ids(edges, "string");
    List<String> found =
        ids.table(edges.sparkSession(), "id").collectAsList().stream()
            .map(row -> row.getString(0))
            .collect(Collectors.toList());
    assertThat(found).containsExactlyInAnyOrderElementsOf(wanted);
    assertThat(ids.count()).isEqualTo(wanted.size());
    assertThat(ids(edges, "binary").count()).isEqualTo(wanted.size());
  }

  @Test
  void noEdges() {
    Dataset<Row> edges = edges(0, 3);
    assertThat(ids(edges, "string").count()).isZero();
  }

  @Test
  void idsWithOneKeyAreTold() {
    Dataset<Row> edges = edges(200, 4);
    List<Column> ends = List.of(edges.col("src"), edges.col("dst"));
    List<Column> lengths = ends.stream().map(end -> functions.length(end).cast("bigint")).toList();
    assertThat(EdgeIds.of(edges, ends, lengths)).isEmpty();
  }
}
