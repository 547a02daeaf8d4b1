package org.sparkgpugraph.graphs.rows;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The rows of one side of a shard that were made elsewhere, on a device, before the host had any of
 * their edges: the host has their offsets, and copies neighbours and values once somebody there
 * asks for them. Unlike {@link UnsortedEdges} the other side cannot be made of them, since other
 * shards have some of its edges. Thread-safe.
 */
public final class RowsElsewhere {
  private final int[] offsets;
  private final List<ColumnType> kinds;
  private final UnsortedEdges.Elsewhere elsewhere;
  private final BuildMemory memory;
  private final Csr csr;
  private final Columns values;

  private Columns copiedValues;
  private volatile int[] neighbours;

  /**
   * @param offsets {@code int[rows + 1]}
   * @param kinds of the columns of their values; empty: they have none
   * @param memory where copies reserve heap
   */
  public RowsElsewhere(
      int[] offsets,
      List<ColumnType> kinds,
      UnsortedEdges.Elsewhere elsewhere,
      BuildMemory memory) {
    this.offsets = offsets;
    this.kinds = List.copyOf(kinds);
    this.elsewhere = elsewhere;
    this.memory = memory;
    csr = new Csr(new Side(this));
    values =
        kinds.isEmpty()
            ? null
            : Columns.later(this.kinds, csr.edges(), this::copiedValues, elsewhere::sample);
  }

  /**
   * As rows know them.
   *
   * @param of whose they are
   */
  private record Side(RowsElsewhere of) implements Csr.Later {
    @Override
    public int rows() {
      return of.offsets.length - 1;
    }

    @Override
    public int edges() {
      return of.offsets[of.offsets.length - 1];
    }

    @Override
    public int[] offsets() {
      return of.offsets;
    }

    @Override
    public boolean hasOffsets() {
      return true;
    }

    @Override
    public int[] neighbours() {
      int[] copied = of.neighbours;
      return copied == null ? of.copy() : copied;
    }

    @Override
    public boolean isMade() {
      return of.neighbours != null;
    }

    @Override
    public long bytes() {
      int[] copied = of.neighbours;
      return 4L * (of.offsets.length + (copied == null ? 0 : copied.length));
    }
  }

  /** What some rows are; null: they were made here, or of unsorted edges. */
  public static RowsElsewhere of(Csr csr) {
    return csr.later() instanceof Side side ? side.of() : null;
  }

  /** Those of a partition, of both sides. */
  public static List<RowsElsewhere> of(GraphPartition partition) {
    return partition instanceof UnsortedEdges.Holder holder ? holder.elsewhere() : List.of();
  }

  /** The rows, with local indexes. */
  public Csr csr() {
    return csr;
  }

  /** Values in the order of the rows; null: the edges have none. */
  public Columns values() {
    return values;
  }

  /** What a device has of them is known by. */
  public List<Object> keys() {
    List<Object> keys = new ArrayList<>();
    keys.add(csr.neighboursKey());
    keys.add(offsets);
    keys.addAll(valueKeys());
    return keys;
  }

  private List<Object> valueKeys() {
    List<Object> keys = new ArrayList<>();
    for (int c = 0; values != null && c < values.width(); c++) {
      keys.add(values.key(c));
    }
    return keys;
  }

  /** Bytes that the host has of the values. Never waits. */
  public long valueBytes() {
    return neighbours == null ? 0 : Columns.bytes(kinds, csr.edges());
  }

  private Columns copiedValues() {
    csr.neighbours();
    return copiedValues;
  }

  private synchronized int[] copy() {
    if (neighbours != null) {
      return neighbours;
    }
    int edges = csr.edges();
    // They count with the graph afterwards.
    try (BuildMemory.Reservation copies = memory.begin()) {
      copies.acquire((long) Integer.BYTES * edges + Columns.bytes(kinds, edges));
      List<Object> arrays = elsewhere.copy(csr.neighboursKey(), valueKeys());
      if (values != null) {
        copiedValues = new Columns(kinds, arrays.subList(1, arrays.size()).toArray(), edges);
      }
      neighbours = (int[]) arrays.get(0);
    }
    return neighbours;
  }
}
