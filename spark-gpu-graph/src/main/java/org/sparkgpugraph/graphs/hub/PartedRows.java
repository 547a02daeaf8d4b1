package org.sparkgpugraph.graphs.hub;

import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * The in-edges of a partition in two parts: those by which other executor graphs send to hubs, by
 * slot, and all others as rows of their own. Arrays stay the same as long as the graph's do, so
 * that what has copies of them knows them again. Thread-safe.
 */
public final class PartedRows {
  private final SlotRows slotRows;
  private final Csr others;
  private Columns values;
  private Columns slotValues;
  private Columns otherValues;
  private Columns partialValues;

  PartedRows(GraphPartition partition, HubRows rows, int[] importOf) {
    slotRows = SlotRows.of(partition, rows, importOf);
    others = slotRows.others(partition);
  }

  /** The edges by which others send to hubs. */
  public SlotRows slotRows() {
    return slotRows;
  }

  /** The others: a row for each vertex. */
  public Csr others() {
    return others;
  }

  /** Values of {@link #slotRows()}; null when the partition has none. */
  public synchronized Columns slotValues(GraphPartition partition) {
    make(partition);
    if (slotValues == null && values != null) {
      slotValues = slotRows.values(partition);
    }
    return slotValues;
  }

  /** Values of {@link #others()}; null when the partition has none. */
  public synchronized Columns otherValues(GraphPartition partition) {
    make(partition);
    if (otherValues == null && values != null) {
      otherValues = slotRows.otherValues(partition);
    }
    return otherValues;
  }

  /**
   * Values of the edges by which others' hubs are sent to; null when the partition has none.
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
      slotValues = null;
      otherValues = null;
      partialValues = null;
    }
  }

  /** Bytes of the structure. */
  long bytes() {
    return slotRows.bytes() + others.bytes();
  }
}
