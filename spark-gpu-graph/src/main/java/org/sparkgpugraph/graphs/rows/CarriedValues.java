package org.sparkgpugraph.graphs.rows;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ValueCodec;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Edge values that are one number each, which edges carry to where they are wanted: the order of
 * the rows. Two walks through memory in no order are saved by it, that to each edge's place and
 * that to its value.
 */
final class CarriedValues implements Carried {
  private final PartitionSlice slice;
  private final BlockStarts starts;

  /** The values of each block. */
  private final Object[] from;

  private final List<ColumnType> kinds;
  private Columns to;

  private CarriedValues(PartitionSlice slice, Object[] from, List<ColumnType> kinds) {
    this.slice = slice;
    this.from = from;
    this.kinds = kinds;
    starts = new BlockStarts(from.length, b -> slice.blocks().get(b).size());
  }

  /**
   * The values of a slice.
   *
   * @param edges the blocks that it came from
   * @param workers reserve what is made of them
   * @return null when they are no numbers, or not in arrays of such
   */
  static CarriedValues of(
      PartitionSlice slice, List<? extends EdgeBlock> edges, ValueCodec codec, Workers workers) {
    boolean numbers =
        codec.kinds().size() == 1
            && codec.kinds().get(0) instanceof Kind kind
            && kind != Kind.BOOLEAN;
    if (!numbers) {
      return null;
    }
    Object[] from = new Object[edges.size()];
    for (int b = 0; b < from.length; b++) {
      Columns view = codec.view(edges.get(b).values(), edges.get(b).size());
      if (view == null || !view.onHeap()) {
        return null;
      }
      from[b] = view.array(0);
    }
    workers.acquire(Columns.bytes(codec.kinds(), slice.edges()));
    return new CarriedValues(slice, from, codec.kinds());
  }

  @Override
  public void makeRoom(int edges) {
    to = Columns.allocate(kinds, edges);
  }

  @Override
  public void read(long first, int count, long[] into) {
    starts.read(
        first,
        count,
        (block, begin, part, done) ->
            read(from[block], slice.positions(block), begin, part, into, done));
  }

  private static void read(
      Object values, int[] positions, int from, int count, long[] into, int at) {
    for (int i = 0; i < count; i++) {
      int position = positions == null ? from + i : positions[from + i];
      into[at + i] =
          values instanceof double[] doubles
              ? Double.doubleToRawLongBits(doubles[position])
              : values instanceof float[] floats
                  ? Float.floatToRawIntBits(floats[position])
                  : values instanceof long[] longs ? longs[position] : ((int[]) values)[position];
    }
  }

  @Override
  public void put(int first, long[] bits, int count) {
    Object values = to.array(0);
    for (int i = 0; i < count; i++) {
      if (values instanceof double[] doubles) {
        doubles[first + i] = Double.longBitsToDouble(bits[i]);
      } else if (values instanceof float[] floats) {
        floats[first + i] = Float.intBitsToFloat((int) bits[i]);
      } else if (values instanceof long[] longs) {
        longs[first + i] = bits[i];
      } else {
        ((int[]) values)[first + i] = (int) bits[i];
      }
    }
  }

  /** The values in the order of the rows, once these are made. */
  Columns inOrder() {
    return to;
  }
}
