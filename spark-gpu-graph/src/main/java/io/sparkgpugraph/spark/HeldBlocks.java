package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.VertexBlock;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;

/**
 * A run's result in the executor that holds it, seen from the driver. With a local master tasks
 * read it in place; on a cluster it leaves through one shuffle.
 */
public final class HeldBlocks implements AutoCloseable {
  private final SparkContext sc;
  private final String key;
  private final String location;
  private final int vertexPartitions;
  private final int ranges;

  /**
   * @param vertexPartitions partitions of the source's vertices, 0 when it has none
   * @param ranges into how many blocks the vertices are cut otherwise
   */
  HeldBlocks(SparkContext sc, String key, String location, int vertexPartitions, int ranges) {
    this.sc = sc;
    this.key = key;
    this.location = location;
    this.vertexPartitions = vertexPartitions;
    this.ranges = ranges;
  }

  String key() {
    return key;
  }

  /** Ids and values, cut into ranges of dense ids. */
  public JavaRDD<VertexBlock> vertexBlocks() {
    String resultKey = key;
    int parts = ranges;
    return PinnedRdd.of(sc, parts, location)
        .map(part -> ExecutorRegistry.result(resultKey).range(part, parts));
  }

  /** One value array per vertex partition of the source, in slot order. */
  JavaRDD<Object> slotArrays() {
    String resultKey = key;
    JavaRDD<Integer> parts = PinnedRdd.of(sc, vertexPartitions, location);
    if (location == null) {
      return parts.map(part -> ExecutorRegistry.result(resultKey).slotArray(part));
    }
    return parts
        .mapToPair(
            part -> new scala.Tuple2<>(part, ExecutorRegistry.result(resultKey).slotArray(part)))
        .partitionBy(new PartitionNumbers(vertexPartitions))
        .values();
  }

  @Override
  public void close() {
    ResidentState.forget(sc, key, location);
  }
}
