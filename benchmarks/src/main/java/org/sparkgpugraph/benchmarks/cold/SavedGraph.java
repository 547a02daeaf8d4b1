package org.sparkgpugraph.benchmarks.cold;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.EdgeRDD$;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.impl.EdgePartition;
import org.apache.spark.graphx.impl.EdgeRDDImpl;
import org.apache.spark.graphx.impl.GraphImpl;
import org.apache.spark.graphx.impl.ShippableVertexPartition;
import org.apache.spark.graphx.impl.VertexRDDImpl;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.examples.algorithms.StockGraphX;
import scala.Tuple2;

/**
 * A GraphX graph as files of its partitions, of which a JVM has it in Spark's memory within
 * seconds: GraphX itself takes many times that to make it of edges.
 */
final class SavedGraph {
  private static final String EDGES = "edges";
  private static final String VERTICES = "vertices";

  private SavedGraph() {}

  /** Writes the partitions of a graph into a folder of this host. */
  static void write(Graph<Double, Double> graph, Path folder) throws IOException {
    Files.createDirectories(folder);
    String name = folder.toString();
    ((EdgeRDDImpl<?, ?>) graph.edges())
        .partitionsRDD()
        .toJavaRDD()
        .foreach(pair -> SavedPartitions.write(name, EDGES, (Integer) pair._1(), pair));
    graph
        .vertices()
        .partitionsRDD()
        .toJavaRDD()
        .foreach(
            partition ->
                SavedPartitions.write(name, VERTICES, TaskContext.getPartitionId(), partition));
  }

  /** The graph; in Spark's memory once it is computed. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // as they were written
  static Graph<Double, Double> read(JavaSparkContext sc, Path folder) throws IOException {
    RDD<Tuple2<Object, EdgePartition<Double, Double>>> edges =
        new SavedPartitions(sc, folder, EDGES, Tuple2.class);
    RDD<ShippableVertexPartition<Double>> vertices =
        new SavedPartitions(sc, folder, VERTICES, ShippableVertexPartition.class);
    return GraphImpl.fromExistingRDDs(
            new VertexRDDImpl<>(vertices, StorageLevel.MEMORY_ONLY(), StockGraphX.DOUBLE),
            EdgeRDD$.MODULE$.fromEdgePartitions(edges, StockGraphX.DOUBLE, StockGraphX.DOUBLE),
            StockGraphX.DOUBLE,
            StockGraphX.DOUBLE)
        .cache();
  }
}
