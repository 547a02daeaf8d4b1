package org.sparkgpugraph.frame.pregel;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.ColumnType;

/** Packs the rows of tables into blocks of columns. */
public final class BlockRows {
  /** As many as {@link org.sparkgpugraph.files.input.EdgeBlockBuilder} puts into a block. */
  private static final int EDGES = 1 << 14;

  private static final int VERTICES = 1 << 14;

  private BlockRows() {}

  /**
   * Blocks of edges.
   *
   * @param rows of the keys of both ends, and of the columns behind them
   */
  public static Iterator<EdgeBlock> edges(Iterator<InternalRow> rows, RowColumns columns) {
    return new Blocks<>(rows) {
      @Override
      EdgeBlock block() {
        List<ColumnType> kinds = columns.type().columns();
        long[] sources = new long[EDGES];
        long[] destinations = new long[EDGES];
        Columns values = Columns.allocate(kinds, EDGES);
        boolean narrow = true;
        int size = 0;
        while (size < EDGES && rows.hasNext()) {
          InternalRow row = rows.next();
          if (row.isNullAt(0) || row.isNullAt(1)) {
            throw new BadInputException("an edge has a null for an end: filter such rows out");
          }
          long source = row.getLong(0);
          long destination = row.getLong(1);
          narrow &= source == (int) source && destination == (int) destination;
          sources[size] = source;
          destinations[size] = destination;
          columns.read(row, 2, values, size++);
        }
        return narrow
            ? new IntEdgeBlock(size, narrowed(sources, size), narrowed(destinations, size), values)
            : new GlobalEdgeBlock(size, sources, destinations, values);
      }
    };
  }

  private static int[] narrowed(long[] ids, int size) {
    int[] narrow = new int[size];
    for (int i = 0; i < size; i++) {
      narrow[i] = (int) ids[i];
    }
    return narrow;
  }

  /**
   * Blocks of vertices.
   *
   * @param rows of keys, and of the columns behind them
   */
  public static Iterator<VertexBlock> vertices(Iterator<InternalRow> rows, RowColumns columns) {
    return new Blocks<>(rows) {
      @Override
      VertexBlock block() {
        long[] ids = new long[VERTICES];
        Columns values = Columns.allocate(columns.type().columns(), VERTICES);
        int size = 0;
        while (size < VERTICES && rows.hasNext()) {
          InternalRow row = rows.next();
          ids[size] = row.getLong(0);
          columns.read(row, 1, values, size++);
        }
        return new VertexBlock(size, Arrays.copyOf(ids, size), null, VERTICES, values);
      }
    };
  }

  private abstract static class Blocks<T> implements Iterator<T> {
    private final Iterator<InternalRow> rows;

    Blocks(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    /** The next rows, of which there are some. */
    abstract T block();

    @Override
    public boolean hasNext() {
      return rows.hasNext();
    }

    @Override
    public T next() {
      if (!rows.hasNext()) {
        throw new NoSuchElementException();
      }
      return block();
    }
  }
}
