package org.sparkgpugraph.engine.cpu.components;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.sparkgpugraph.engine.Contraction;
import org.sparkgpugraph.engine.WorkerTeam;
import org.sparkgpugraph.engine.cpu.frame.RowBlocks;
import org.sparkgpugraph.engine.operator.RowWindow;
import org.sparkgpugraph.graphs.memory.ColdCode;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Connected components by sampled union-find on the processor's cores (after Sutton, Ben-Nun and
 * Barak 2018, "Optimizing parallel graph connectivity computation via subgraph sampling"). Two
 * neighbours of every vertex are linked first; that puts most of a graph into one tree, which a
 * sample of vertices finds. Where there is a hub the tree {@linkplain GrownTree grows} from it
 * instead. What is left of the edges costs a look at a bitmap of that tree's members, and a link
 * where an end is none of them.
 *
 * <p>Each edge is looked at once, in the row of its destination. The paper skips the rows of the
 * largest tree; it needs every edge in both rows for that, which is so here where the edges are at
 * hand by their sources, too; elsewhere only one of them has it. Where it is known how many edges
 * leave each vertex these rows are skipped all the same: a vertex outside that more edges leave
 * than end outside, which the other rows tell, is next to a member.
 */
public final class CpuComponents {
  /** Sweeps in which a tree grows. */
  private static final int SWEEPS = 2;

  /** Vertices that are asked for the tree that they are in. */
  private static final int SAMPLE = 1024;

  /** Vertices that a thread takes at a time where no edges are walked; a multiple of 64. */
  private static final int RANGE = 1 << 16;

  /** Rows whose neighbours' parents are read at a time. */
  private static final int TOUCHED = 32;

  /** Edges of the largest tree's members to others that are kept until they are linked. */
  private static final int KEPT = 256;

  /** Edges that are looked at with one branch. */
  private static final int TOGETHER = 4;

  private final List<? extends GraphPartition> partitions;
  private final int size;
  private final int[] parents;
  private final LinkedForest forest;
  private final int[][] ghosts;
  private final long[][] presents;
  private final RowBlocks blocks = new RowBlocks();

  /** The edges of the only partition by their sources, if they are at hand. */
  private final Csr turned;

  private final WorkerTeam team;
  private int largest;

  /** What was read only to have it near, so that the JVM does not leave it out. */
  private int touched;

  private long[] members;

  /**
   * How many edges leave each vertex, where a tree has grown and that is known; null: otherwise.
   */
  private int[] outDegrees;

