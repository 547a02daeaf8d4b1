package org.sparkgpugraph.graphs.hub;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The edges that {@link HubRows} leaves out of the rows of hubs, by the slot that takes what their
 * sources send: by these an engine fills the slots itself where nobody has sent anything yet, and
 * all ghosts have values.
 *
 * @param offsets {@code int[slots + 1]}: first edge of each slot
 * @param sources {@code int[edges]}: local indexes, ghosts
 * @param edges {@code int[edges]}: which of the in-edges each is
 */
public record SlotRows(int[] offsets, int[] sources, int[] edges) {
  /**
   * Makes them.
   *
   * @param rows those of the partition
   * @param importOf as it was when those were made
   */
  static SlotRows of(GraphPartition partition, HubRows rows, int[] importOf) {
    int stored = partition.stored();
    int[] starts = partition.inEdges().offsets();
    int[] neighbours = partition.inEdges().neighbours();
    int[] slots = rows.slots();
    int[] offsets = new int[rows.hubs().length + 1];
    Numbers edges = new Numbers();
    for (int v = 0; v < stored; v++) {
      int last = -1;
      for (int slot = slots[v]; slot < slots[v + 1]; slot++) {
        // Slots of a hub are in the order of the lists that send to it.
        int list = next(neighbours, starts[v], starts[v + 1], stored, importOf, last);
        for (int e = starts[v]; e < starts[v + 1]; e++) {
          if (neighbours[e] >= stored && importOf[neighbours[e] - stored] == list) {
            edges.add(e);
          }
        }
        offsets[slot + 1] = edges.size();
        last = list;
      }
    }
    int[] of = edges.toArray();
    int[] sources = new int[of.length];
    for (int i = 0; i < of.length; i++) {
      sources[i] = neighbours[of[i]];
    }
    return new SlotRows(offsets, sources, of);
  }

  /** The least list behind one of which a row has an edge. */
  private static int next(
      int[] neighbours, int from, int end, int stored, int[] importOf, int last) {
    int least = Integer.MAX_VALUE;
    for (int e = from; e < end; e++) {
      int list = neighbours[e] < stored ? -1 : importOf[neighbours[e] - stored];
      least = list > last && list < least ? list : least;
    }
    return least;
  }

  /** The values of the edges; null when the partition has none. */
  public Columns values(GraphPartition partition) {
    Columns values = partition.inEdgeValues();
    if (values == null) {
      return null;
    }
    Columns own = Columns.allocate(values.kinds(), edges.length);
    own.copyFrom(values, edges, 0, edges.length, null);
    return own;
  }

  /** The rows of a partition without these edges. */
  Csr others(GraphPartition partition) {
    Csr in = partition.inEdges();
    int[] kept = kept(in.edges());
    int[] starts = in.offsets();
    int[] offsets = new int[starts.length];
    int[] neighbours = new int[kept.length];
    int next = 0;
    for (int v = 0; v + 1 < starts.length; v++) {
      while (next < kept.length && kept[next] < starts[v + 1]) {
        neighbours[next] = in.neighbours()[kept[next]];
        next++;
      }
      offsets[v + 1] = next;
    }
    return new Csr(offsets, neighbours);
  }

  /** The values of these. */
  Columns otherValues(GraphPartition partition) {
    Columns values = partition.inEdgeValues();
    if (values == null) {
      return null;
    }
    int[] kept = kept(partition.inEdges().edges());
    Columns own = Columns.allocate(values.kinds(), kept.length);
    own.copyFrom(values, kept, 0, kept.length, null);
    return own;
  }

  private int[] kept(int all) {
    boolean[] isHere = new boolean[all];
    for (int e : edges) {
      isHere[e] = true;
    }
    int[] kept = new int[all - edges.length];
    int next = 0;
    for (int e = 0; e < all; e++) {
      if (!isHere[e]) {
        kept[next++] = e;
      }
    }
    return kept;
  }

  /** Bytes held. */
  long bytes() {
    return 4L * (offsets.length + sources.length + edges.length);
  }
}
