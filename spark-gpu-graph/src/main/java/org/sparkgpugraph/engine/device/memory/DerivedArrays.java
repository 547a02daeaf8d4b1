package org.sparkgpugraph.engine.device.memory;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.sparkgpugraph.engine.device.settings.ActiveWork;
import org.sparkgpugraph.engine.device.settings.VertexGrouping;
import org.sparkgpugraph.engine.device.tuning.GraphClass;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.overlap.Overlap;
import org.sparkgpugraph.graphs.rows.TransposedValues;

/**
 * Host arrays that only devices need and that are made from a graph's structure: kept as long as
 * that structure, so that a graph's runs make (and upload) them once. Thread-safe.
 */
public final class DerivedArrays {
  // A Csr equals itself only: what is made of it goes when it goes.
  private final Map<Csr, Map<Integer, Csr>> grouped = new WeakHashMap<>();
  private final Map<Csr, GraphClass.Degrees> degrees = new WeakHashMap<>();
  private final Map<Csr, Integer> longestRows = new WeakHashMap<>();
  private final Map<Csr, RankedRows.Arrays> ranks = new WeakHashMap<>();
  private final Map<Columns, Map<List<Object>, SortedRows.Arrays>> sorted = new WeakHashMap<>();
  private final Map<Columns, Map<List<Object>, Boolean>> wanted = new WeakHashMap<>();
  private final Map<Csr, Map<List<Integer>, Tiles>> tiles = new WeakHashMap<>();
  private final Map<Columns, Map<List<Object>, EdgeBounds>> edgeBounds = new WeakHashMap<>();
  private final TransposedValues transposed = new TransposedValues();
  private final Map<GraphPartition, Map<ActiveWork, int[]>> costs = new WeakHashMap<>();
  private final Map<GraphPartition, Map<Boolean, DegreeHistogram>> otherEnds = new WeakHashMap<>();

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
   * The least and the largest of edge values, which a device finds: so far unknown, or known.
   *
   * @param edges values of a partition's edges
   * @param column of them
   * @param in whether those of in-edges count
   * @param out whether those of out-edges do
   */
  public synchronized EdgeBounds edgeBounds(Columns edges, int column, boolean in, boolean out) {
    return edgeBounds
        .computeIfAbsent(edges, e -> new HashMap<>())
        .computeIfAbsent(List.of(column, in, out), which -> new EdgeBounds());
  }

  /** See {@link TransposedValues#of}. */
  public Columns transposed(Csr edges, Columns values, Csr transpose, int threads) {
    return transposed.of(edges, values, transpose, threads);
  }

  /** The degrees of rows, whose offsets are there. */
  public synchronized GraphClass.Degrees degrees(Csr rows) {
    return degrees.computeIfAbsent(rows, GraphClass.Degrees::of);
  }

  /**
   * The first of the longest rows, whose offsets are there.
   *
   * @param rows at least one
   */
  public synchronized int longestRow(Csr rows) {
    return longestRows.computeIfAbsent(rows, DerivedArrays::findLongestRow);
  }

  private static int findLongestRow(Csr rows) {
    int[] offsets = rows.offsets();
    int longest = 0;
    for (int row = 1; row < rows.rows(); row++) {
      if (offsets[row + 1] - offsets[row] > offsets[longest + 1] - offsets[longest]) {
        longest = row;
      }
    }
    return longest;
  }

  /**
   * How many edges end at each vertex of a partition, held or ghost. Those of other partitions
   * count, too, as if edges to a vertex were everywhere in proportion.
   *
   * @param in whether the other ends of in-edges count, else of out-edges
   */
  public synchronized DegreeHistogram otherEnds(GraphPartition partition, boolean in) {
    return otherEnds
        .computeIfAbsent(partition, p -> new HashMap<>())
        .computeIfAbsent(in, which -> degreesOf(partition, !in));
  }

  private static DegreeHistogram degreesOf(GraphPartition p, boolean in) {
    return DegreeHistogram.of(p.stored() + p.ghosts(), local -> p.degree(local, in));
  }

  /**
   * What ranks of vertices are known by, whether a device has made them or not.
   *
   * @param vertices that an edge of the rows can end at
   */
  public synchronized RankedRows.Arrays ranks(Csr rows, int vertices) {
    return ranks.computeIfAbsent(rows, r -> RankedRows.Arrays.of(r, vertices));
  }

  /**
   * What rows are known by whose edges are sorted by a value, whether a device has made them or
   * not.
   *
   * @param values of the edges of these rows
   * @param column by which they are sorted
   * @param falls whether the largest come first
   */
  public synchronized SortedRows.Arrays sorted(
      Csr rows, Columns values, int column, boolean falls) {
    return sorted
        .computeIfAbsent(values, v -> new HashMap<>())
        .computeIfAbsent(
            List.of(column, falls),
            which -> SortedRows.Arrays.of(rows, values.kinds().get(column).kind()));
  }

  /** Says that a run has gathered all rows which could have stopped early if they were sorted. */
  public synchronized void wantSorted(Columns values, int column, boolean falls) {
    wanted.computeIfAbsent(values, v -> new HashMap<>()).putIfAbsent(List.of(column, falls), true);
  }

  /** Says that sorted rows gain nothing on this graph: nobody wants them any more. */
  public synchronized void refuseSorted(Columns values, int column, boolean falls) {
    wanted.computeIfAbsent(values, v -> new HashMap<>()).put(List.of(column, falls), false);
  }

  /** Whether {@link #wantSorted} was called, and {@link #refuseSorted} was not. */
  public synchronized boolean wantsSorted(Columns values, int column, boolean falls) {
    return wanted.getOrDefault(values, Map.of()).getOrDefault(List.of(column, falls), false);
  }

  /** See {@link Tiles#of}. */
  public synchronized Tiles tiles(Csr rows, int vertices, int most, int tileWords) {
    return tiles
        .computeIfAbsent(rows, r -> new HashMap<>())
        .computeIfAbsent(
            List.of(most, tileWords), wanted -> Tiles.of(rows, vertices, most, tileWords));
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
