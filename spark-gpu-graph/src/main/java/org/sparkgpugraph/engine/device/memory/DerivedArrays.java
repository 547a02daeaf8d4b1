package org.sparkgpugraph.engine.device.memory;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.sparkgpugraph.engine.device.settings.ActiveWork;
import org.sparkgpugraph.engine.device.settings.VertexGrouping;
import org.sparkgpugraph.engine.device.tuning.GraphClass;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.overlap.Overlap;

/**
 * Host arrays that only devices need and that are made from a graph's structure: kept as long as
 * that structure, so that a graph's runs make (and upload) them once. Thread-safe.
 */
public final class DerivedArrays {
  /** Edges that are worth a thread. */
  private static final int LEAST_EDGES = 1 << 16;

  // A Csr equals itself only: what is made of it goes when it goes.
  private final Map<Csr, Map<Integer, Csr>> grouped = new WeakHashMap<>();
  private final Map<Csr, Map<Columns, Columns>> transposed = new WeakHashMap<>();
  private final Map<Csr, GraphClass.Degrees> degrees = new WeakHashMap<>();
  private final Map<GraphPartition, Map<ActiveWork, int[]>> costs = new WeakHashMap<>();

  private final Map<GraphPartition, Map<Overlap.Wanted, Overlap>> overlaps = new WeakHashMap<>();

  /** Overlapping ranges of a whole graph's rows, made when they are first asked for. */
  public synchronized Overlap overlap(ExecutorGraph graph, Overlap.Wanted wanted, int threads) {
    return overlaps
        .computeIfAbsent(graph.partitions().get(0), p -> new HashMap<>())
        .computeIfAbsent(wanted, w -> new Overlap(graph, w, threads));
  }

  /** Whether {@link #overlap} has made these. */
  public synchronized boolean hasOverlap(ExecutorGraph graph, Overlap.Wanted wanted) {
    Map<Overlap.Wanted, Overlap> made = overlaps.get(graph.partitions().get(0));
    return made != null && made.containsKey(wanted);
  }

  /** Forgets overlapping ranges: all of a graph's, or some that do not fit. */
  public synchronized void forgetOverlap(ExecutorGraph graph, Overlap.Wanted wanted) {
    Map<Overlap.Wanted, Overlap> made = overlaps.get(graph.partitions().get(0));
    if (made != null) {
      made.keySet().removeIf(key -> wanted == null || key.equals(wanted));
    }
  }

  /**
   * The values of the edges of one side in the order of their transpose.
   *
   * @param edges rows by one end
   * @param values of these edges
   * @param transpose the same edges by their other end, the neighbours of each row ascending
   */
  public synchronized Columns transposed(Csr edges, Columns values, Csr transpose, int threads) {
    Map<Columns, Columns> made = transposed.computeIfAbsent(transpose, t -> new WeakHashMap<>());
    return made.computeIfAbsent(values, v -> inOrderOf(edges, v, transpose, threads));
  }

  /** Each thread reads all neighbours, in order, and places the edges of some rows. */
  private static Columns inOrderOf(Csr edges, Columns values, Csr transpose, int threads) {
    int[] neighbours = edges.neighbours();
    int[] offsets = transpose.offsets();
    int[] from = new int[values.length()];
    Columns ordered = Columns.allocate(values.kinds(), from.length);
    int parts = Math.min(threads, 1 + from.length / LEAST_EDGES);
    try (Workers workers = new Workers(parts)) {
      workers.run(
          parts,
          part -> {
            int first = firstRow(transpose, part, parts);
            int end = firstRow(transpose, part + 1, parts);
            int[] place = Arrays.copyOfRange(offsets, first, end);
            for (int e = 0; e < from.length; e++) {
              int row = neighbours[e];
              if (row >= first && row < end) {
                from[place[row - first]++] = e;
              }
            }
            for (int c = 0; c < values.width(); c++) {
              int width = values.kinds().get(c).width();
              ColumnCopy.copy(
                  values.array(c),
                  width,
                  from,
                  offsets[first],
                  offsets[end],
                  ordered.array(c),
                  null);
            }
          });
    }
    return ordered;
  }

  /** The first row of a part, so that all have about as many edges. */
  private static int firstRow(Csr rows, int part, int parts) {
    if (part == parts) {
      return rows.rows();
    }
    int at = Arrays.binarySearch(rows.offsets(), (int) ((long) rows.edges() * part / parts));
    return part == 0 ? 0 : Math.min(rows.rows(), at < 0 ? ~at : at);
  }

  /** The degrees of rows, whose offsets are there. */
  public synchronized GraphClass.Degrees degrees(Csr rows) {
    return degrees.computeIfAbsent(rows, GraphClass.Degrees::of);
  }

  /** See {@link VertexGrouping#group}. */
  public synchronized Csr grouped(Csr transpose, int targets, int shift) {
    if (shift == 0) {
      return transpose;
    }
    return grouped
        .computeIfAbsent(transpose, t -> new HashMap<>())
        .computeIfAbsent(shift, s -> VertexGrouping.group(transpose, targets, s));
  }

  /** See {@link ActiveWork#costs}. */
  public synchronized int[] activeCosts(
      ExecutorGraph graph, GraphPartition partition, ActiveWork work, int threads) {
    return costs
        .computeIfAbsent(partition, p -> new HashMap<>())
        .computeIfAbsent(work, w -> w.costs(graph, partition, threads));
  }
}
