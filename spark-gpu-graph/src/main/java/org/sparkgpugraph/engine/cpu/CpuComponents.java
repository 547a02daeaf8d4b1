package org.sparkgpugraph.engine.cpu;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.operator.RowWindow;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Connected components by sampled union-find on the processor's cores (after Sutton, Ben-Nun and
 * Barak 2018, "Optimizing parallel graph connectivity computation via subgraph sampling"). Two
 * neighbours of every vertex are linked first; that puts most of a graph into one tree, which a
 * sample of vertices finds. What is left of the edges costs a look at a bitmap of that tree's
 * members, and a link where an end is none of them.
 *
 * <p>Each edge is looked at once, in the row of its destination. The paper skips the rows of the
 * largest tree; it needs every edge in both rows for that; here only one of them has it.
 */
final class CpuComponents {
  /** Vertices that are asked for the tree that they are in. */
  private static final int SAMPLE = 1024;

  /** Vertices that a thread takes at a time where no edges are walked; a multiple of 64. */
  private static final int RANGE = 1 << 16;

  private final List<? extends GraphPartition> partitions;
  private final int size;
  private final int[] parents;
  private final LinkedForest forest;
  private final int[][] ghosts;
  private final long[][] presents;
  private final RowBlocks blocks = new RowBlocks();
  private final WorkerTeam team;
  private int largest;
  private long[] members;

  private CpuComponents(ExecutorGraph graph, WorkerTeam team) {
    this.team = team;
    partitions = graph.partitions();
    size = Math.toIntExact(graph.ids().size());
    parents = new int[size];
    forest = new LinkedForest(parents);
    ghosts = new int[partitions.size()][];
    presents = new long[partitions.size()][];
    for (int p = 0; p < ghosts.length; p++) {
      GraphPartition partition = partitions.get(p);
      ghosts[p] = Arrays.stream(partition.ghostIds()).mapToInt(Math::toIntExact).toArray();
      presents[p] = partition.present();
      blocks.add(p, partition.stored(), partition.inEdges().offsets(), null);
    }
    blocks.order();
  }

  /**
   * Finds the components.
   *
   * @param threads at least 1
   * @throws java.util.concurrent.CancellationException when the caller is interrupted
   */
  static Contraction of(ExecutorGraph graph, int threads) {
    long start = System.nanoTime();
    try (WorkerTeam team = new WorkerTeam("components", threads)) {
      int[] roots = new CpuComponents(graph, team).roots();
      return new Contraction(roots, CpuEngine.NAME, System.nanoTime() - start, 0);
    }
  }

  private int[] roots() {
    ranges(
        (from, to) -> {
          for (int v = from; v < to; v++) {
            parents[v] = v;
          }
        });
    rows(this::hang);
    ranges(forest::compress);
    rows(this::sample);
    largest = largest();
    members = new long[(size + 63) >>> 6];
    ranges(this::compressAndMark);
    rows(this::linkRest);
    ranges(forest::compress);
    return parents;
  }

  // ---- threads --------------------------------------------------------------------------------

  private interface Range {
    void of(int from, int to);
  }

  private void ranges(Range work) {
    int count = (int) ((size + RANGE - 1L) / RANGE);
    together(count, r -> work.of(r * RANGE, (int) Math.min(size, (r + 1L) * RANGE)));
  }

  private interface Rows {
    void of(int partition, int from, int to);
  }

  private void rows(Rows work) {
    together(
        blocks.count(),
        i -> {
          RowBlocks.Block block = blocks.block(i);
          work.of(block.partition(), block.from(), block.to());
        });
  }

  private void together(int count, IntConsumer work) {
    team.each(count > 1, count, (member, i) -> work.accept(i));
  }

  // ---- steps ----------------------------------------------------------------------------------

  private static boolean has(long[] present, int local) {
    return present == null || (present[local >>> 6] >>> local & 1) != 0;
  }

