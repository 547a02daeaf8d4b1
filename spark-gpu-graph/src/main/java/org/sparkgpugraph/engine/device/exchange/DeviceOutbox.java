package org.sparkgpugraph.engine.device.exchange;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.exchange.RefinedUpdates;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The refined boundary updates of one boundary list on a device (online vertex refinement,
 * Khorasani 2016, section 2.4). The gather fills it: each warp takes a range of it by one atomic,
 * so the updates of a warp are in order and the warps are not. What is collected behind it is in
 * order.
 *
 * @param struct address of the struct by which kernels know it
 * @param counts device memory: number of updates, number of those with a value; null where they are
 *     among the status words of the home, and where a reader is told them by the host
 * @param positions device memory: positions in the list
 * @param flags device memory: bit 0 carries a value, bit 1 is active
 * @param values device memory: the columns that travel
 */
public record DeviceOutbox(
    long struct,
    DeviceMemory counts,
    DeviceMemory positions,
    DeviceMemory flags,
    List<DeviceMemory> values) {
  /** Bit of a flag: the update carries a value. */
  public static final int VALUED = RefinedUpdates.VALUED;

  /** Bit of a flag: the vertex is active. */
  static final int ACTIVE = RefinedUpdates.ACTIVE;

  /** A list as a bitmap over the vertices of its home: {@code int[(stored + 31) / 32]}. */
  public static int[] members(BoundaryList list, int stored) {
    int[] words = new int[(int) ((stored + 31L) >>> 5)];
    for (int vertex : list.homeVertices()) {
      words[vertex >>> 5] |= 1 << vertex;
    }
    return words;
  }

  /** For each word of a bitmap the number of members before it. */
  public static int[] ranks(int[] members) {
    int[] ranks = new int[members.length];
    for (int w = 1; w < members.length; w++) {
      ranks[w] = ranks[w - 1] + Integer.bitCount(members[w - 1]);
    }
    return ranks;
  }

  /** Bytes of the flags of a list: a byte each, in whole words. */
  public static long flagBytes(int size) {
    return (size + 3L) & ~3L;
  }

  /**
   * Updates as the host reads them, ascending by position.
   *
   * @param positions positions in the boundary list
   * @param flags {@link #VALUED} and {@link #ACTIVE}
   * @param values rows of the columns that travel; those without a value mean nothing
   */
  public record Updates(int[] positions, int[] flags, Columns values) {}

  /**
   * Reads the updates.
   *
   * @param count how many there are; where each is in a place of its own, how many places
   * @param fixedSlots whether each is in a place of its own
   * @param kinds kinds of the columns that travel
   */
  public Updates read(Device device, int count, boolean fixedSlots, List<Kind> kinds) {
    int[] place = new int[count];
    if (fixedSlots) {
      Arrays.setAll(place, i -> i);
    } else {
      device.download(positions, 0, place, 0, count);
    }
    int[] packed = new int[(count + 3) >> 2];
    device.download(flags, 0, packed, 0, packed.length);
    Columns rows = Columns.allocate(kinds, count);
    for (int c = 0; c < kinds.size(); c++) {
      device.download(values.get(c), 0, rows.array(c), 0, count);
    }
    int[] order =
        IntStream.range(0, count)
            .filter(i -> flag(packed, i) != 0)
            .boxed()
            .sorted(Comparator.comparingInt(i -> place[i]))
            .mapToInt(i -> i)
            .toArray();
    Columns sorted = Columns.allocate(kinds, order.length);
    for (int i = 0; i < order.length; i++) {
      sorted.copyFrom(rows, order[i], i, 1);
    }
    return new Updates(
        Arrays.stream(order).map(i -> place[i]).toArray(),
        Arrays.stream(order).map(i -> flag(packed, i)).toArray(),
        sorted);
  }

  private static int flag(int[] packed, int i) {
    return packed[i >> 2] >>> 8 * (i & 3) & 255;
  }
}
