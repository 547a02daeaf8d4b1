package org.sparkgpugraph.files;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.testing.SharedSpark;

/** The module's Spark, with a session. */
public final class LocalSpark {
  private LocalSpark() {}

  static SparkSession session() {
    SharedSpark.context();
    return SparkSession.builder().getOrCreate();
  }

  public static JavaSparkContext context() {
    return SharedSpark.context();
  }

  /** One edge as text, {@code source>destination} and {@code :weight} where there is one. */
  public static List<String> edges(JavaRDD<EdgeBlock> blocks) {
    List<String> edges = new ArrayList<>();
    for (EdgeBlock block : blocks.collect()) {
      edges.addAll(edges(block));
    }
    return edges;
  }

  public static List<String> edges(EdgeBlock block) {
    List<String> edges = new ArrayList<>();
    double[] weights = (double[]) block.values();
    for (int i = 0; i < block.size(); i++) {
      edges.add(
          block.source(i) + ">" + block.destination(i) + (weights == null ? "" : ":" + weights[i]));
    }
    return edges;
  }

  /** The first BadInputException among the causes. */
  public static BadInputException badInput(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof BadInputException bad) {
        return bad;
      }
    }
    throw new AssertionError("no BadInputException", error);
  }
}
