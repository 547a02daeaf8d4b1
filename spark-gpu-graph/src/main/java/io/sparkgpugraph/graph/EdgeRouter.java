package io.sparkgpugraph.graph;

import io.sparkgpugraph.program.ValueType;
import java.util.Iterator;

/**
 * The map side of loading a graph into several shards: cuts blocks of edges and vertices into
 * parcels for the shards that need them.
 *
 * <p>An edge goes to the shard of its destination; with out-edges also to that of its source, once
 * if they are the same. Without out-edges the shard of the source is told that the source exists
 * (each source once for each some millions of edges), so that it knows vertices without in-edges.
 *
 * <p>The same input gives the same parcels. The shard of every entry of a {@link LocalEdgeBlock}'s
 * dictionary is looked up once. While it runs it takes up to 8 bytes for each of the 16 million
 * edges that are routed at a time, 8 bytes for each entry of the block's dictionary, and the parcel
 * that is being made. Not thread-safe; not serializable: every task makes its own.
 */
public final class EdgeRouter {
  /**
   * @param ranges where vertices belong
   * @param outEdges whether shards hold the out-edges of their vertices too
   * @param edgeType type of the edge values that travel along; null: none
   */
  public EdgeRouter(IdRanges ranges, boolean outEdges, ValueType edgeType) {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Routes the edges of one source partition.
   *
   * @param sourcePartition number of the partition in the source: edges are ordered by it
   * @param blocks its blocks, in order; read as parcels are asked for, each once
   * @return the parcels, made when they are asked for
   * @throws NullValueException when an edge has no value though values travel along
   */
  public Iterator<EdgeParcel> route(int sourcePartition, Iterator<? extends EdgeBlock> blocks) {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Routes the vertices of one source partition.
   *
   * @param sourcePartition number of the partition in the source
   * @param block its vertices
   * @param vertexType type of the attributes that travel along; null: none
   * @return the parcels, made when they are asked for; none for a shard without vertices here
   * @throws NullValueException when a vertex has no attribute though they travel along
   */
  public Iterator<VertexParcel> routeVertices(
      int sourcePartition, VertexBlock block, ValueType vertexType) {
    throw new UnsupportedOperationException("not yet");
  }
}
