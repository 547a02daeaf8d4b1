package io.sparkgpugraph.io;

import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.testing.SharedSpark;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** The module's Spark, with a session. */
final class LocalSpark {
  private LocalSpark() {}

  static SparkSession session() {
    SharedSpark.context();
    return SparkSession.builder().getOrCreate();
  }

  static JavaSparkContext context() {
    return SharedSpark.context();
  }

  /** One edge as text, {@code source>destination} and {@code :weight} where there is one. */
  static List<String> edges(JavaRDD<EdgeBlock> blocks) {
    List<String> edges = new ArrayList<>();
    for (EdgeBlock block : blocks.collect()) {
      edges.addAll(edges(block));
    }
    return edges;
  }

  static List<String> edges(EdgeBlock block) {
    List<String> edges = new ArrayList<>();
    double[] weights = (double[]) block.values();
    for (int i = 0; i < block.size(); i++) {
      edges.add(
          block.source(i) + ">" + block.destination(i) + (weights == null ? "" : ":" + weights[i]));
    }
    return edges;
  }

  /** The first BadInputException among the causes. */
  static BadInputException badInput(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof BadInputException bad) {
        return bad;
      }
    }
    throw new AssertionError("no BadInputException", error);
  }
}
