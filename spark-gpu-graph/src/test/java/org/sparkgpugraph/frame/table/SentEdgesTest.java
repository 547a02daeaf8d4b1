package org.sparkgpugraph.frame.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
    for (int shards = 1; shards < 40; shards++) {
      OwnerKeys keys = new OwnerKeys(ranges(shards));
      for (int shard = 0; shard < shards; shard++) {
        rows.append(rows.isEmpty() ? "" : ", ")
            .append("(%d, %d, %d)".formatted(shards, shard, keys.key(shard)));
      }
    }
    Dataset<Row> all =
        SparkSession.builder().getOrCreate().sql("values " + rows).toDF("shards", "shard", "key");
    assertThat(all.count()).isEqualTo(39 * 40 / 2);
    assertThat(all.where("pmod(hash(key), shards) != shard").count()).isZero();
  }

  @Test
  void aVertexHasTheKeyOfItsShard(JavaSparkContext sc) {
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
      OwnerKeys keys = new OwnerKeys(ranges);
      for (Row row : table.withColumn("key", keys.of(functions.col("id"))).collectAsList()) {
        assertThat(row.getInt(1))
            .as("%s of %s", row, ranges)
            .isEqualTo(keys.key(ranges.shardOf(row.getLong(0))));
      }
    }
  }

  /** Each edge is where its ends are, once, and in the order of the table. */
  @Test
  void partitionsAreShards(JavaSparkContext sc) {
    SparkSession spark = SparkSession.builder().getOrCreate();
    String adaptive = spark.conf().get("spark.sql.adaptive.enabled");
    try {
      for (boolean adapts : new boolean[] {false, true}) {
        spark.conf().set("spark.sql.adaptive.enabled", adapts);
        for (int shards : new int[] {2, 3, 7}) {
          for (boolean weights : new boolean[] {false, true}) {
            check(spark, ranges(shards), weights);
          }
        }
      }
    } finally {
      spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    }
  }

  private static void check(SparkSession spark, IdRanges ranges, boolean weights) {
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
        new SentEdges(edges, any -> "any").query(ranges).toJavaRDD().glom().collect();
    assertThat(sent).hasSize(ranges.shards());
    for (int shard = 0; shard < sent.size(); shard++) {
      List<Row> expected = new ArrayList<>();
      for (Row edge : all) {
        if (ranges.shardOf(edge.getLong(0)) == shard || ranges.shardOf(edge.getLong(1)) == shard) {
          expected.add(edge);
        }
      }
      if (weights) {
        assertThat(sent.get(shard)).isEqualTo(expected);
      } else {
        assertThat(sent.get(shard)).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }
}
