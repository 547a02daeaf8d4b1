package org.sparkgpugraph.graphs.rows;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Rows of edge blocks whose sources ascend, as those of GraphX's edge partitions do: edges that are
 * visited in the order (source, block, position) are each put behind the last one of their row, and
 * the rows are as they must be without any sorting.
 *
 * <p>That order is cut into as many pieces of equal numbers of edges as there are threads. First
 * every thread counts the edges of each row in its piece, and looks destinations up, block by block
 * so that only one dictionary at a time has to stay in the caches; then it merges the blocks'
 * sources and scatters. The result does not depend on where pieces are cut.
 *
 * <p>Whether sources ascend is found out on the way; where they do not, nothing is made. Beside the
 * result it takes 4 bytes an edge, for each thread about 1 KB a block, and counters for each
 * thread: of rows, and of the entries of one dictionary. Either are together not more than the
 * edges.
 */
public final class AscendingRows {
  /** So many runs of a block are looked up at a time, so that their cache misses overlap. */
  private static final int RUNS = 1 << 7;

  /**
   * Most visits of a block to look for edges of one source, for each edge there is: with more the
   * sorts are faster (measured on R-MAT graphs of 16 edges a vertex: 4 and 8 blocks are better
   * merged, 16 are not).
   */
  private static final double MOST_VISITS = 0.4;

  /** The same where the sorts are the slower ones, which tell places. */
  private static final double MOST_VISITS_WITH_PLACES = 0.8;

  private final List<DenseBlock> blocks;
  private final SourceOrder order;
  private final int first;
  private final int rows;
  private final boolean wantPlaces;
  private final Workers workers;
  private final int tasks;

  /** Per cut between pieces and block: the position; one more cut than pieces. */
  private final int[][] cuts;

  /** Per cut: the source that the next edge has. */
  private final int[] cutSources;

  /** Per block, the row of each edge; then its place, where that is wanted. */
  private final int[][] rowOf;

  private final int[][] cursors;
  private final int[] degrees;
  private final int[] firstDegrees;
  private final AtomicBoolean unfit = new AtomicBoolean();

  /** Of what is not kept. */
  private BuildMemory.Reservation temporary;

  private AscendingRows(
      List<DenseBlock> blocks,
      int first,
      int rows,
      int known,
      boolean wantPlaces,
      Workers workers,
      int tasks) {
    this.blocks = blocks;
    order = new SourceOrder(blocks, known);
    this.first = first;
    this.rows = rows;
    this.wantPlaces = wantPlaces;
    this.workers = workers;
    this.tasks = tasks;
    workers.acquire(4L * known + cutBytes());
    cuts = new int[tasks + 1][blocks.size()];
    cutSources = new int[tasks + 1];
    rowOf = new int[blocks.size()][];
    cursors = new int[tasks][];
    degrees = new int[known];
    firstDegrees = new int[tasks];
  }

  /**
   * See {@link RowBuilder#build}.
   *
   * @return null when sources do not ascend in every block, an edge has no row, or another way is
   *     faster
   */
  static RowBuilder.Made of(
      List<DenseBlock> blocks, int first, int rows, int known, boolean places, Workers workers) {
    List<DenseBlock> some = places ? blocks : blocks.stream().filter(b -> b.size() > 0).toList();
    long edges = DenseBlocks.edges(some);
    if (edges == 0
        || edges > GraphPartition.MAX_EDGES
        || (double) some.size() * known > edges * (places ? MOST_VISITS_WITH_PLACES : MOST_VISITS)
        || !SourceOrder.begins(some)) {
      return null;
    }
    int tasks = CsrSort.tasks((int) edges, rows, workers);
    while (tasks > 1 && !workers.hasRoom(mostBytes(some, first, rows, known, places, tasks))) {
      tasks /= 2;
    }
    if (!places && !workers.hasRoom(mostBytes(some, first, rows, known, false, tasks))) {
      // The other way does with less.
      return null;
    }
    return of(some, first, rows, known, places, workers, tasks);
  }

  /**
   * As above, whether or not another way is faster, in as many pieces as asked for.
   *
   * @param blocks at most {@link GraphPartition#MAX_EDGES} edges
   * @param known at least 1
   * @param tasks number of pieces; some are empty when there are fewer edges
   * @return null when sources do not ascend in every block, or an edge has no row
   */
  static RowBuilder.Made of(
      List<DenseBlock> blocks,
      int first,
      int rows,
      int known,
      boolean places,
      Workers workers,
      int tasks) {
    int edges = Math.toIntExact(DenseBlocks.edges(blocks));
    return new AscendingRows(blocks, first, rows, known, places, workers, tasks).make(edges);
  }

