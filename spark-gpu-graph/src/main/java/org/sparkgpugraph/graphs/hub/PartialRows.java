package org.sparkgpugraph.graphs.hub;

import java.util.Arrays;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Partial rows: the edges from the vertices of a partition to the hubs that other executor graphs
 * hold, a row for each hub that has any, ascending by its ghost here. A row's sources ascend.
 *
 * @param offsets {@code int[rows + 1]}: first edge of each row
 * @param sources {@code int[edges]}: local indexes
 * @param hubs {@code int[rows]}: local index of each hub, a ghost
 * @param rowOf {@code int[ghosts]}: the row of each ghost; −1: it has none
 */
public record PartialRows(int[] offsets, int[] sources, int[] hubs, int[] rowOf) {
  /**
   * Makes them of the out-edges, which are on the heap.
   *
   * @param isRemoteHub {@code boolean[ghosts]}: which ghosts are hubs of other executor graphs
   */
  static PartialRows of(GraphPartition partition, boolean[] isRemoteHub) {
    int stored = partition.stored();
    Csr out = partition.outEdges();
    int[] neighbours = out.neighbours();
    int[] rowOf = new int[isRemoteHub.length];
    for (int e = 0; e < out.edges(); e++) {
      int ghost = neighbours[e] - stored;
      if (ghost >= 0 && isRemoteHub[ghost]) {
        rowOf[ghost]++;
      }
    }
    int[] hubs = new int[isRemoteHub.length];
    int[] offsets = new int[isRemoteHub.length + 1];
    int rows = 0;
    for (int ghost = 0; ghost < rowOf.length; ghost++) {
      int edges = rowOf[ghost];
      rowOf[ghost] = -1;
      if (edges > 0) {
        offsets[rows + 1] = offsets[rows] + edges;
        hubs[rows] = stored + ghost;
        rowOf[ghost] = rows++;
      }
    }
    int[] next = Arrays.copyOf(offsets, rows);
    int[] sources = new int[offsets[rows]];
    int[] starts = out.offsets();
    for (int v = 0; v < stored; v++) {
      for (int e = starts[v]; e < starts[v + 1]; e++) {
        int row = row(neighbours[e] - stored, rowOf);
        if (row >= 0) {
          sources[next[row]++] = v;
        }
      }
    }
    return new PartialRows(
        Arrays.copyOf(offsets, rows + 1), sources, Arrays.copyOf(hubs, rows), rowOf);
  }

  private static int row(int ghost, int[] rowOf) {
    return ghost < 0 ? -1 : rowOf[ghost];
  }

  /** The row that an edge to a local index belongs to; −1: none. */
  public int row(int local, int stored) {
    return row(local - stored, rowOf);
  }

  /** Number of rows. */
  public int size() {
    return hubs.length;
  }

  /** The values of the edges, in their order; null when the partition has none. */
  public Columns values(GraphPartition partition) {
    Columns values = partition.outEdgeValues();
    if (values == null) {
      return null;
    }
    Csr out = partition.outEdges();
    int[] neighbours = out.neighbours();
    int[] next = Arrays.copyOf(offsets, size());
    int[] edges = new int[sources.length];
    for (int e = 0; e < out.edges(); e++) {
      int row = row(neighbours[e] - partition.stored(), rowOf);
      if (row >= 0) {
        edges[next[row]++] = e;
      }
    }
    Columns own = Columns.allocate(values.kinds(), edges.length);
    own.copyFrom(values, edges, 0, edges.length, null);
    return own;
  }

  /** Bytes held. */
  long bytes() {
    return 4L * (offsets.length + sources.length + hubs.length + rowOf.length);
  }
}
