package org.sparkgpugraph.benchmarks.comparison;

import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import org.sparkgpugraph.files.generate.RmatGraph;

/** The GraphX graph of these benchmarks: R-MAT with 16 edges per vertex, always the same. */
final class RmatGraphX {
  static final int EDGE_FACTOR = 16;
  static final long SEED = 1;

  private RmatGraphX() {}

  /** Will be in Spark's memory when it is computed. */
  static Graph<Double, Double> cached(
      JavaSparkContext sc, int scale, int partitions, boolean weighted) {
    return StockGraphX.graph(
            new RmatGraph(scale, EDGE_FACTOR, SEED).edges(sc, partitions, weighted, false),
            null,
            StorageLevel.MEMORY_ONLY())
        .cache();
  }
}
