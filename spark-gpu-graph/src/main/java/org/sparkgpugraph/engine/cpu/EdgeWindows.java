package org.sparkgpugraph.engine.cpu;

import java.lang.ref.Reference;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.cpu.frame.KernelFrame;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.DirectMemory;
import org.sparkgpugraph.graphs.memory.ElementAddresses;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * Edges off the heap as generated code reads them. A window is a frame that differs from the
 * partition's only in where the edges of some rows are, and in the edge that is the first there; so
 * rows have the same edges in the same order, and values the same bits, as on the heap.
 *
 * <p>Where the loops of a program read all neighbours and nothing else of an edge, they read copies
 * of these: arrays that a thread has for it and that stay in its caches. Others read edges where
 * they are, by address ({@link KernelShape#edgesByAddress}), since they may need few of them; but
 * values that are arrays are copied, and so is what lies in two chunks of an {@link OffHeapArray}.
 *
 * <p>The arrays of a thread become as long as the longest window: a block of rows, or of those
 * under a summary word of the candidates.
 */
final class EdgeWindows {
  /** Edges of a window from which on its arrays have no room to spare. */
  private static final int LONG = 1 << 22;

  private final Side[][] sides;
  private final boolean any;
  private final boolean mapped;
  private final Scratch[] scratch;

  /**
   * The edges of a partition in one direction.
   *
   * @param csr the rows; null where nobody walks them
   * @param values of the edges; null where nobody reads them
   * @param byAddress whether neighbours, and values that are numbers, are read so
   */
  private record Side(Csr csr, Columns values, boolean byAddress) {
    /** Whether loops read them as they are. */
    boolean isPlain() {
      return csr == null || !byAddress && csr.onHeap() && (values == null || values.onHeap());
    }

    boolean isAddressed(int column) {
      return byAddress && !values.kinds().get(column).isArray();
    }

    void failed() {
      if (csr.offHeap() != null) {
        csr.offHeap().failed();
      }
      if (values != null) {
        values.failed();
      }
    }

    boolean isMapped() {
      return csr != null && csr.offHeap() != null && csr.offHeap().isMapped()
          || values != null && values.awayBytes(true) > 0;
    }
  }

  /** What one thread copies to, for in-edges and for out-edges. */
  private static final class Scratch {
    private final int[] room = new int[2];
    private final int[][] neighbours = new int[2][];
    private final Object[][] values = new Object[2][];
    private final ElementAddresses[] neighboursAt;
    private final ElementAddresses[][] valuesAt;

    /**
     * @param budget of what is copied outside of the heap; null: nobody counts it
     */
    Scratch(int columns, DirectMemory.Budget budget) {
      neighboursAt = addresses(2, budget);
      valuesAt = new ElementAddresses[][] {addresses(columns, budget), addresses(columns, budget)};
    }

    private static ElementAddresses[] addresses(int count, DirectMemory.Budget budget) {
      return Stream.generate(() -> new ElementAddresses(budget))
          .limit(count)
          .toArray(ElementAddresses[]::new);
    }
  }

  /** Whether a program's loops read edges by address where these are off the heap. */
  static boolean mayByAddress(LiftedProgram program, KernelShape shape) {
    return shape.filters() || program.send().reads(Role.EDGE);
  }

  /**
   * Whether a program's loops read a graph's edges by address: where these are off the heap, and it
   * may need few of them in a superstep, or of their values.
   */
  static boolean byAddress(ExecutorGraph graph, LiftedProgram program, KernelShape shape) {
    // Nobody else may want the side that is not walked, which would be made now.
    return mayByAddress(program, shape)
        && graph.partitions().stream()
            .anyMatch(
                partition ->
                    shape.inRows() && !partition.inEdges().onHeap()
                        || shape.outRows() && !partition.outEdges().onHeap());
  }

  /** Of a run that pushes, along rows of its own that are on the heap: frames as they are. */
  EdgeWindows() {
    sides = new Side[0][];
    any = false;
    mapped = false;
    scratch = new Scratch[0];
  }

  /**
   * @param frames of the partitions: whose edges are not walked has no offsets there
   * @param program that runs
   * @param byAddress whether its loops read edge values by address
   * @param threads that walk
   */
  EdgeWindows(
      List<? extends GraphPartition> partitions,
      KernelFrame[] frames,
      LiftedProgram program,
      boolean byAddress,
      int threads) {
    boolean readsValues = program.send().reads(Role.EDGE);
    sides = new Side[frames.length][];
    for (int p = 0; p < frames.length; p++) {
      GraphPartition of = partitions.get(p);
      sides[p] =
          new Side[] {
            side(of, true, frames[p].inOffsets != null, readsValues, byAddress),
            side(of, false, frames[p].outOffsets != null, readsValues, byAddress)
          };
    }
    any = sides().anyMatch(side -> !side.isPlain());
    mapped = sides().anyMatch(Side::isMapped);
    scratch = new Scratch[any ? threads : 0];
    int columns = program.edge().columns().size();
    DirectMemory.Budget budget = any ? budget() : null;
    Arrays.setAll(scratch, t -> new Scratch(columns, budget));
  }

  private static Side side(
      GraphPartition of, boolean in, boolean walked, boolean readsValues, boolean byAddress) {
    return walked
        ? new Side(of.edges(in), readsValues ? of.edgeValues(in) : null, byAddress)
        : new Side(null, null, false);
  }

  /** What counts copies of the graph's edges off the heap; null where nobody does. */
  private DirectMemory.Budget budget() {
    return sides()
        .filter(side -> side.csr != null && side.csr.offHeap() != null)
        .map(side -> side.csr.offHeap().copies())
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private Stream<Side> sides() {
    return Arrays.stream(sides).flatMap(Arrays::stream);
  }

  /**
   * Runs a loop over a window. What the loop reads by address has to be {@linkplain #keep kept}
   * meanwhile.
   *
   * @throws OffHeapMemoryException when the loop read what is no longer there, whatever else came
   *     of that
   */
  void walk(Runnable loop) {
    if (!mapped) {
      loop.run();
      return;
    }
    try {
      try {
        loop.run();
      } finally {
        OffHeapArray.tellFaults();
      }
    } catch (InternalError e) {
      // Whichever of them it was.
      sides().filter(Side::isMapped).forEach(Side::failed);
      throw OffHeapMemoryException.unreadable("the edges of the graph", e);
    }
  }

  /** Whatever addresses were taken of is reachable up to here. */
  void keep() {
    Reference.reachabilityFence(this);
  }

  /** What a report tells of edges off the heap; nothing where all are on it. */
  List<String> notes() {
    if (!any) {
      return List.of();
    }
    long bytes = 0;
    long values = 0;
    long inFiles = 0;
    for (Side side : sides().toList()) {
      OffHeapArray array = side.csr == null ? null : side.csr.offHeap();
      bytes += array == null ? 0 : array.bytes();
      inFiles += array != null && array.isMapped() ? array.bytes() : 0;
      values += side.values == null ? 0 : side.values.awayBytes(false);
      inFiles += side.values == null ? 0 : side.values.awayBytes(true);
    }
    return List.of(
        "walks %,d bytes of neighbours%s off the heap, %,d of them in mapped files"
            .formatted(
                bytes, values > 0 ? " and %,d of edge values".formatted(values) : "", inFiles));
  }

  /** The frame for rows {@code [from, to)} of a partition. */
  KernelFrame rows(int thread, int partition, KernelFrame frame, int from, int to) {
    if (!any) {
      return frame;
    }
    KernelFrame window = frame.copy();
    for (int s = 0; s < 2; s++) {
      Side side = sides[partition][s];
      if (!side.isPlain()) {
        int first = side.csr.offsets()[from];
        int count = side.csr.offsets()[to] - first;
        open(scratch[thread], s, side, count);
        copy(scratch[thread], s, side, first, count, 0);
        show(scratch[thread], s, side, first, count, window);
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
      if (!side.isPlain() && rows.length > 0) {
        int[] offsets = side.csr.offsets();
        int first = offsets[rows[0]];
        int all = offsets[rows[rows.length - 1] + 1] - first;
        open(scratch[thread], s, side, all);
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
        show(scratch[thread], s, side, first, all, window);
      }
    }
    return window;
  }

  /** Makes the arrays long enough. */
  private static void open(Scratch into, int s, Side side, int count) {
    if (into.room[s] >= count && into.room[s] > 0) {
      return;
    }
    // Of a hub's row that is longer than all blocks a quarter more would be much, for each thread.
    int room = count > LONG ? count : count + count / 4 + 1;
    into.room[s] = room;
    into.neighbours[s] = side.byAddress ? null : new int[room];
    if (side.values != null) {
      List<ColumnType> kinds = side.values.kinds();
      into.values[s] =
          IntStream.range(0, kinds.size())
              .mapToObj(c -> side.isAddressed(c) ? null : Columns.newArray(kinds.get(c), room))
              .toArray();
    }
  }

  private static void copy(Scratch into, int s, Side side, int first, int count, int at) {
    if (!side.byAddress) {
      side.csr.neighbours(first, count, into.neighbours[s], at);
    }
    for (int c = 0; side.values != null && c < side.values.width(); c++) {
      if (!side.isAddressed(c)) {
        side.values.copy(c, first, count, into.values[s][c], at);
      }
    }
  }

  private static void show(
      Scratch from, int s, Side side, int first, int count, KernelFrame window) {
    long neighboursAt = side.byAddress ? neighboursAt(from, s, side.csr, first, count) : 0;
    long[] valuesAt = side.byAddress ? valuesAt(from, s, side, first, count) : null;
    if (s == 0) {
      window.inSources = from.neighbours[s];
      window.inSourcesAt = neighboursAt;
      window.inEdges = from.values[s];
      window.inEdgesAt = valuesAt;
      window.inFirst = first;
    } else {
      window.outDestinations = from.neighbours[s];
      window.outDestinationsAt = neighboursAt;
      window.outEdges = from.values[s];
      window.outEdgesAt = valuesAt;
      window.outFirst = first;
    }
  }

  private static long neighboursAt(Scratch copies, int s, Csr csr, int first, int count) {
    return copies.neighboursAt[s].of(
        csr.address(first, count),
        Kind.INT,
        first,
        count,
        (from, part, into) -> csr.neighbours(from, part, (int[]) into, 0));
  }

  private static long[] valuesAt(Scratch copies, int s, Side side, int first, int count) {
    Columns values = side.values;
    long[] addresses = new long[values == null ? 0 : values.width()];
    for (int c = 0; c < addresses.length; c++) {
      int column = c;
      if (side.isAddressed(c)) {
        addresses[c] =
            copies.valuesAt[s][c].of(
                values.address(c, first, count),
                values.kinds().get(c).kind(),
                first,
                count,
                (from, part, into) -> values.copy(column, from, part, into, 0));
      }
    }
    return addresses;
  }
}
