package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.VertexBlock;
import java.io.Serializable;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * A run's result in the executor that holds it, seen from the driver. With a local master tasks
 * read it in place. On a cluster it leaves through one shuffle, written here and now: the tasks
 * that read it may run anywhere, however long they take.
 */
public final class HeldBlocks implements AutoCloseable {
  private final SparkContext sc;
  private final String key;
  private final String location;
  private final int vertexPartitions;
  private final int ranges;
  private JavaRDD<VertexBlock> vertexBlocks;
  private volatile boolean closed;

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
    if (closed) {
      throw new IllegalStateException("the result " + key + " is closed: run the program again");
    }
    return key;
  }

  /**
   * Ids and values, cut into ranges of dense ids.
   *
   * @throws IllegalStateException when this is closed
   */
  public synchronized JavaRDD<VertexBlock> vertexBlocks() {
    key();
    if (vertexBlocks == null) {
      int parts = ranges;
      vertexBlocks = leave(parts, (result, part) -> result.range(part, parts));
    }
    return vertexBlocks;
  }

  /** One value array per vertex partition of the source, in slot order. */
  JavaRDD<Object> slotArrays() {
    return leave(vertexPartitions, HeldResult::slotArray);
  }

  /** Takes a part out of a result. */
  private interface Part<T> extends Serializable {
    T of(HeldResult result, int part);
  }

  private <T> JavaRDD<T> leave(int parts, Part<T> taken) {
    String resultKey = key();
    if (location == null || parts == 0) {
      return PinnedRdd.of(sc, parts, location)
          .map(part -> taken.of(ExecutorRegistry.result(resultKey), part));
    }
    // As many tasks as the owner runs at once: one that waits may be given to another executor.
    int tasks = Math.min(parts, Executors.cores(sc));
    JavaRDD<T> values =
        PinnedRdd.of(sc, tasks, location)
            .flatMapToPair(
                task -> {
                  HeldResult result = ExecutorRegistry.result(resultKey);
                  return IntStream.iterate(task, part -> part < parts, part -> part + tasks)
                      .mapToObj(part -> new Tuple2<>(part, taken.of(result, part)))
                      .iterator();
                })
            .partitionBy(new PartitionNumbers(parts))
            .values();
    // The shuffle is written by a job that reads a single part.
    OwnerJob.run(sc, key, location, () -> values.map(value -> 0).first());
    return values;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ResidentState.forget(sc, key, location);
    }
  }
}
