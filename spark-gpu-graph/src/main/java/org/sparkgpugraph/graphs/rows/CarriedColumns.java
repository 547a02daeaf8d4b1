package org.sparkgpugraph.graphs.rows;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Edge values of any number of columns, which edges carry to the order of the rows: a few thousand
 * are on the heap at a time of what is read and of what is put, so that both may be off it. Every
 * number takes a {@code long}.
 */
public final class CarriedColumns implements Carried {
  /** Rows that are put at a time. */
  private static final int PUT = 1 << 12;

  private final List<ColumnType> kinds;
  private final int longs;
  private final Source source;
  private final Workers workers;
  private Columns to;

  /** Values by the number of their edge. */
  @FunctionalInterface
  interface Source {
    /**
     * Reads some.
     *
     * @param first number of the first edge
     * @param into receives them from row 0 on
     */
    void read(long first, int count, Columns into);
  }

  /**
   * @param kinds at least one column
   * @param workers tell where the values go: off the heap, or on it, where they reserve them
   */
  private CarriedColumns(List<ColumnType> kinds, Source source, Workers workers) {
    this.kinds = List.copyOf(kinds);
    this.source = source;
    this.workers = workers;
    longs = kinds.stream().mapToInt(ColumnType::width).sum();
  }

  /**
   * The values of blocks, in the order of the blocks.
   *
   * @return null when values have no columns
   */
  public static CarriedColumns of(List<EdgeBlock> blocks, ValueCodec codec, Workers workers) {
    List<EdgeBlock> edges = List.copyOf(blocks);
    BlockStarts starts = new BlockStarts(edges.size(), b -> edges.get(b).size());
    return codec.kinds().isEmpty()
        ? null
        : new CarriedColumns(
            codec.kinds(),
            (first, count, into) ->
                starts.read(
                    first,
                    count,
                    (block, from, part, done) -> {
                      Columns some =
                          part == into.length() ? into : Columns.allocate(codec.kinds(), part);
                      codec.read(edges.get(block), from, part, some);
                      if (some != into) {
                        into.put(done, some, 0, part);
                      }
                    }),
            workers);
  }

  /**
   * The rows of columns, one of these behind the other.
   *
   * @param columns all of the same kinds, at least one of them
   * @return null when there are no kinds
   */
  public static CarriedColumns of(List<Columns> columns, Workers workers) {
    List<ColumnType> kinds = columns.get(0).kinds();
    BlockStarts starts = new BlockStarts(columns.size(), b -> columns.get(b).length());
    return kinds.isEmpty()
        ? null
        : new CarriedColumns(
            kinds,
            (first, count, into) ->
                starts.read(
                    first,
                    count,
                    (b, from, part, done) -> {
                      for (int c = 0; c < kinds.size(); c++) {
                        columns.get(b).copy(c, from, part, into.array(c), done);
                      }
                    }),
            workers);
  }

  @Override
  public int longs() {
    return longs;
  }

  @Override
  public boolean onHeap() {
    return workers.edges() == null;
  }

  @Override
  public void makeRoom(int edges) {
    if (onHeap()) {
      workers.acquire(Columns.bytes(kinds, edges));
      to = Columns.allocate(kinds, edges);
    } else {
      to = Columns.allocate(workers.edges(), kinds, edges);
    }
  }

  @Override
  public void read(long first, int count, long[] into) {
    Columns some = Columns.allocate(kinds, count);
    source.read(first, count, some);
    int at = 0;
    for (int c = 0; c < kinds.size(); c++) {
      int width = kinds.get(c).width();
      pack(some.array(c), width, count, into, at);
      at += width;
    }
  }

  /** Puts a column to where it is in the longs of each edge. */
  private void pack(Object column, int width, int count, long[] into, int at) {
    for (int e = 0, n = 0; e < count; e++) {
      int place = e * longs + at;
      for (int i = 0; i < width; i++, n++) {
        into[place + i] =
            column instanceof double[] doubles
                ? Double.doubleToRawLongBits(doubles[n])
                : column instanceof float[] floats
                    ? Float.floatToRawIntBits(floats[n])
                    : column instanceof long[] numbers
                        ? numbers[n]
                        : column instanceof int[] ints ? ints[n] : ((boolean[]) column)[n] ? 1 : 0;
      }
    }
  }

  @Override
  public void put(int first, long[] bits, int count) {
    Columns some = Columns.allocate(kinds, Math.min(PUT, count));
    for (int done = 0; done < count; done += some.length()) {
      int part = Math.min(some.length(), count - done);
      int at = 0;
      for (int c = 0; c < kinds.size(); c++) {
        int width = kinds.get(c).width();
        unpack(bits, done, part, at, some.array(c), width);
        at += width;
      }
      to.put(first + done, some, 0, part);
    }
  }

  private void unpack(long[] bits, int from, int count, int at, Object column, int width) {
    for (int e = 0, n = 0; e < count; e++) {
      int place = (from + e) * longs + at;
      for (int i = 0; i < width; i++, n++) {
        long some = bits[place + i];
        if (column instanceof double[] doubles) {
          doubles[n] = Double.longBitsToDouble(some);
        } else if (column instanceof float[] floats) {
          floats[n] = Float.intBitsToFloat((int) some);
        } else if (column instanceof long[] numbers) {
          numbers[n] = some;
        } else if (column instanceof int[] ints) {
          ints[n] = (int) some;
        } else {
          ((boolean[]) column)[n] = some != 0;
        }
      }
    }
  }

  /** The values in the order of the rows, once these are made. */
  public Columns inOrder() {
    to.seal();
    return to;
  }
}
