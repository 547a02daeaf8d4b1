package org.sparkgpugraph.frame.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.testing.SharedSpark;

/** The query by which edges are sent to their shards, as Spark itself runs it. */
@ExtendWith(SharedSpark.class)
class SentEdgesTest {
  private static IdRanges ranges(int shards) {
    long[] cuts = new long[shards - 1];
    for (int c = 0; c < cuts.length; c++) {
      cuts[c] = 10L * c;
    }
    return new IdRanges(cuts);
  }

  /** By the hash that Spark's partitioning takes. */
  @Test
  void keysAreHashedToTheirShards(JavaSparkContext sc) {
    StringBuilder rows = new StringBuilder();
    int expected = 0;
    for (int shards = 1; shards < 20; shards++) {
      for (int tasks : new int[] {1, 2, 5}) {
        OwnerKeys keys = new OwnerKeys(ranges(shards), tasks);
        int partitions = shards * tasks;
        for (int partition = 0; partition < partitions; partition++) {
          rows.append(rows.isEmpty() ? "" : ", ")
              .append("(%d, %d, %d)".formatted(partitions, partition, keys.key(partition)));
        }
        expected += partitions;
      }
    }
    Dataset<Row> all =
        SparkSession.builder()
            .getOrCreate()
            .sql("values " + rows)
            .toDF("partitions", "partition", "key");
    assertThat(all.count()).isEqualTo(expected);
    assertThat(all.where("pmod(hash(key), partitions) != partition").count()).isZero();
  }

  @Test
  void aPartitionHasItsKey(JavaSparkContext sc) {
    for (int partitions : new int[] {1, 2, 12}) {
      OwnerKeys keys = new OwnerKeys(ranges(partitions), 3);
      Dataset<Row> numbers =
          SparkSession.builder()
              .getOrCreate()
              .range(3L * partitions)
              .selectExpr("cast(id as int) as partition");
      for (Row row :
          numbers.withColumn("key", keys.of(functions.col("partition"))).collectAsList()) {
        assertThat(row.getInt(1)).isEqualTo(keys.key(row.getInt(0)));
      }
    }
  }

  @Test
  void aVertexHasItsShard(JavaSparkContext sc) {
    long[] ids = {Long.MIN_VALUE, -301, -300, -1, 0, 1, 6, 7, 8, 1L << 40, Long.MAX_VALUE};
    Dataset<Row> table =
        SparkSession.builder()
            .getOrCreate()
            .createDataset(
                Arrays.stream(ids).boxed().toList(), org.apache.spark.sql.Encoders.LONG())
            .toDF("id");
    for (IdRanges ranges :
        List.of(
            new IdRanges(),
            new IdRanges(0),
            new IdRanges(-300, 0, 0, 7, 8),
            new IdRanges(Long.MIN_VALUE, 7),
            new IdRanges(7, 7, Long.MAX_VALUE),
            new IdRanges(Long.MIN_VALUE, Long.MIN_VALUE))) {
      OwnerKeys keys = new OwnerKeys(ranges, 2);
      for (Row row : table.withColumn("shard", keys.shard(functions.col("id"))).collectAsList()) {
        assertThat(row.getInt(1))
            .as("%s of %s", row, ranges)
            .isEqualTo(ranges.shardOf(row.getLong(0)));
      }
    }
  }

  /**
   * Each edge is where its ends are, once, with all between the same vertices, and in the order of
   * the table.
   */
  @Test
  void partitionsAreShards(JavaSparkContext sc) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    String adaptive = spark.conf().get("spark.sql.adaptive.enabled");
    try {
      for (boolean adapts : new boolean[] {false, true}) {
        spark.conf().set("spark.sql.adaptive.enabled", adapts);
        for (int shards : new int[] {2, 3, 7}) {
          for (int tasks : new int[] {1, 4}) {
            check(spark, ranges(shards), tasks, false);
            check(spark, ranges(shards), tasks, true);
          }
        }
      }
    } finally {
      spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    }
  }

  private static void check(SparkSession spark, IdRanges ranges, int tasks, boolean weights) {
    Dataset<Row> edges =
        spark
            .range(0, 500, 1, 4)
            .selectExpr(
                "pmod(id * 7919, 37) as src",
                "pmod(id * id, 23) as dst",
                weights ? "cast(id as double) as weight" : "1 as one")
            .select(
                weights
                    ? new org.apache.spark.sql.Column[] {
                      functions.col("src"), functions.col("dst"), functions.col("weight")
                    }
                    : new org.apache.spark.sql.Column[] {
                      functions.col("src"), functions.col("dst")
                    });
    List<Row> all = edges.collectAsList();
    List<List<Row>> sent =
        new SentEdges(edges, any -> "any").query(ranges, tasks).toJavaRDD().glom().collect();
    assertThat(sent).hasSize(ranges.shards() * tasks);
    for (int shard = 0; shard < ranges.shards(); shard++) {
      List<Row> expected = new ArrayList<>();
      for (Row edge : all) {
        if (ranges.shardOf(edge.getLong(0)) == shard || ranges.shardOf(edge.getLong(1)) == shard) {
          expected.add(edge);
        }
      }
      List<List<Row>> parts = sent.subList(shard * tasks, (shard + 1) * tasks);
      List<Row> together = new ArrayList<>();
      Map<List<Object>, Integer> partOf = new HashMap<>();
      for (int part = 0; part < tasks; part++) {
        together.addAll(parts.get(part));
        for (Row edge : parts.get(part)) {
          Integer other = partOf.put(List.of(edge.get(0), edge.get(1)), part);
          assertThat(other == null || other == part).as("%s is in one part", edge).isTrue();
        }
        if (weights) {
          List<Row> here = parts.get(part);
          assertThat(here).isEqualTo(expected.stream().filter(here::contains).toList());
        }
      }
      assertThat(together).containsExactlyInAnyOrderElementsOf(expected);
      if (expected.size() > 100) {
        assertThat(parts).as("parts of many edges").noneMatch(List::isEmpty);
      }
    }
  }
}