  /** What it takes, the rows among it. */
  private static long mostBytes(
      List<DenseBlock> blocks, int first, int rows, int known, boolean places, int tasks) {
    long edges = DenseBlocks.edges(blocks);
    int largestMap = 0;
    boolean inPlace = first == 0 && !places;
    for (DenseBlock block : blocks) {
      inPlace &= block.map() == null;
      largestMap = Math.max(largestMap, block.map() == null ? 0 : block.map().length);
    }
    return 4L * (known + (tasks + 1L) * blocks.size())
        + 4L * tasks * (rows + 2L * RUNS * blocks.size() + Math.min(largestMap, edges))
        + 4L * (rows + 1 + edges)
        + (inPlace ? 0 : 4 * edges);
  }

  private long cutBytes() {
    return 4L * (tasks + 1) * blocks.size();
  }

  private RowBuilder.Made make(int edges) {
    try (BuildMemory.Reservation step = workers.temporary()) {
      temporary = step;
      // For each thread counters, and what merges the blocks.
      temporary.acquire(4L * tasks * (rows + 2L * RUNS * rowOf.length));
      long kept = 4L * (rows + 1L + edges + (wantPlaces ? edges : 0));
      workers.acquire(kept);
      RowBuilder.Made made = makeReserved(edges);
      workers.release(cutBytes() + (made == null ? kept + 4L * degrees.length : 0));
      return made;
    }
  }

  private RowBuilder.Made makeReserved(int edges) {
    long start = System.nanoTime();
    for (int t = 0; t <= tasks; t++) {
      cut(t, (long) edges * t / tasks);
    }
    int[][] neighbours = new int[1][];
    // To clear large arrays takes as long as a part of the count.
    workers.run(
        rowOf.length + 1,
        b -> {
          if (b == 0) {
            neighbours[0] = new int[edges];
          } else {
            rowOf[b - 1] = room(blocks.get(b - 1));
          }
        });
    start = PhaseTimes.ended("rows: room", start);
    workers.run(tasks, this::count);
    if (unfit.get()) {
      return null;
    }
    int[] offsets = CsrSort.startCursors(cursors, rows, workers);
    start = PhaseTimes.ended("rows: count", start);
    workers.run(
        tasks,
        t -> {
          if (!new Merge(t).scatter(neighbours[0])) {
            unfit.set(true);
          }
        });
    if (unfit.get()) {
      return null;
    }
    for (int t = 0; t < tasks; t++) {
      degrees[cutSources[t]] += firstDegrees[t];
    }
    PhaseTimes.ended("rows: scatter", start);
    return new RowBuilder.Made(new Csr(offsets, neighbours[0]), degrees, wantPlaces ? rowOf : null);
  }

  // ---- pieces ---------------------------------------------------------------------------------

  /**
   * Cuts before an edge.
   *
   * @param before number of edges before the cut
   */
  private void cut(int cut, long before) {
    int low = order.sourceAt(before);
    cutSources[cut] = low;
    long rest = before - order.below(low);
    for (int b = 0; b < rowOf.length; b++) {
      int begin = order.begin(b, low);
      int take = (int) Math.min(rest, order.begin(b, low + 1) - begin);
      rest -= take;
      // Sources that do not ascend are found later; until then no edge may be in two pieces.
      cuts[cut][b] =
          cut == 0
              ? 0
              : cut == tasks
                  ? blocks.get(b).size()
                  : Math.max(cuts[cut - 1][b], Math.min(begin + take, blocks.get(b).size()));
    }
  }

  // ---- counting -------------------------------------------------------------------------------

  /** What receives the rows of a block's edges: its own array, where those are there. */
  private int[] room(DenseBlock block) {
    if (block.map() == null && first == 0 && !wantPlaces) {
      return block.destinations();
    }
    // Places are kept.
    temporary.acquire(wantPlaces ? 0 : 4L * block.size());
    return new int[block.size()];
  }

  private void count(int task) {
    int[] counts = new int[rows];
    int[] local = new int[0];
    for (int b = 0; b < rowOf.length; b++) {
      DenseBlock block = blocks.get(b);
      int from = cuts[task][b];
      int to = cuts[task + 1][b];
      boolean fit;
      if (block.map() != null && block.map().length <= to - from) {
        if (local.length < block.map().length) {
          temporary.acquire(4L * (block.map().length - local.length));
          local = new int[block.map().length];
        }
        countLocal(block, from, to, rowOf[b], local);
        fit = add(local, block.map(), counts);
      } else {
        if (rowOf[b] != block.destinations()) {
          translate(block, from, to, rowOf[b]);
        }
        fit = countRows(rowOf[b], from, to, counts);
      }
      if (!fit) {
        unfit.set(true);
        return;
      }
    }
    cursors[task] = counts;
  }

  /** Counts by entry of the dictionary: a random access less for each edge. */
  private void countLocal(DenseBlock block, int from, int to, int[] rowOf, int[] local) {
    int[] destinations = block.destinations();
    int[] map = block.map();
    int first = this.first;
    for (int i = from; i < to; i++) {
      int entry = destinations[i];
      rowOf[i] = map[entry] - first;
      local[entry]++;
    }
  }

