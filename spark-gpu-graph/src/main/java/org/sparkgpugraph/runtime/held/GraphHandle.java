package org.sparkgpugraph.runtime.held;

import java.io.Serializable;
import java.util.List;
import org.sparkgpugraph.graphs.model.VertexOwners;

/**
 * A graph that executors hold, seen from the driver; internal. Its executor graphs are the shards
 * 0…{@link #executors()}−1; {@link ExecutorRegistry} keeps shard i under {@link #key(int)}.
 *
 * @param key of the graph
 * @param locations {@code executor_<host>_<id>} of the owner of each shard; null with a local
 *     master. Not one of the JDK's immutable lists, because null is legal in it
 * @param owners which shard holds which vertices
 * @param vertices number of vertices
 * @param edges number of edges
 * @param bytes bytes of its structure, of all shards
 * @param partitions number of graph partitions, of all shards
 * @param vertexPartitions number of partitions of its source's vertices
 * @param loaded what was loaded beside the structure
 * @param gpuColumns how edges came that RAPIDS might have had on the GPU; null: there is nothing to
 *     tell
 */
public record GraphHandle(
    String key,
    List<String> locations,
    VertexOwners owners,
    long vertices,
    long edges,
    long bytes,
    int partitions,
    int vertexPartitions,
    Needs loaded,
    String gpuColumns)
    implements Serializable {
  /** Number of executor graphs. */
  public int executors() {
    return locations.size();
  }

  /** Key of an executor graph. */
  public String key(int shard) {
    return key(key, shard);
  }

  /**
   * Key under which a shard's part of something is kept in the owner's registry.
   *
   * @param whole key of the whole, such as a result's
   */
  public String key(String whole, int shard) {
    return key(whole, shard, executors());
  }

  /** As {@link #key(String, int)}, for a graph that is not loaded yet. */
  public static String key(String whole, int shard, int executors) {
    return executors == 1 ? whole : shardKey(whole, shard);
  }

  /** Key of one shard's part of something that several executors hold. */
  public static String shardKey(String whole, int shard) {
    return whole + "/" + shard;
  }

  /** Whether vertex attributes are loaded. */
  public boolean hasAttributes() {
    return loaded.attributes();
  }

  /** A graph under another key that was made of this one by leaving something out. */
  public GraphHandle masked(String newKey, List<ShardPiece> pieces, Needs nowLoaded) {
    return new GraphHandle(
        newKey,
        locations,
        owners,
        pieces.stream().mapToLong(ShardPiece::vertices).sum(),
        pieces.stream().mapToLong(ShardPiece::edges).sum(),
        pieces.stream().mapToLong(ShardPiece::bytes).sum(),
        partitions,
        vertexPartitions,
        nowLoaded,
        gpuColumns);
  }

  /** The same graph under another key with vertex attributes. */
  public GraphHandle withAttributes(String newKey) {
    return new GraphHandle(
        newKey,
        locations,
        owners,
        vertices,
        edges,
        bytes,
        partitions,
        vertexPartitions,
        loaded.and(new Needs(true, false, false)),
        gpuColumns);
  }
}