  private boolean isMember(int v) {
    return (members[v >>> 6] >>> v & 1) != 0;
  }

  /** Hangs each row's vertex under its smallest neighbour: no other thread changes its parent. */
  private void hang(int p, int from, int to) {
    GraphPartition partition = partitions.get(p);
    Csr rows = partition.inEdges();
    long[] present = presents[p];
    int first = (int) partition.firstVertex();
    for (int row = from; row < to; row++) {
      int e = rows.offsets()[row];
      if (e < rows.offsets()[row + 1] && has(present, row) && has(present, rows.neighbour(e))) {
        int other = dense(p, first, partition.stored(), rows.neighbour(e));
        if (other < first + row) {
          parents[first + row] = other;
        }
      }
    }
  }

  private int dense(int p, int first, int stored, int local) {
    return local < stored ? first + local : ghosts[p][local - stored];
  }

  /** Links each row with its first neighbour, where that is larger, and its second one. */
  private void sample(int p, int from, int to) {
    GraphPartition partition = partitions.get(p);
    Csr rows = partition.inEdges();
    RowWindow edges = new RowWindow();
    for (int row = from; row < to; row++) {
      int begin = rows.offsets()[row];
      int end = Math.min(begin + 2, rows.offsets()[row + 1]);
      edges.open(rows, null, begin, end);
      linkRow(p, partition, row, edges, begin, end);
    }
  }

  private void linkRow(
      int p, GraphPartition partition, int row, RowWindow edges, int begin, int end) {
    long[] present = presents[p];
    int[] neighbours = edges.neighbours();
    int first = (int) partition.firstVertex();
    int stored = partition.stored();
    if (!has(present, row)) {
      return;
    }
    for (int e = begin - edges.first(); e < end - edges.first(); e++) {
      if (has(present, neighbours[e])) {
        forest.link(first + row, dense(p, first, stored, neighbours[e]));
      }
    }
  }

  /** The root that most of some vertices have. */
  private int largest() {
    int[] asked = new int[Math.min(SAMPLE, size)];
    for (int i = 0; i < asked.length; i++) {
      asked[i] = forest.root((int) ((long) i * size / asked.length));
    }
    Arrays.sort(asked);
    int best = 0;
    int most = 0;
    for (int i = 0, begin = 0; i < asked.length; i++) {
      begin = asked[i] == asked[begin] ? begin : i;
      if (i - begin >= most) {
        most = i - begin + 1;
        best = asked[i];
      }
    }
    return best;
  }

  private void compressAndMark(int from, int to) {
    forest.compress(from, to);
    for (int v = from; v < to; v++) {
      if (parents[v] == largest) {
        members[v >>> 6] |= 1L << v;
      }
    }
  }

  private void linkRest(int p, int from, int to) {
    GraphPartition partition = partitions.get(p);
    Csr rows = partition.inEdges();
    long[] present = presents[p];
    int first = (int) partition.firstVertex();
    RowWindow edges = new RowWindow();
    edges.open(rows, null, rows.offsets()[from], rows.offsets()[to]);
    for (int row = from; row < to; row++) {
      int begin = rows.offsets()[row];
      int end = rows.offsets()[row + 1];
      if (has(present, row) && isMember(first + row)) {
        linkToLargest(p, partition, edges, begin, end);
      } else {
        linkRow(p, partition, row, edges, begin, end);
      }
    }
  }

  /** Links the neighbours of one of the largest tree's members, most of which are members too. */
  private void linkToLargest(int p, GraphPartition partition, RowWindow edges, int begin, int end) {
    long[] present = presents[p];
    int[] neighbours = edges.neighbours();
    int first = (int) partition.firstVertex();
    int stored = partition.stored();
    for (int e = begin - edges.first(); e < end - edges.first(); e++) {
      int local = neighbours[e];
      int other = dense(p, first, stored, local);
      if (!isMember(other) && has(present, local)) {
        forest.link(largest, other);
      }
    }
  }
}
