package org.sparkgpugraph.graphs.hub;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The in-edges of a partition in two parts: those by which hubs are told by other executor graphs,
 * by slot, and all others as rows of their own. Arrays stay the same as long as the graph's do, so
 * that what has copies of them knows them again. Thread-safe.
 */
public final class PartedRows {
  private final SlotRows told;
  private final Csr others;
  private Columns values;
  private Columns toldValues;
  private Columns otherValues;
  private Columns partialValues;

  PartedRows(GraphPartition partition, HubRows rows, int[] importOf) {
    told = SlotRows.of(partition, rows, importOf);
    others = told.others(partition);
  }

  /** The edges by which hubs are told. */
  public SlotRows told() {
    return told;
  }

  /** The others: a row for each vertex. */
  public Csr others() {
    return others;
  }

  /** Values of {@link #told()}; null when the partition has none. */
  public synchronized Columns toldValues(GraphPartition partition) {
    make(partition);
    if (toldValues == null && values != null) {
      toldValues = told.values(partition);
    }
    return toldValues;
  }

  /** Values of {@link #others()}; null when the partition has none. */
  public synchronized Columns otherValues(GraphPartition partition) {
    make(partition);
    if (otherValues == null && values != null) {
      otherValues = told.otherValues(partition);
    }
    return otherValues;
  }

  /**
   * Values of the edges by which others' hubs are told; null when the partition has none.
   *
   * @param rows the partition's
   */
  public synchronized Columns partialValues(GraphPartition partition, PartialRows rows) {
    make(partition);
    if (partialValues == null && values != null) {
      partialValues = rows.values(partition);
    }
    return partialValues;
  }

  /** Forgets what was made of values that the graph has no longer. */
  private void make(GraphPartition partition) {
    Columns now = partition.inEdgeValues();
    if (now != values) {
      values = now;
      toldValues = null;
      otherValues = null;
      partialValues = null;
    }
  }

  /** Bytes of the structure. */
  long bytes() {
    return told.bytes() + others.bytes();
  }
}
