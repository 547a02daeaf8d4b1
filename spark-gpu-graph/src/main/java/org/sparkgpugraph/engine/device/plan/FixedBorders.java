package org.sparkgpugraph.engine.device.plan;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Borders of the graph's own partitions: each device computes all rows that it holds.
 *
 * @param graph the graph, as its caller and the devices know it
 */
public record FixedBorders(ExecutorGraph graph) implements Borders {
  @Override
  public ExecutorGraph whole() {
    return graph;
  }

  @Override
  public List<Owned> owners(int partition) {
    return List.of(new Owned(partition, 0, 0, endRow(partition)));
  }

  @Override
  public Columns spread(int partition, List<Columns> held) {
    GraphPartition of = graph.partitions().get(partition);
    Columns own = held.get(partition);
    Columns all = Columns.allocate(own.kinds(), of.stored() + of.ghosts());
    all.copyFrom(own, 0, 0, of.stored());
    for (BoundaryList list : graph.boundaries()) {
      if (list.reader() == partition) {
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

  @Override
  public int[] spreadBits(int partition, List<long[]> held) {
    GraphPartition of = graph.partitions().get(partition);
    int[] words = new int[(int) ((of.stored() + (long) of.ghosts() + 31) >>> 5)];
    for (int v = 0; v < of.stored(); v++) {
      set(words, v, held.get(partition), v);
    }
    for (BoundaryList list : graph.boundaries()) {
      if (list.reader() == partition) {
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

  @Override
  public int endRow(int device) {
    return graph.partitions().get(device).stored();
  }
}
