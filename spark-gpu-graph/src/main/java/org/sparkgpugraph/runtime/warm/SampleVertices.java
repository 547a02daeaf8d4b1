package org.sparkgpugraph.runtime.warm;

import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.VertexBlock;

/**
 * Makes blocks of vertices as a graph of another library delivers them, and what its results are
 * made of; found by {@link java.util.ServiceLoader}, since what reads those stands above this
 * package.
 */
public interface SampleVertices {
  /**
   * The block of a partition, which is made for it.
   *
   * @param ids of the vertices, all different; they have no attributes
   */
  VertexBlock block(long[] ids);

  /**
   * Computes values of edges as a result of a ranking has them.
   *
   * @param graph that the edges are of
   * @param threads to work with
   */
  void edgeValues(EdgeBlock edges, ExecutorGraph graph, int threads);
}
