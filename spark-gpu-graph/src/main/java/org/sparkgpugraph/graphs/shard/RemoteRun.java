package org.sparkgpugraph.graphs.shard;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.build.CsrExecutorGraph;
import org.sparkgpugraph.graphs.build.CsrGraphPartition;
import org.sparkgpugraph.graphs.memory.BinarySearch;
import org.sparkgpugraph.graphs.model.VertexOwners;

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
    VertexOwners owners = graph.place().owners();
    int shard = graph.place().shard();
    long[] ghosts = reader.ghostIds();
    List<RemoteRun> runs = new ArrayList<>();
    int first = 0;
    while (first < ghosts.length) {
      int home = owners.shardOf(graph.ids().original(ghosts[first]));
      int end =
          BinarySearch.first(
              first + 1,
              ghosts.length,
              g -> owners.shardOf(graph.ids().original(ghosts[g])) > home);
      if (home != shard) {
        runs.add(new RemoteRun(home, first, end - first));
      }
      first = end;
    }
    return runs;
  }
}