  /** Those of them that end outside of the tree. */
  private OutsideEdges outside;

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
    GraphPartition first = partitions.get(0);
    turned = partitions.size() == 1 && first.hasTranspose(true) ? first.inTranspose() : null;
  }

  /**
   * Finds the components.
   *
   * @param threads at least 1
   * @param engine its name, for the report
   * @throws java.util.concurrent.CancellationException when the caller is interrupted
   */
  public static Contraction of(ExecutorGraph graph, int threads, String engine) {
    long start = System.nanoTime();
    try (WorkerTeam team = new WorkerTeam("components", threads)) {
      int[] roots = new CpuComponents(graph, team).roots();
      return new Contraction(roots, engine, System.nanoTime() - start, 0);
    }
  }

  private int[] roots() {
    long start = System.nanoTime();
    if (grow()) {
      start = PhaseTimes.ended("components: grown tree", start);
    } else {
      sample();
      start = PhaseTimes.ended("components: sampled tree", start);
    }
    if (turned != null) {
      rows(Step.LINK_OTHERS, this::linkOthers);
    } else if (outDegrees != null) {
      rows(Step.LINK_ROWS, this::linkRows);
      outside.seal();
      ranges(Step.LINK_SOURCES, this::linkSources);
    } else {
      rows(Step.LINK_REST, this::linkRest);
    }
    start = PhaseTimes.ended("components: other edges", start);
    ranges(Step.COMPRESS, forest::compress);
    PhaseTimes.ended("components: roots", start);
    return parents;
  }

  /** Grows the largest tree from a hub; false: there is none, or little has grown. */
  private boolean grow() {
    boolean whole = partitions.size() == 1 && partitions.get(0).stored() == size;
    GrownTree tree = whole ? GrownTree.of(partitions.get(0), blocks) : null;
    if (tree == null) {
      return false;
    }
    tree.begin();
    Csr rows = partitions.get(0).inEdges();
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      rows(Step.GROW, (p, from, to) -> tree.grow(rows, from, to));
    }
    if (turned != null) {
      rows(Step.GROW, (p, from, to) -> tree.grow(turned, from, to));
    }
    if (!tree.isLarge()) {
      return false;
    }
    members = tree.members();
    largest = tree.root();
    ranges(
        Step.PLANT,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            parents[v] = isMember(v) ? largest : v;
          }
        });
    outDegrees = turned == null ? partitions.get(0).degreesIfKnown(false) : null;
    outside = outDegrees == null ? null : new OutsideEdges(size);
    return true;
  }

  /** Finds most of the largest tree by two neighbours of every vertex. */
  private void sample() {
    ranges(
        Step.PLANT,
        (from, to) -> {
          for (int v = from; v < to; v++) {
            parents[v] = v;
          }
        });
    rows(Step.HANG, this::hang);
    ranges(Step.COMPRESS, forest::compress);
    rows(Step.SAMPLE, this::sample);
    largest = largest();
    members = new long[(size + 63) >>> 6];
    ranges(Step.MARK, this::compressAndMark);
  }

  // ---- threads --------------------------------------------------------------------------------

  /** Loops that the JVM compiles each for itself. */
  private enum Step {
    GROW,
    PLANT,
    HANG,
    SAMPLE,
    MARK,
    LINK_OTHERS,
    LINK_ROWS,
    LINK_SOURCES,
    LINK_REST,
    COMPRESS
  }

  private interface Range {
    void of(int from, int to);
  }

  private void ranges(Step step, Range work) {
    int count = (int) ((size + RANGE - 1L) / RANGE);
    together(step, count, r -> work.of(r * RANGE, (int) Math.min(size, (r + 1L) * RANGE)));
  }

  private interface Rows {
    void of(int partition, int from, int to);
  }

  private void rows(Step step, Rows work) {
    together(
        step,
        blocks.count(),
        i -> {
          RowBlocks.Block block = blocks.block(i);
          work.of(block.partition(), block.from(), block.to());
        });
  }

  private void together(Step step, int count, IntConsumer work) {
    ColdCode code = ColdCode.of(CpuComponents.class, step);
    team.each(code, count > 1, count, (member, i) -> work.accept(i));
  }

  // ---- steps ----------------------------------------------------------------------------------

  private static boolean has(long[] present, int local) {
    return GraphPartition.exists(present, local);
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

  /**
   * Links each row with its first neighbour, where that is larger, and its second one. Of some rows
   * the neighbours' parents are read first, one behind the other, so that all are fetched at the
   * same time; links then wait for none of them.
   */
  private void sample(int p, int from, int to) {
    GraphPartition partition = partitions.get(p);
    int[] others = new int[2 * TOUCHED];
    int sum = 0;
    for (int row = from; row < to; row += TOUCHED) {
      int end = Math.min(to, row + TOUCHED);
      sum += neighbours(p, partition, row, end, others);
      for (int r = row; r < end; r++) {
        int v = (int) partition.firstVertex() + r;
        int one = others[2 * (r - row)];
        int two = others[2 * (r - row) + 1];
        // It was hung under a smaller one.
        if (one > v) {
          forest.link(v, one);
        }
        if (two >= 0) {
          forest.link(v, two);
        }
      }
    }
    touched = sum;
  }

  /**
   * The first two neighbours of rows, and any number that is made of their parents.
   *
   * @param others gets dense ids; negative: there is none, or it does not exist
   */
  private int neighbours(int p, GraphPartition partition, int from, int to, int[] others) {
    Csr rows = partition.inEdges();
    long[] present = presents[p];
    int first = (int) partition.firstVertex();
    int stored = partition.stored();
    int sum = 0;
    for (int row = from, i = 0; row < to; row++) {
      int begin = rows.offsets()[row];
      int count = has(present, row) ? rows.offsets()[row + 1] - begin : 0;
      for (int k = 0; k < 2; k++, i++) {
        int local = k < count ? rows.neighbour(begin + k) : -1;
        others[i] = local >= 0 && has(present, local) ? dense(p, first, stored, local) : -1;
        sum += others[i] >= 0 ? parents[others[i]] : 0;
      }
    }
    return sum;
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

  /** Links the vertices outside of the largest tree with all their neighbours. */
  private void linkOthers(int p, int from, int to) {
    GraphPartition partition = partitions.get(p);
    int first = (int) partition.firstVertex();
    RowWindow edges = new RowWindow();
    for (int row = from; row < to; row++) {
      if (!isMember(first + row)) {
        linkRow(p, partition, row, edges, partition.inEdges());
        linkRow(p, partition, row, edges, turned);
      }
    }
  }

  /**
   * Which vertices of a word of bits are outside of the largest tree.
   *
   * @param first of the word, a multiple of 64
   * @param to no vertex from here on
   */
  private long others(int first, int to) {
    return ~members[first >>> 6] & -1L >>> Math.max(0, first + 64 - to);
  }

  /** Links the vertices outside of the largest tree with those that edges come from. */
  private void linkRows(int p, int from, int to) {
    Csr rows = partitions.get(p).inEdges();
    int[] offsets = rows.offsets();
    RowWindow edges = new RowWindow();
    OutsideEdges.Part found = outside.part();
    for (int word = from; word < to; word += 64) {
      for (long left = others(word, to); left != 0; left &= left - 1) {
        int row = word + Long.numberOfTrailingZeros(left);
        if (offsets[row] < offsets[row + 1]) {
          edges.open(rows, null, offsets[row], offsets[row + 1]);
          linkSourcesOf(row, edges, offsets[row], offsets[row + 1], found);
        }
      }
    }
    found.end();
  }

  private void linkSourcesOf(
      int row, RowWindow edges, int begin, int end, OutsideEdges.Part found) {
    int[] neighbours = edges.neighbours();
    for (int e = begin - edges.first(); e < end - edges.first(); e++) {
      forest.link(row, neighbours[e]);
      if (!isMember(neighbours[e])) {
        found.add(neighbours[e]);
      }
    }
  }

  /**
   * Links those with the largest tree that edges to its members leave: more edges than end outside.
   */
  private void linkSources(int from, int to) {
    OutsideEdges.Ascending counted = outside.from(from);
    for (int word = from; word < to; word += 64) {
      for (long left = others(word, to); left != 0; left &= left - 1) {
        int v = word + Long.numberOfTrailingZeros(left);
        if (outDegrees[v] > 0 && outDegrees[v] > counted.leaving(v)) {
          forest.link(largest, v);
        }
      }
    }
  }

  private void linkRow(int p, GraphPartition partition, int row, RowWindow edges, Csr rows) {
    int begin = rows.offsets()[row];
    int end = rows.offsets()[row + 1];
    if (begin < end) {
      edges.open(rows, null, begin, end);
      linkRow(p, partition, row, edges, begin, end);
    }
  }

  private void linkRest(int p, int from, int to) {
    GraphPartition partition = partitions.get(p);
    Csr rows = partition.inEdges();
    long[] present = presents[p];
    int first = (int) partition.firstVertex();
    RowWindow edges = new RowWindow();
    edges.open(rows, null, rows.offsets()[from], rows.offsets()[to]);
    boolean whole = partition.ghosts() == 0;
    if (whole) {
      linkToLargest(p, partition, edges, from, to);
    }
    for (int row = from; row < to; row++) {
      int begin = rows.offsets()[row];
      int end = rows.offsets()[row + 1];
      if (begin < end && !(has(present, row) && isMember(first + row))) {
        linkRow(p, partition, row, edges, begin, end);
      } else if (!whole) {
        linkRowToLargest(p, partition, edges, begin, end);
      }
    }
  }

  /**
   * Does so in the rows {@code [from, to)} of members, whose edges are looked at without a look at
   * where a row ends: nearly all lead to members. Those that do not are kept, some at a time. No
   * vertex is a ghost.
   */
  private void linkToLargest(int p, GraphPartition partition, RowWindow edges, int from, int to) {
    int[] offsets = partition.inEdges().offsets();
    int[] neighbours = edges.neighbours();
    int first = (int) partition.firstVertex();
    int end = offsets[to] - edges.first();
    long[] bits = members;
    int[] kept = new int[KEPT + TOGETHER];
    int count = 0;
    int row = from;
    for (int e = offsets[from] - edges.first(); e < end; ) {
      int last = Math.min(end, e + TOGETHER);
      long all =
          last < e + TOGETHER
              ? 0
              : bit(bits, first + neighbours[e])
                  & bit(bits, first + neighbours[e + 1])
                  & bit(bits, first + neighbours[e + 2])
                  & bit(bits, first + neighbours[e + 3]);
      if ((all & 1) == 0) {
        for (int i = e; i < last; i++) {
          kept[count] = i;
          count += (int) (~bit(bits, first + neighbours[i]) & 1);
        }
        if (count >= KEPT) {
          row = linkKept(p, first, offsets, edges, row, kept, count);
          count = 0;
        }
      }
      e = last;
    }
    linkKept(p, first, offsets, edges, row, kept, count);
  }

  /** Whose lowest bit is that of a vertex. */
  private static long bit(long[] bits, int v) {
    return bits[v >>> 6] >>> v;
  }

  /**
   * Links the ends of edges of a window with the largest tree if they are in rows of its members.
   * Their parents are read first, as those of {@linkplain #sample(int, int, int) samples} are.
   *
   * @param row not behind that of the first edge
   * @param kept ascending
   * @return not behind that of the last edge
   */
  private int linkKept(
      int p, int first, int[] offsets, RowWindow edges, int row, int[] kept, int count) {
    long[] present = presents[p];
    int[] neighbours = edges.neighbours();
    int sum = 0;
    for (int i = 0; i < count; i++) {
      sum += parents[first + neighbours[kept[i]]];
    }
    touched = sum;
    int r = row;
    for (int i = 0; i < count; i++) {
      while (offsets[r + 1] - edges.first() <= kept[i]) {
        r++;
      }
      int local = neighbours[kept[i]];
      if (isMember(first + r) && has(present, r) && has(present, local)) {
        forest.link(largest, first + local);
      }
    }
    return r;
  }

  /** Links the neighbours of one of the largest tree's members, most of which are members too. */
  private void linkRowToLargest(
      int p, GraphPartition partition, RowWindow edges, int begin, int end) {
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
