package org.sparkgpugraph.runtime.load;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.cluster.Executors;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.PinnedRdd;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeldResult;
import org.sparkgpugraph.runtime.serial.PartitionNumbers;
import org.sparkgpugraph.runtime.serial.SlotPart;
import scala.Tuple2;

/**
 * A run's result in the executors that hold it, seen from the driver. With a local master tasks
 * read it in place. On a cluster it leaves through one shuffle, written here and now: the tasks
 * that read it may run anywhere, however long they take.
 */
public final class HeldBlocks implements AutoCloseable {
  private final SparkContext sc;
  private final String key;
  private final GraphHandle graph;
  private final ValueType type;
  private final int ranges;
  private JavaRDD<VertexBlock> vertexBlocks;
  private volatile boolean closed;

  /**
   * @param key of the result; each shard's part is registered under {@link GraphHandle#key(String,
   *     int)}
   * @param graph that it is a result of
   * @param type of the values
   * @param ranges into about how many blocks the vertices are cut where the source has no vertex
   *     partitions
   */
  public HeldBlocks(SparkContext sc, String key, GraphHandle graph, ValueType type, int ranges) {
    this.sc = sc;
    this.key = key;
    this.graph = graph;
    this.type = type;
    this.ranges = ranges;
  }

  public String key() {
    if (closed) {
      throw new IllegalStateException("the result " + key + " is closed: run the program again");
    }
    ResidentState.checkRunning(sc, "the result " + key);
    return key;
  }

  /** Type of the values. */
  public ValueType type() {
    return type;
  }

  /** The graph that this is a result of. */
  GraphHandle graph() {
    return graph;
  }

  /** Why RAPIDS does not take its columns from this process' heap; empty: it does. */
  public Optional<String> columnsObstacle() {
    return GpuColumns.resultObstacle(sc, graph, type);
  }

  /**
   * The values where all of them are in this process, which has no {@link #columnsObstacle}.
   *
   * @throws IllegalStateException when this is closed
   */
  public HeldResult here() {
    return ExecutorRegistry.result(graph.key(key(), 0));
  }

  /**
   * Ids and values, cut into ranges of ascending ids.
   *
   * @throws IllegalStateException when this is closed
   */
  public synchronized JavaRDD<VertexBlock> vertexBlocks() {
    key();
    if (vertexBlocks == null) {
      int each = rangesOfShard();
      vertexBlocks =
          leave(graph.executors() * each, each, (result, part) -> result.range(part, each));
    }
    return vertexBlocks;
  }

  /**
   * As {@link #vertexBlocks}, with the values as {@link org.sparkgpugraph.graphs.memory.Columns}.
   */
  public JavaRDD<VertexBlock> columnBlocks() {
    int each = rangesOfShard();
    return leave(graph.executors() * each, each, (result, part) -> result.columns(part, each));
  }

  private int rangesOfShard() {
    int shards = graph.executors();
    return (ranges + shards - 1) / shards;
  }

  /** Number of vertices. */
  public long vertices() {
    return graph.vertices();
  }

  /**
   * One value array per vertex partition of the source, in slot order; {@link
   * org.sparkgpugraph.graphs.model.SlotValues} where components of them are the source's.
   */
  public JavaRDD<Object> slotArrays() {
    int parts = graph.vertexPartitions();
    return graph.executors() == 1 && !type.hasCarried()
        ? leave(parts, parts, HeldResult::slotArray)
        : slots(SlotPart::assemble);
  }

  /**
   * What an assembly makes of the values of each vertex partition of the source.
   *
   * @param assembly makes it in the task that reads it
   */
  public <T> JavaRDD<T> slots(SlotPart.Assembly<T> assembly) {
    int parts = graph.vertexPartitions();
    ValueType valueType = type;
    if (inPlace(parts)) {
      List<String> keys = keys();
      return PinnedRdd.of(
          sc,
          Collections.nCopies(parts, null),
          part -> {
            List<SlotPart> all = new ArrayList<>();
            keys.forEach(shard -> all.add(ExecutorRegistry.result(shard).slotPart(part)));
            return assembly.of(valueType, all.iterator());
          });
    }
    return leave(parts, parts, HeldResult::slotPart)
        .mapPartitions(all -> List.of(assembly.of(valueType, all)).iterator(), true);
  }

  /** Takes a part out of a shard's result. */
  private interface Part<T> extends Serializable {
    T of(HeldResult result, int part);
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    for (int shard = 0; shard < graph.executors(); shard++) {
      keys.add(graph.key(key(), shard));
    }
    return keys;
  }

  /** Whether the tasks that read the result run in the JVM that holds it. */
  private boolean inPlace(int parts) {
    return graph.locations().get(0) == null || parts == 0;
  }

  /**
   * @param parts that arrive
   * @param each parts that every shard sends: its own, or some of every part
   */
  private <T> JavaRDD<T> leave(int parts, int each, Part<T> taken) {
    List<String> keys = keys();
    if (inPlace(parts)) {
      return PinnedRdd.of(
          sc,
          Collections.nCopies(parts, graph.locations().get(0)),
          part -> taken.of(ExecutorRegistry.result(keys.get(part / each)), part % each));
    }
    // As many tasks as the owners run at once: one that waits may be given to another executor.
    int tasks = Math.min(each, Executors.cores(sc));
    List<String> places = new ArrayList<>();
    for (String location : graph.locations()) {
      IntStream.range(0, tasks).forEach(task -> places.add(location));
    }
    boolean own = parts > each;
    JavaRDD<T> values =
        PinnedRdd.of(sc, places)
            .flatMapToPair(
                index -> {
                  int shard = index / tasks;
                  HeldResult result = ExecutorRegistry.result(keys.get(shard));
                  return IntStream.iterate(index % tasks, part -> part < each, p -> p + tasks)
                      .mapToObj(
                          part ->
                              new Tuple2<>(
                                  own ? shard * each + part : part, taken.of(result, part)))
                      .iterator();
                })
            .partitionBy(new PartitionNumbers(parts))
            .values();
    // The shuffle is written by a job that reads a single part.
    JobDescription.of(
        sc,
        "collecting values",
        () -> OwnerJob.run(sc, key, graph.locations(), () -> values.map(value -> 0).take(1)));
    return values;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      ResidentState.forget(sc, key, graph.locations());
    }
  }
}
