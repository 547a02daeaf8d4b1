package org.sparkgpugraph.engine.device.run;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceShare;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.engine.device.plan.Borders;
import org.sparkgpugraph.engine.device.settings.ActiveWork;
import org.sparkgpugraph.graphs.model.GraphPartition;

/** Who is active, as a checkpoint has it. */
final class RunState {
  private final RunSpec spec;

  RunState(RunSpec spec) {
    this.spec = spec;
  }

  /** A bitmap of the held vertices that exist. */
  static long[] all(GraphPartition partition) {
    long[] bits =
        partition.present() == null ? null : Arrays.copyOf(partition.present(), words(partition));
    if (bits == null) {
      bits = new long[words(partition)];
      Arrays.fill(bits, -1L);
    }
    if ((partition.stored() & 63) != 0) {
      bits[bits.length - 1] &= (1L << partition.stored()) - 1;
    }
    return bits;
  }

  private static int words(GraphPartition partition) {
    return (int) ((partition.stored() + 63L) >>> 6);
  }

  /** Words of the next activity, from that of the first row on. */
  private static int[] words(DeviceShare share, DevicePartition partition, int first, int end) {
    int[] words = new int[(int) ((end + 31L >>> 5) - (first >>> 5))];
    share.on(
        () -> {
          share.drain();
          long offset = 4L * (first >>> 5);
          share.device().download(partition.nextActive(), offset, words, 0, words.length);
        });
    return words;
  }

  /** Downloads who of one of the caller's partitions is active in the next superstep. */
  long[] activity(DeviceTeam team, GraphPartition partition) {
    long[] bits = new long[words(partition)];
    for (Borders.Owned owned : spec.borders().owners(partition.index())) {
      int holder = owned.holder();
      int end = owned.row() + owned.count();
      int[] words = words(team.share(holder), team.partition(holder), owned.row(), end);
      for (int w = 0; w < words.length; w++) {
        for (int word = words[w]; word != 0; word &= word - 1) {
          int row = (w << 5) + Integer.numberOfTrailingZeros(word) - (owned.row() & 31);
          if (row >= 0 && row < owned.count()) {
            int to = owned.at() + row;
            bits[to >>> 6] |= 1L << to;
          }
        }
      }
    }
    return bits;
  }

  /**
   * The work of the next superstep.
   *
   * @param activity of every partition here
   * @return active vertices and edges of theirs
   */
  long work(List<long[]> activity) {
    ActiveWork work = ActiveWork.of(spec.kernels().shape(), spec.settings().activeDirection());
    long sum = 0;
    for (GraphPartition partition : spec.whole().partitions()) {
      int[] costs = work.costs(spec.whole(), partition, spec.settings().threads());
      long[] bits = activity.get(partition.index());
      for (int v = 0; v < costs.length; v++) {
        if ((bits[v >>> 6] >>> v & 1) != 0) {
          sum += 1L + costs[v];
        }
      }
    }
    return sum;
  }
}
