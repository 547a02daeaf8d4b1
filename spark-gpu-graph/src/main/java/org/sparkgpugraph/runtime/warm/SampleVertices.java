package org.sparkgpugraph.runtime.warm;

import org.sparkgpugraph.graphs.model.VertexBlock;

/**
 * Makes blocks of vertices as a graph of another library delivers them; found by {@link
 * java.util.ServiceLoader}, since what reads those stands above this package.
 */
@FunctionalInterface
public interface SampleVertices {
  /**
   * The block of a partition, which is made for it.
   *
   * @param ids of the vertices, all different; they have no attributes
   */
  VertexBlock block(long[] ids);
}
