package io.sparkgpugraph.spark;

import java.io.Serializable;
import java.util.List;

/**
 * A graph that executors hold, seen from the driver; internal. Its executor graphs are numbered;
 * {@link ExecutorRegistry} keeps number i under {@link #key(int)}.
 *
 * @param key of the graph
 * @param locations {@code executor_<host>_<id>} of the owner of each executor graph; null with a
 *     local master
 * @param vertices number of vertices
 * @param edges number of edges
 * @param bytes bytes of its structure
 * @param partitions number of graph partitions
 * @param vertexPartitions number of partitions of its source's vertices
 * @param hasAttributes whether vertex attributes were loaded
 * @param hasEdgeValues whether edge values were loaded
 */
public record GraphHandle(
    String key,
    List<String> locations,
    long vertices,
    long edges,
    long bytes,
    int partitions,
    int vertexPartitions,
    boolean hasAttributes,
    boolean hasEdgeValues)
    implements Serializable {
  /** Number of executor graphs. */
  public int executors() {
    return locations.size();
  }

  /** Key of an executor graph. */
  public String key(int executor) {
    return executors() == 1 ? key : key + "/" + executor;
  }

  /** Owner of the only executor graph. */
  public String location() {
    if (executors() != 1) {
      throw new IllegalStateException(key + " is held by " + executors() + " executors");
    }
    return locations.get(0);
  }

  /** The same graph under another key with vertex attributes. */
  GraphHandle withAttributes(String newKey) {
    return new GraphHandle(
        newKey,
        locations,
        vertices,
        edges,
        bytes,
        partitions,
        vertexPartitions,
        true,
        hasEdgeValues);
  }
}
