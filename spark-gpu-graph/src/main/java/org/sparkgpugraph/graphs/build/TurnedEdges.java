package org.sparkgpugraph.graphs.build;

import java.util.List;
import org.sparkgpugraph.graphs.rows.EdgeSequence;

/**
 * The in-edges of partitions, one partition after the other, in dense ids: their sources become
 * rows.
 */
final class TurnedEdges implements EdgeSequence {
  private final List<CsrGraphPartition> partitions;
  private final long[] starts;

  TurnedEdges(List<CsrGraphPartition> partitions) {
    this.partitions = partitions;
    starts = new long[partitions.size() + 1];
    for (int p = 0; p < partitions.size(); p++) {
      starts[p + 1] = starts[p] + partitions.get(p).inEdges().edges();
    }
  }

  @Override
  public long size() {
    return starts[partitions.size()];
  }

  @Override
  public void rows(long first, int count, int[] into, int at) {
    for (int done = 0; done < count; ) {
      int p = holder(first + done);
      CsrGraphPartition partition = partitions.get(p);
      int from = (int) (first + done - starts[p]);
      int part = (int) Math.min(count - done, starts[p + 1] - first - done);
      partition.inEdges().neighbours(from, part, into, at + done);
      for (int e = at + done; e < at + done + part; e++) {
        into[e] = partition.dense(into[e]);
      }
      done += part;
    }
  }

  @Override
  public void neighbours(long first, int count, int[] into) {
    for (int done = 0; done < count; ) {
      int p = holder(first + done);
      CsrGraphPartition partition = partitions.get(p);
      int from = (int) (first + done - starts[p]);
      int part = (int) Math.min(count - done, starts[p + 1] - first - done);
      partition.inEdges().rowsOf(from, part, (int) partition.firstVertex(), into, done);
      done += part;
    }
  }

  /** The partition that holds an edge: few, so that looking at each is as good as any search. */
  private int holder(long edge) {
    int p = 0;
    while (starts[p + 1] <= edge) {
      p++;
    }
    return p;
  }
}
