package io.sparkgpugraph.spark;

import java.io.Serializable;

/**
 * A graph that an executor holds, seen from the driver; internal.
 *
 * @param key under which {@link ExecutorRegistry} keeps it
 * @param location {@code executor_<host>_<id>} of its owner; null with a local master
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
    String location,
    long vertices,
    long edges,
    long bytes,
    int partitions,
    int vertexPartitions,
    boolean hasAttributes,
    boolean hasEdgeValues)
    implements Serializable {
  /** The same graph under another key with vertex attributes. */
  GraphHandle withAttributes(String newKey) {
    return new GraphHandle(
        newKey,
        location,
        vertices,
        edges,
        bytes,
        partitions,
        vertexPartitions,
        true,
        hasEdgeValues);
  }
}
