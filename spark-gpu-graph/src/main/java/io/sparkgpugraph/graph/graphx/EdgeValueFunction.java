package io.sparkgpugraph.graph.graphx;

import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.graph.LocalEdgeBlock;
import java.io.Serializable;
import java.util.function.LongToDoubleFunction;

/** Computes new edge attributes, a whole edge partition at a time. */
@FunctionalInterface
public interface EdgeValueFunction extends Serializable {
  /**
   * Makes the attributes of one edge partition. Runs in a task, and again when the result's blocks
   * are lost.
   *
   * @param partition index of the edge partition
   * @param edges the edges and their old attributes
   * @return an array of {@code edges.size()} attributes in the order of the edges: a primitive
   *     array, or one of boxes or records, by the class tag given beside the function
   */
  Object apply(int partition, EdgeBlock edges);

  /**
   * Attributes that depend on the source alone: {@code 1 / outDegree} of GraphX's PageRank. The
   * function is asked once per distinct source of a GraphX partition.
   *
   * @param value by original id of the source
   * @return {@code double[edges.size()]}
   */
  static double[] bySource(EdgeBlock edges, LongToDoubleFunction value) {
    double[] values = new double[edges.size()];
    if (edges instanceof LocalEdgeBlock local) {
      long[] ids = local.localToGlobal();
      int[] sources = local.localSources();
      double[] bySource = new double[ids.length];
      boolean[] known = new boolean[ids.length];
      for (int i = 0; i < values.length; i++) {
        int source = sources[i];
        if (!known[source]) {
          known[source] = true;
          bySource[source] = value.applyAsDouble(ids[source]);
        }
        values[i] = bySource[source];
      }
    } else {
      for (int i = 0; i < values.length; i++) {
        values[i] =
            i > 0 && edges.source(i) == edges.source(i - 1)
                ? values[i - 1]
                : value.applyAsDouble(edges.source(i));
      }
    }
    return values;
  }
}
