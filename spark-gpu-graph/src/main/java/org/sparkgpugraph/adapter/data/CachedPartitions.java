package org.sparkgpugraph.adapter.data;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.graphx.Graph;
import org.apache.spark.graphx.impl.EdgePartition;
import org.apache.spark.graphx.impl.EdgeRDDImpl;
import org.apache.spark.graphx.impl.ShippableVertexPartition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockResult;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.storage.memory.MemoryStore;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import scala.Option;
import scala.Tuple2;

/**
 * A GraphX graph's partitions that this JVM's Spark keeps in memory as they are, taken from there
 * without a job: with a local master a job would do nothing else, in a task for each partition.
 */
public final class CachedPartitions {
  private CachedPartitions() {}

  /**
   * The blocks of all edge partitions, in their order.
   *
   * @return null when not all are in memory, or this Spark's are not read {@linkplain
   *     GraphXReader#edgeBlocks directly}
   */
  public static List<List<EdgeBlock>> edges(Graph<?, ?> graph) {
    if (!(graph.edges() instanceof EdgeRDDImpl<?, ?> edges) || !EdgePartitionFields.available()) {
      return null;
    }
    List<List<Object>> partitions = all(edges.partitionsRDD());
    if (partitions == null) {
      return null;
    }
    List<List<EdgeBlock>> blocks = new ArrayList<>();
    for (List<Object> partition : partitions) {
      List<EdgeBlock> some = new ArrayList<>();
      partition.forEach(
          numbered ->
              some.add(GraphXReader.block((EdgePartition<?, ?>) ((Tuple2<?, ?>) numbered)._2())));
      blocks.add(some);
    }
    return blocks;
  }

  /**
   * The blocks of all vertex partitions, in their order, each made when it is asked for.
   *
   * @return null when not all are in memory
   */
  public static List<Supplier<VertexBlock>> vertices(Graph<?, ?> graph) {
    List<List<Object>> partitions = all(graph.vertices().partitionsRDD());
    if (partitions == null || partitions.stream().anyMatch(partition -> partition.size() != 1)) {
      return null;
    }
    List<Supplier<VertexBlock>> blocks = new ArrayList<>();
    for (List<Object> partition : partitions) {
      ShippableVertexPartition<?> only = (ShippableVertexPartition<?>) partition.get(0);
      blocks.add(() -> GraphXReader.block(only));
    }
    return blocks;
  }

  /**
   * The names of the blocks of all partitions of a graph.
   *
   * @return null when not all are in memory
   */
  static List<BlockId> blocks(Graph<?, ?> graph) {
    if (!(graph.edges() instanceof EdgeRDDImpl<?, ?> edges)
        || !areInMemory(edges.partitionsRDD())
        || !areInMemory(graph.vertices().partitionsRDD())) {
      return null;
    }
    List<BlockId> blocks = new ArrayList<>(ids(edges.partitionsRDD()));
    blocks.addAll(ids(graph.vertices().partitionsRDD()));
    return blocks;
  }

  /** Blocks that can be neither evicted nor removed. */
  static final class Held implements AutoCloseable {
    private final List<JavaIterator<?>> reading = new ArrayList<>();

    private boolean add(BlockId block) {
      Option<BlockResult> found = SparkEnv.get().blockManager().getLocalValues(block);
      if (found.isDefined()) {
        reading.add(new JavaIterator<>(found.get().data()));
      }
      return found.isDefined();
    }

    /** Lets go of them, on the thread that holds them. */
    @Override
    public void close() {
      // To the end: that unlocks the blocks.
      reading.forEach(elements -> elements.forEachRemaining(element -> {}));
    }
  }

  /**
   * Holds blocks in the name of the task that runs on this thread.
   *
   * @return null, and none are held, when one is not here
   */
  static Held hold(List<BlockId> blocks) {
    Held held = new Held();
    for (BlockId block : blocks) {
      if (!held.add(block)) {
        held.close();
        return null;
      }
    }
    return held;
  }

  private static boolean areInMemory(RDD<?> rdd) {
    if (rdd.context().isStopped()) {
      return false;
    }
    StorageLevel level = rdd.getStorageLevel();
    if (!level.useMemory() || !level.deserialized()) {
      return false;
    }
    MemoryStore memory = SparkEnv.get().blockManager().memoryStore();
    return ids(rdd).stream().allMatch(memory::contains);
  }

  /** The names of the blocks of all partitions of an RDD. */
  private static List<BlockId> ids(RDD<?> rdd) {
    return IntStream.range(0, rdd.getNumPartitions())
        .<BlockId>mapToObj(p -> new RDDBlockId(rdd.id(), p))
        .toList();
  }

  /** The elements of each partition; null when one is not there. */
  private static List<List<Object>> all(RDD<?> rdd) {
    if (!areInMemory(rdd)) {
      return null;
    }
    List<List<Object>> partitions = new ArrayList<>();
    for (BlockId block : ids(rdd)) {
      List<Object> elements = elements(block);
      if (elements == null) {
        return null;
      }
      partitions.add(elements);
    }
    return partitions;
  }

  /** The elements of a block; null when it was removed meanwhile. */
  private static List<Object> elements(BlockId block) {
    BlockManager manager = SparkEnv.get().blockManager();
    Option<BlockResult> found = manager.getLocalValues(block);
    if (found.isEmpty()) {
      return null;
    }
    List<Object> elements = new ArrayList<>();
    try {
      // To the end: that unlocks the block.
      new JavaIterator<>(found.get().data()).forEachRemaining(elements::add);
    } catch (Throwable e) {
      // Nobody else does where no task runs.
      manager.releaseLock(block, Option.empty());
      throw e;
    }
    return elements;
  }
}
