package org.sparkgpugraph.graphs.shard;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.build.CsrExecutorGraph;
import org.sparkgpugraph.graphs.build.CsrGraphPartition;
import org.sparkgpugraph.graphs.model.IdRanges;

/**
 * The ghosts of one partition that one other shard holds: they follow each other.
 *
 * @param home the other shard
 * @param first index of the first among the partition's ghosts
 * @param size their number
 */
record RemoteRun(int home, int first, int size) {
  /** The runs of a partition, by shard. */
  static List<RemoteRun> of(CsrExecutorGraph graph, CsrGraphPartition reader) {
    IdRanges ranges = graph.place().ranges();
    int shard = graph.place().shard();
    long[] ghosts = reader.ghostIds();
    List<RemoteRun> runs = new ArrayList<>();
    int first = 0;
    while (first < ghosts.length) {
      int home = ranges.shardOf(graph.ids().original(ghosts[first]));
      int low = first + 1;
      int high = ghosts.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (ranges.isAbove(home, graph.ids().original(ghosts[middle]))) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      if (home != shard) {
        runs.add(new RemoteRun(home, first, low - first));
      }
      first = low;
    }
    return runs;
  }
}
