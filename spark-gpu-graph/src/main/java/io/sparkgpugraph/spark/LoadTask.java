package io.sparkgpugraph.spark;

import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.program.ValueType;
import java.io.Serializable;

/**
 * What a load job does on the executor that will hold the graph.
 *
 * @param key of the graph
 * @param vertexType type of the vertex attributes
 * @param edgeType type of the edge attributes
 * @param partitions graph partitions to cut it into
 * @param threads threads to build with
 * @param vertices whether the source delivers vertices (otherwise they are the ends of the edges)
 * @param attributes whether to keep vertex attributes
 * @param edgeValues whether to keep edge values
 */
record LoadTask(
    String key,
    ValueType vertexType,
    ValueType edgeType,
    int partitions,
    int threads,
    boolean vertices,
    boolean attributes,
    boolean edgeValues)
    implements Serializable {

  /**
   * A block on its way to the executor that builds; partition and sequence restore the order. Not a
   * record: it travels through Spark's serializer, and Kryo cannot read records.
   */
  static final class Parcel implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int partition;
    private final int sequence;
    private final EdgeBlock edges;
    private final VertexBlock vertices;

    /** Either edges or vertices; the other one is null. */
    Parcel(int partition, int sequence, EdgeBlock edges, VertexBlock vertices) {
      this.partition = partition;
      this.sequence = sequence;
      this.edges = edges;
      this.vertices = vertices;
    }

    int partition() {
      return partition;
    }

    int sequence() {
      return sequence;
    }

    EdgeBlock edges() {
      return edges;
    }

    VertexBlock vertices() {
      return vertices;
    }
  }
}
