package org.sparkgpugraph.engine.device.run;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.device.partition.DevicePartition;
import org.sparkgpugraph.engine.device.partition.DeviceShare;
import org.sparkgpugraph.engine.device.partition.DeviceTeam;
import org.sparkgpugraph.engine.device.partition.RunSpec;
import org.sparkgpugraph.engine.device.plan.Borders;
import org.sparkgpugraph.engine.device.settings.ActiveWork;
import org.sparkgpugraph.graph.memory.Columns;
import org.sparkgpugraph.graph.model.BoundaryList;
import org.sparkgpugraph.graph.model.GraphPartition;
import org.sparkgpugraph.graph.model.VertexRange;

/** The state of a partition as a checkpoint has it, and back to the device. */
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
    return trimmed(bits, partition.stored());
  }

  private static int words(GraphPartition partition) {
    return (int) ((partition.stored() + 63L) >>> 6);
  }

  private static long[] trimmed(long[] bits, int count) {
    if ((count & 63) != 0) {
      bits[bits.length - 1] &= (1L << count) - 1;
    }
    return bits;
  }

  /** Downloads who is active in the next superstep. */
  static long[] activity(DeviceShare share, DevicePartition partition) {
    int stored = partition.graph().stored();
    int[] words = words(share, partition, 0, stored);
    long[] bits = new long[words(partition.graph())];
    for (int w = 0; w < words.length; w++) {
      bits[w >> 1] |= (words[w] & 0xffffffffL) << 32 * (w & 1);
    }
    return trimmed(bits, stored);
  }

  /** Words of the next activity; the first row is the first of a word. */
  private static int[] words(DeviceShare share, DevicePartition partition, int first, int end) {
    int[] words = new int[(int) ((end + 31L >>> 5) - (first >>> 5))];
    share.on(
        () -> {
          share.drain();
          long offset = 4L * (first >>> 5);
          share.device().download(partition.nextActive(), offset, words, 0, words.length);
          return null;
        });
    return words;
  }

  /**
   * As above, of a partition of the whole graph, whose vertices were computed by several devices.
   */
  long[] activity(DeviceTeam team, GraphPartition partition) {
    long[] bits = new long[words(partition)];
    Borders borders = spec.borders();
    VertexRange range =
        new VertexRange(partition.firstVertex(), partition.firstVertex() + partition.stored());
    for (int d = 0; d < team.shares().size(); d++) {
      VertexRange part = borders.range(d).common(range);
      if (part.size() == 0) {
        continue;
      }
      int first = borders.firstRow(d);
      int[] words = words(team.share(d), team.partition(d), first, borders.endRow(d));
      for (long v = part.from(); v < part.to(); v++) {
        int bit = (int) (v - borders.range(d).from());
        int to = (int) (v - range.from());
        bits[to >>> 6] |= (words[bit >>> 5] >>> bit & 1L) << to;
      }
    }
    return bits;
  }

  /**
   * A partition's values with those of its ghosts, as far as their homes are here.
   *
   * @param held the state columns of every partition here
   */
  Columns values(GraphPartition partition, List<Columns> held) {
    if (spec.borders() != null) {
      return spec.borders().graph().spread(partition.index(), held);
    }
    Columns own = held.get(partition.index());
    Columns all = Columns.allocate(own.kinds(), partition.stored() + partition.ghosts());
    all.copyFrom(own, 0, 0, partition.stored());
    for (BoundaryList list : spec.graph().boundaries()) {
      if (list.reader() == partition.index()) {
        for (int position = 0; position < list.size(); position++) {
          all.copyFrom(
              held.get(list.home()),
              list.homeVertices()[position],
              list.firstGhost() + position,
              1);
        }
      }
    }
    return all;
  }

  /**
   * Who of a partition's vertices and ghosts is active, as the device has it.
   *
   * @param held activity of every partition here
   */
  int[] activity(GraphPartition partition, List<long[]> held) {
    if (spec.borders() != null) {
      return spec.borders().graph().spreadBits(partition.index(), held);
    }
    int stored = partition.stored();
    int[] words = new int[(int) ((stored + (long) partition.ghosts() + 31) >>> 5)];
    for (int v = 0; v < stored; v++) {
      set(words, v, held.get(partition.index()), v);
    }
    for (BoundaryList list : spec.graph().boundaries()) {
      if (list.reader() == partition.index()) {
        for (int position = 0; position < list.size(); position++) {
          set(
              words,
              list.firstGhost() + position,
              held.get(list.home()),
              list.homeVertices()[position]);
        }
      }
    }
    return words;
  }

  private static void set(int[] words, int to, long[] from, int bit) {
    if ((from[bit >>> 6] >>> bit & 1) != 0) {
      words[to >>> 5] |= 1 << to;
    }
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
