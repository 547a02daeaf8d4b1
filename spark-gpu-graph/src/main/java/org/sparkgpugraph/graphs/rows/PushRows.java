package org.sparkgpugraph.graphs.rows;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * A partition's out-edges for those to whom the order of a row's neighbours does not matter: where
 * edges wait to be sorted, rows by source alone are made sooner ({@link SourceRows}); elsewhere
 * these are the out-edges.
 */
public final class PushRows {
  private final GraphPartition partition;
  private final UnsortedEdges edges;
  private final boolean turned;

  private PushRows(GraphPartition partition, UnsortedEdges edges, boolean turned) {
    this.partition = partition;
    this.edges = edges;
    this.turned = turned;
  }

  /** The rows of a partition; nothing is made yet. */
  public static PushRows of(GraphPartition partition) {
    UnsortedEdges edges = UnsortedEdges.of(partition);
    if (edges == null) {
      return new PushRows(partition, null, false);
    }
    boolean turned = ((UnsortedEdges.Holder) partition).isTurned();
    // Other values may have been loaded since, which these edges do not have.
    boolean same = turned || edges.values(false) == partition.inEdgeValues();
    return new PushRows(partition, same ? edges : null, turned);
  }

  private boolean areSorted() {
    return edges == null || turned;
  }

  /**
   * A row for each held vertex.
   *
   * @throws IllegalStateException as {@link GraphPartition#outEdges}
   */
  public Csr csr() {
    return areSorted() ? partition.outEdges() : edges.pushRows();
  }

  /** Edge values in the order of {@link #csr}, or null when none were loaded. */
  public Columns values() {
    return areSorted() ? partition.outEdgeValues() : edges.pushValues();
  }

  /**
   * Whether they cost no sort beside that of the in-edges: some rows by source are there, or the
   * edges still wait for any to be made, or in-edges would be made of them. Never waits.
   */
  public boolean areAtHand() {
    return edges == null ? partition.hasTranspose(true) : turned || edges.hasPushRows();
  }
}
