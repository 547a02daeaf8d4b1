package org.sparkgpugraph.engine.cpu;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Edges off the heap as generated code reads them: the edges of some rows, copied to arrays that a
 * thread has for it and that stay in its caches. A window is a frame that differs from the
 * partition's in these arrays only, and in the edge that is their first; so rows have the same
 * edges in the same order, and values the same bits, as on the heap.
 *
 * <p>The arrays of a thread become as long as the longest window: a block of rows, or of those
 * under a summary word of the candidates.
 */
final class EdgeWindows {
  /** Edges of a window from which on its arrays have no room to spare. */
  private static final int LONG = 1 << 22;

  private final Side[][] sides;
  private final boolean any;
  private final Scratch[] scratch;

  /** The edges of a partition in one direction; columns are null where nobody reads them. */
  private record Side(Csr csr, Columns values) {
    boolean onHeap() {
      return csr == null || csr.onHeap() && (values == null || values.onHeap());
    }
  }

  /** What one thread copies to, for in-edges and for out-edges. */
  private static final class Scratch {
    private final int[][] neighbours = {new int[0], new int[0]};
    private final Object[][] values = new Object[2][];
  }

  /** Of a run that pushes, along rows of its own that are on the heap: frames as they are. */
  EdgeWindows() {
    sides = new Side[0][];
    any = false;
    scratch = new Scratch[0];
  }

  /**
   * @param frames of the partitions: whose edges are not walked has no offsets there
   * @param readsValues whether edge values are read
   * @param threads that walk
   */
  EdgeWindows(
      List<? extends GraphPartition> partitions,
      KernelFrame[] frames,
      boolean readsValues,
      int threads) {
    sides = new Side[frames.length][];
    for (int p = 0; p < frames.length; p++) {
      GraphPartition of = partitions.get(p);
      sides[p] =
          new Side[] {
            side(of, true, frames[p].inOffsets != null, readsValues),
            side(of, false, frames[p].outOffsets != null, readsValues)
          };
    }
    any = Arrays.stream(sides).flatMap(Arrays::stream).anyMatch(side -> !side.onHeap());
    scratch = new Scratch[any ? threads : 0];
    Arrays.setAll(scratch, t -> new Scratch());
  }

  private static Side side(GraphPartition of, boolean in, boolean walked, boolean readsValues) {
    return walked
        ? new Side(of.edges(in), readsValues ? of.edgeValues(in) : null)
        : new Side(null, null);
  }

  /** What a report tells of edges off the heap; nothing where all are on it. */
  List<String> notes() {
    if (!any) {
      return List.of();
    }
    long bytes = 0;
    long values = 0;
    long mapped = 0;
    for (Side[] partition : sides) {
      for (Side side : partition) {
        OffHeapArray array = side.csr == null ? null : side.csr.offHeap();
        bytes += array == null ? 0 : array.bytes();
        mapped += array != null && array.isMapped() ? array.bytes() : 0;
        values += side.values == null ? 0 : side.values.awayBytes(false);
        mapped += side.values == null ? 0 : side.values.awayBytes(true);
      }
    }
    return List.of(
        "walks %,d bytes of neighbours%s off the heap, %,d of them in mapped files"
            .formatted(
                bytes, values > 0 ? " and %,d of edge values".formatted(values) : "", mapped));
  }

  /** The frame for rows {@code [from, to)} of a partition. */
  KernelFrame rows(int thread, int partition, KernelFrame frame, int from, int to) {
    if (!any) {
      return frame;
    }
    KernelFrame window = frame.copy();
    for (int s = 0; s < 2; s++) {
      Side side = sides[partition][s];
      if (!side.onHeap()) {
        int first = side.csr.offsets()[from];
        int count = side.csr.offsets()[to] - first;
        open(scratch[thread], s, side, count);
        copy(scratch[thread], s, side, first, count, 0);
        show(scratch[thread], s, first, window);
      }
    }
    return window;
  }

  /**
   * The frame for the candidates under a summary word. Of other rows between them nothing is read:
   * few may be candidates.
   */
  KernelFrame candidates(int thread, int partition, KernelFrame frame, int summaryWord) {
    if (!any) {
      return frame;
    }
    KernelFrame window = frame.copy();
    int[] rows = frame.candidates.members(summaryWord);
    for (int s = 0; s < 2; s++) {
      Side side = sides[partition][s];
      if (!side.onHeap() && rows.length > 0) {
        int[] offsets = side.csr.offsets();
        int first = offsets[rows[0]];
        open(scratch[thread], s, side, offsets[rows[rows.length - 1] + 1] - first);
        for (int i = 0; i < rows.length; ) {
          // Rows side by side are one copy.
          int last = i;
          while (last + 1 < rows.length && rows[last + 1] == rows[last] + 1) {
            last++;
          }
          int begin = offsets[rows[i]];
          int count = offsets[rows[last] + 1] - begin;
          copy(scratch[thread], s, side, begin, count, begin - first);
          i = last + 1;
        }
        show(scratch[thread], s, first, window);
      }
    }
    return window;
  }

  /** Makes the arrays long enough. */
  private static void open(Scratch into, int s, Side side, int count) {
    if (into.neighbours[s].length >= count && into.neighbours[s].length > 0) {
      return;
    }
    // Of a hub's row that is longer than all blocks a quarter more would be much, for each thread.
    int room = count > LONG ? count : count + count / 4 + 1;
    into.neighbours[s] = new int[room];
    if (side.values != null) {
      into.values[s] =
          side.values.kinds().stream().map(kind -> Columns.newArray(kind, room)).toArray();
    }
  }

  private static void copy(Scratch into, int s, Side side, int first, int count, int at) {
    side.csr.neighbours(first, count, into.neighbours[s], at);
    for (int c = 0; side.values != null && c < side.values.width(); c++) {
      side.values.copy(c, first, count, into.values[s][c], at);
    }
  }

  private static void show(Scratch from, int s, int first, KernelFrame window) {
    if (s == 0) {
      window.inSources = from.neighbours[s];
      window.inEdges = from.values[s];
      window.inFirst = first;
    } else {
      window.outDestinations = from.neighbours[s];
      window.outEdges = from.values[s];
      window.outFirst = first;
    }
  }
}
