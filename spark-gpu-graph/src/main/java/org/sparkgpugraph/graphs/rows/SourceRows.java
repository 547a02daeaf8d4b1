package org.sparkgpugraph.graphs.rows;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Rows by source, made in a hurry: a row's neighbours are in the order (block, position), by which
 * nothing has to be sorted. Where sources ascend in every block, as in those of GraphX's edge
 * partitions, all is read and written nearly in order: the sources are cut into pieces of about as
 * many edges, of which each is done by one thread, block by block, first to count and then to put
 * neighbours and values behind one another. It takes no memory beside the result. Where they do not
 * ascend the edges are counted and scattered by source, with counters for every thread, and 4 bytes
 * an edge where there are values.
 *
 * @param csr a row for each source
 * @param values in the order of the rows; null: none are loaded
 */
record SourceRows(Csr csr, Columns values) {
  /** Least edges of a piece: with fewer to begin it costs as much. */
  private static final int LEAST = 1 << 16;

  /** Pieces for each thread: one that has a hub in it takes longer than others. */
  private static final int PIECES = 8;

  /**
   * Makes rows.
   *
   * @param edges at most {@link GraphPartition#MAX_EDGES}, between dense ids
   * @param known number of dense ids, and of rows
   */
  static SourceRows of(UnsortedEdges.Loaded edges, int known, Workers workers) {
    long count = DenseBlocks.edges(edges.blocks());
    long most = Math.min(count / LEAST, (long) PIECES * workers.threads());
    // To find a cut takes a search in every block, of as many steps as an int has bits.
    long cuts = count / ((long) Integer.SIZE * Math.max(1, edges.blocks().size()));
    int pieces = (int) Math.max(1, Math.min(most, cuts));
    return of(edges, known, pieces, workers);
  }

  /** As above, in as many pieces as asked for; some are empty when there are fewer edges. */
  static SourceRows of(UnsortedEdges.Loaded edges, int known, int pieces, Workers workers) {
    int count = Math.toIntExact(DenseBlocks.edges(edges.blocks()));
    long start = System.nanoTime();
    SourceRows made = null;
    if (count > 0 && SourceOrder.begins(edges.blocks())) {
      long bytes = 4L * (known + 1L + count) + Columns.bytes(edges.kinds(), count);
      workers.acquire(bytes);
      made = new Maker(edges, count, known, pieces).make(workers);
      workers.release(made == null ? bytes : 0);
    }
    if (made == null) {
      made = scattered(edges, known, workers);
      PhaseTimes.ended("rows by source: scatter", start);
    }
    return made;
  }

  /** Of edges in any order. */
  private static SourceRows scattered(UnsortedEdges.Loaded edges, int known, Workers workers) {
    List<DenseBlock> blocks = edges.blocks();
    int[] sizes = blocks.stream().mapToInt(DenseBlock::size).toArray();
    boolean hasValues = edges.values() != null;
    int[][] places = new int[sizes.length][];
    long placesBytes = hasValues ? 4 * DenseBlocks.edges(blocks) : 0;
    workers.acquire(placesBytes);
    for (int b = 0; hasValues && b < sizes.length; b++) {
      places[b] = new int[sizes[b]];
    }
    Csr csr = CsrSort.bySource(blocks, known, places, workers);
    if (!hasValues) {
      return new SourceRows(csr, null);
    }
    workers.acquire(Columns.bytes(edges.kinds(), csr.edges()));
    Columns values = Columns.allocate(edges.kinds(), csr.edges());
    workers.forEachPart(
        sizes, (b, from, to) -> values.copyFrom(edges.values().get(b), null, from, to, places[b]));
    workers.release(placesBytes);
    return new SourceRows(csr, values);
  }

  /** Of blocks whose sources ascend, which is found out on the way. */
  private static final class Maker {
    /** So many edges are put in place before their values are. */
    private static final int CHUNK = 1 << 12;

    private final UnsortedEdges.Loaded edges;
    private final List<DenseBlock> blocks;
    private final SourceOrder order;
    private final int count;
    private final int pieces;

    /** Per cut between pieces: the first source behind it; one more cut than pieces. */
    private final int[] cutSources;

    /** Per cut and block: the first position behind it. */
    private final int[][] cuts;

    /** What is made; until it is, behind each row's number is where its next edge goes. */
    private final int[] offsets;

    private int[] neighbours;
    private final Object[] values;
    private final AtomicBoolean unfit = new AtomicBoolean();

    Maker(UnsortedEdges.Loaded edges, int count, int known, int pieces) {
      this.edges = edges;
      this.count = count;
      this.pieces = pieces;
      blocks = edges.blocks();
      order = new SourceOrder(blocks, known);
      cutSources = new int[pieces + 1];
      cuts = new int[pieces + 1][blocks.size()];
      offsets = new int[known + 1];
      values = new Object[edges.values() == null ? 0 : edges.kinds().size()];
    }

