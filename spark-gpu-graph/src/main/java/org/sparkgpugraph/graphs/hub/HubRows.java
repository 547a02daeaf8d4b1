package org.sparkgpugraph.graphs.hub;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The rows of a partition where other executor graphs send its hubs partial messages: a hub that is
 * sent any has a slot for each partition that sends it some, and of its in-edges the row has those
 * whose sources this executor graph holds. All other rows are the in-edges as they are.
 *
 * @param begins {@code int[stored]}: first edge of each row, of hubs with slots in {@code sources},
 *     of others in the in-edges
 * @param ends {@code int[stored + 1]}: the end of row v is at v + 1
 * @param slots {@code int[stored + 1]}: first slot of each vertex
 * @param sources of the edges of hubs with slots: local indexes
 * @param hubs {@code int[slots]}: whose slot it is
 */
public record HubRows(int[] begins, int[] ends, int[] slots, int[] sources, int[] hubs) {
  /**
   * Makes them of the in-edges, which are on the heap.
   *
   * @param isHub {@code boolean[stored]}
   * @param importOf by ghost, the boundary list of another executor graph that it is in; −1: this
   *     one holds it
   * @param slotLists for each of these lists, takes the slots of the hubs that it sends to,
   *     ascending
   */
  static HubRows of(
      GraphPartition partition, boolean[] isHub, int[] importOf, List<Numbers> slotLists) {
    int stored = partition.stored();
    Csr in = partition.inEdges();
    int[] neighbours = in.neighbours();
    int[] begins = Arrays.copyOf(in.offsets(), stored);
    int[] ends = in.offsets().clone();
    int[] slots = new int[stored + 1];
    Numbers sources = new Numbers();
    Numbers hubs = new Numbers();
    int[] last = new int[slotLists.size()];
    Arrays.fill(last, -1);
    for (int v = 0; v < stored; v++) {
      slots[v + 1] = slots[v];
      if (!isHub[v]) {
        continue;
      }
      int from = begins[v];
      int end = ends[v + 1];
      for (int e = from; e < end; e++) {
        int list = list(neighbours[e] - stored, importOf);
        if (list >= 0) {
          last[list] = v;
        }
      }
      for (int list = 0; list < last.length; list++) {
        if (last[list] == v) {
          slotLists.get(list).add(slots[v + 1]++);
          hubs.add(v);
        }
      }
      if (slots[v + 1] > slots[v]) {
        begins[v] = sources.size();
        for (int e = from; e < end; e++) {
          if (list(neighbours[e] - stored, importOf) < 0) {
            sources.add(neighbours[e]);
          }
        }
        ends[v + 1] = sources.size();
      }
    }
    return new HubRows(begins, ends, slots, sources.toArray(), hubs.toArray());
  }

  private static int list(int ghost, int[] importOf) {
    return ghost < 0 ? -1 : importOf[ghost];
  }

  /**
   * The values of the edges of hubs with slots, in their order; null when the partition has none.
   *
   * @param importOf as it was when the rows were made
   */
  Columns values(GraphPartition partition, int[] importOf) {
    Columns values = partition.inEdgeValues();
    if (values == null) {
      return null;
    }
    int[] starts = partition.inEdges().offsets();
    int[] neighbours = partition.inEdges().neighbours();
    int[] edges = new int[sources.length];
    int next = 0;
    for (int v = 0; v < begins.length; v++) {
      if (slots[v + 1] > slots[v]) {
        for (int e = starts[v]; e < starts[v + 1]; e++) {
          if (list(neighbours[e] - begins.length, importOf) < 0) {
            edges[next++] = e;
          }
        }
      }
    }
    Columns own = Columns.allocate(values.kinds(), edges.length);
    own.copyFrom(values, edges, 0, edges.length, null);
    return own;
  }

  /** Bytes held. */
  long bytes() {
    return 4L * (begins.length + ends.length + slots.length + sources.length + hubs.length);
  }
}