  /** Adds the counts of a dictionary's entries to those of rows, and clears them. */
  private boolean add(int[] local, int[] map, int[] counts) {
    boolean fit = true;
    for (int entry = 0; entry < map.length; entry++) {
      int count = local[entry];
      if (count != 0) {
        local[entry] = 0;
        int row = map[entry] - first;
        if (row >= 0 && row < counts.length) {
          counts[row] += count;
        } else {
          fit = false;
        }
      }
    }
    return fit;
  }

  private void translate(DenseBlock block, int from, int to, int[] rowOf) {
    for (int i = from; i < to; i++) {
      rowOf[i] = block.destination(i) - first;
    }
  }

  private static boolean countRows(int[] rowOf, int from, int to, int[] counts) {
    for (int i = from; i < to; i++) {
      int row = rowOf[i];
      if (row < 0 || row >= counts.length) {
        return false;
      }
      counts[row]++;
    }
    return true;
  }

  // ---- scattering -----------------------------------------------------------------------------

  /**
   * One piece in the order (source, block, position). Edges of a block that follow each other with
   * one source are a run.
   */
  private final class Merge {
    private final int task;
    private final int[] next;
    private final int[] end;

    /** Per block, the source of the run that comes next; behind all sources: there is none. */
    private final int[] heads;

    private final int[] run;
    private final int[] runs;

    /** Per block, where runs begin, and where the last one ends. */
    private final int[][] begins;

    private final int[][] sources;

    Merge(int task) {
      this.task = task;
      int count = rowOf.length;
      next = cuts[task].clone();
      end = cuts[task + 1];
      heads = new int[count];
      Arrays.fill(heads, cutSources[task]);
      run = new int[count];
      runs = new int[count];
      begins = new int[count][RUNS + 1];
      sources = new int[count][RUNS];
    }

    /** Returns whether the sources ascend. */
    boolean scatter(int[] neighbours) {
      for (int b = 0; b < heads.length; b++) {
        if (!find(b)) {
          return false;
        }
      }
      int from = cutSources[task];
      int to = cutSources[task + 1];
      for (int source = from; source <= to; ) {
        int degree = 0;
        for (int b = 0; b < heads.length; b++) {
          while (heads[b] == source) {
            int r = run[b];
            int begin = begins[b][r];
            int behind = begins[b][r + 1];
            degree += behind - begin;
            if (wantPlaces) {
              put(rowOf[b], begin, behind, source, cursors[task], neighbours);
            } else {
              putOnly(rowOf[b], begin, behind, source, cursors[task], neighbours);
            }
            if (++r < runs[b]) {
              run[b] = r;
              heads[b] = sources[b][r];
            } else if (!find(b)) {
              return false;
            }
          }
        }
        // The first source may be that of the last edges of the piece before.
        if (source == from) {
          firstDegrees[task] = degree;
        } else {
          degrees[source] = degree;
        }
        // Many vertices may have no out-edges, as one side of a bipartite graph does.
        source = degree == 0 ? lowestHead() : source + 1;
      }
      return lowestHead() == Integer.MAX_VALUE;
    }

    private int lowestHead() {
      int lowest = Integer.MAX_VALUE;
      for (int head : heads) {
        lowest = Math.min(lowest, head);
      }
      return lowest;
    }

    /** Finds the next runs of a block; returns whether their sources ascend. */
    private boolean find(int b) {
      DenseBlock block = blocks.get(b);
      int[] begin = begins[b];
      int[] source = sources[b];
      int count = split(block.sources(), next[b], end[b], begin, source);
      next[b] = begin[count];
      run[b] = 0;
      runs[b] = count;
      if (count == 0) {
        heads[b] = Integer.MAX_VALUE;
        return true;
      }
      int before = heads[b];
      boolean ascend = true;
      for (int r = 0; r < count; r++) {
        source[r] = block.map() == null ? source[r] : block.map()[source[r]];
        ascend &= source[r] >= before;
        before = source[r];
      }
      heads[b] = source[0];
      return ascend;
    }

    /** Splits edges into runs; returns their number. */
    private static int split(int[] ends, int from, int to, int[] begin, int[] source) {
      int count = 0;
      int i = from;
      begin[0] = i;
      while (count < RUNS && i < to) {
        int of = ends[i];
        do {
          i++;
        } while (i < to && ends[i] == of);
        source[count] = of;
        begin[++count] = i;
      }
      return count;
    }

    private static void putOnly(
        int[] rowOf, int from, int to, int source, int[] cursors, int[] neighbours) {
      for (int i = from; i < to; i++) {
        neighbours[cursors[rowOf[i]]++] = source;
      }
    }

    private static void put(
        int[] rowOf, int from, int to, int source, int[] cursors, int[] neighbours) {
      for (int i = from; i < to; i++) {
        int place = cursors[rowOf[i]]++;
        neighbours[place] = source;
        rowOf[i] = place;
      }
    }
  }
}
