package org.sparkgpugraph.graphs.overlap;

import java.util.List;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.GraphView;
import org.sparkgpugraph.run.EdgeBytes;

/**
 * A whole graph seen as partitions whose ranges overlap. Everything that asks for one partition's
 * vertices asks here for those that it holds, also where others hold them too; {@link
 * GraphPartition#index()} counts the ranges.
 */
public final class OverlappingGraph extends GraphView<ExecutorGraph> {
  private final Overlap overlap;

  /**
   * @param graph the one that the overlap was made of
   */
  public OverlappingGraph(ExecutorGraph graph, Overlap overlap) {
    super(graph);
    this.overlap = overlap;
  }

  @Override
  public int[] locals(BoundaryList list) {
    return overlap.locals(list);
  }

  /**
   * Rows of a table for each held vertex and ghost of a partition.
   *
   * @param partition index of one of these partitions
   * @param held tables of the graph's own partitions, of at least their held vertices
   */
  public Columns spread(int partition, List<Columns> held) {
    OverlappingPartition of = overlap.partitions().get(partition);
    Columns all = Columns.allocate(held.get(0).kinds(), of.stored() + of.ghosts());
    overlap
        .rows()
        .pieces(
            of.range(),
            (home, row, at, count) -> all.copyFrom(held.get(home.index()), row, at, count));
    for (int local = of.stored(); local < of.stored() + of.ghosts(); local++) {
      long dense = of.dense(local);
      GraphPartition home = overlap.rows().home(dense);
      all.copyFrom(held.get(home.index()), (int) (dense - home.firstVertex()), local, 1);
    }
    return all;
  }

  /**
   * As {@link #spread}, of bitmaps in words of 64 bits.
   *
   * @return words of 32 bits
   */
  public int[] spreadBits(int partition, List<long[]> held) {
    OverlappingPartition of = overlap.partitions().get(partition);
    int[] words = new int[(int) ((of.stored() + (long) of.ghosts() + 31) >>> 5)];
    for (int local = 0; local < of.stored() + of.ghosts(); local++) {
      long dense = of.dense(local);
      GraphPartition home = overlap.rows().home(dense);
      int row = (int) (dense - home.firstVertex());
      if ((held.get(home.index())[row >>> 6] >>> row & 1) != 0) {
        words[local >>> 5] |= 1 << local;
      }
    }
    return words;
  }

  @Override
  public List<? extends GraphPartition> partitions() {
    return overlap.partitions();
  }

  /** The first partition that holds a vertex. */
  @Override
  public int partitionOf(long dense) {
    for (OverlappingPartition partition : overlap.partitions()) {
      if (partition.range().contains(dense)) {
        return partition.index();
      }
    }
    return -1;
  }

  @Override
  public List<BoundaryList> boundaries() {
    return overlap.boundaries();
  }

  @Override
  public ExecutorGraph reversed() {
    return graph().reversed();
  }

  @Override
  public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
    return graph().masked(vertices, edges);
  }

  @Override
  public EdgeBytes edgeBytes() {
    return graph().edgeBytes().plus(super.edgeBytes());
  }

  @Override
  public long bytes() {
    return super.bytes()
        + overlap.partitions().stream().mapToLong(OverlappingPartition::bytes).sum();
  }
}
