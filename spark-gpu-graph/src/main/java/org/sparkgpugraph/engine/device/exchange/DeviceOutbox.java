package org.sparkgpugraph.engine.device.exchange;

import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.graphs.model.BoundaryList;

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
}