    /** Returns null when sources do not ascend in every block. */
    SourceRows make(Workers workers) {
      long start = System.nanoTime();
      workers.run(pieces + 1, this::cut);
      // To clear large arrays takes as long as to count.
      int arrays = 1 + values.length;
      workers.run(
          arrays + pieces,
          task -> {
            if (task < arrays) {
              allocate(task);
            } else if (!unfit.get() && !count(task - arrays)) {
              unfit.set(true);
            }
          });
      if (unfit.get()) {
        return null;
      }
      start = PhaseTimes.ended("rows by source: count", start);
      workers.run(pieces, this::place);
      PhaseTimes.ended("rows by source: place", start);
      return new SourceRows(
          new Csr(offsets, neighbours),
          edges.values() == null ? null : new Columns(edges.kinds(), values, count));
    }

    private void allocate(int array) {
      if (array == 0) {
        neighbours = new int[count];
      } else {
        values[array - 1] = Columns.newArray(edges.kinds().get(array - 1), count);
      }
    }

    /** Cuts before a source; all edges of one are in one piece. */
    private void cut(int cut) {
      int source = cut == 0 ? 0 : order.known();
      if (cut > 0 && cut < pieces) {
        source = order.sourceAt((long) count * cut / pieces);
      }
      cutSources[cut] = source;
      for (int b = 0; b < blocks.size(); b++) {
        cuts[cut][b] = cut == 0 ? 0 : cut == pieces ? blocks.get(b).size() : order.begin(b, source);
      }
    }

    // ---- counting -----------------------------------------------------------------------------

    /** Sets where the rows of a piece begin; returns whether their edges are all in it. */
    private boolean count(int piece) {
      int first = cutSources[piece];
      int rows = cutSources[piece + 1] - first;
      int next = 0;
      for (int b = 0; b < blocks.size(); b++) {
        int from = cuts[piece][b];
        int to = cuts[piece + 1][b];
        next += from;
        if (from > to || from < to && !count(blocks.get(b), from, to, first, rows, offsets)) {
          return false;
        }
      }
      for (int row = first + 1; row <= first + rows; row++) {
        int edges = offsets[row];
        offsets[row] = next;
        next += edges;
      }
      return true;
    }

    /**
     * Adds the edges of a piece of a block to the counts behind their rows' numbers.
     *
     * @param from less than {@code to}
     * @return whether all of them have a row
     */
    private static boolean count(
        DenseBlock block, int from, int to, int first, int rows, int[] counts) {
      int[] ends = block.sources();
      int[] map = block.map();
      int last = ends[from];
      int begin = from;
      for (int i = from + 1; i < to; i++) {
        int end = ends[i];
        if (end != last) {
          if (!add(map == null ? last : map[last], i - begin, first, rows, counts)) {
            return false;
          }
          last = end;
          begin = i;
        }
      }
      return add(map == null ? last : map[last], to - begin, first, rows, counts);
    }

    private static boolean add(int source, int edges, int first, int rows, int[] counts) {
      int row = source - first;
      if (row < 0 || row >= rows) {
        return false;
      }
      counts[source + 1] += edges;
      return true;
    }

    // ---- placing ------------------------------------------------------------------------------

    private void place(int piece) {
      int[] places = new int[values.length == 0 ? 0 : CHUNK];
      for (int b = 0; b < blocks.size(); b++) {
        int from = cuts[piece][b];
        int to = cuts[piece + 1][b];
        if (values.length == 0) {
          place(blocks.get(b), from, to, null);
          continue;
        }
        for (int end; from < to; from = end) {
          end = Math.min(to - from, CHUNK) + from;
          place(blocks.get(b), from, end, places);
          for (int c = 0; c < values.length; c++) {
            Object of = edges.values().get(b).array(c);
            int width = edges.kinds().get(c).width();
            ColumnCopy.scatter(of, width, from, end - from, values[c], places);
          }
        }
      }
    }

    private void place(DenseBlock block, int from, int to, int[] places) {
      if (from == to) {
        return;
      }
      if (block.map() == null) {
        place(block.sources(), block.destinations(), from, to, places);
      } else {
        place(block.sources(), block.destinations(), block.map(), from, to, places);
      }
    }

    private void place(int[] sources, int[] destinations, int from, int to, int[] places) {
      int[] next = offsets;
      int[] into = neighbours;
      int last = sources[from];
      int place = next[last + 1];
      for (int i = from; i < to; i++) {
        int source = sources[i];
        if (source != last) {
          next[last + 1] = place;
          last = source;
          place = next[last + 1];
        }
        if (places != null) {
          places[i - from] = place;
        }
        into[place++] = destinations[i];
      }
      next[last + 1] = place;
    }

    private void place(
        int[] sources, int[] destinations, int[] map, int from, int to, int[] places) {
      int[] next = offsets;
      int[] into = neighbours;
      int last = sources[from];
      int place = next[map[last] + 1];
      for (int i = from; i < to; i++) {
        int source = sources[i];
        if (source != last) {
          next[map[last] + 1] = place;
          last = source;
          place = next[map[last] + 1];
        }
        if (places != null) {
          places[i - from] = place;
        }
        into[place++] = map[destinations[i]];
      }
      next[map[last] + 1] = place;
    }
  }
}
