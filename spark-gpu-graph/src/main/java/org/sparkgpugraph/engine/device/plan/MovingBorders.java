package org.sparkgpugraph.engine.device.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexRange;
import org.sparkgpugraph.graphs.overlap.OverlappingGraph;

/**
 * Borders between devices that each hold one partition, of ranges that overlap. In a superstep that
 * walks all rows they are those of the graph's own partitions, which have about as many edges each.
 * In one that walks the rows that active vertices reach they share out the edges of the rows that
 * were reached in the superstep before: devices count these rows by section, the host takes the
 * mean degree of each section's rows (Khorasani 2016, chapter 3: permissive partitioning). A border
 * stays where both of its neighbours hold the rows.
 */
public final class MovingBorders implements Borders {
  /** By how much the busiest device may be above the mean before borders move. */
  private static final double TOLERANCE = 1.05;

  /** How borders are chosen when they are not by what was counted; for tests. */
  @FunctionalInterface
  public interface Choice {
    /**
     * @param superstep the next one
     * @return sections, of which those that nobody can compute are corrected
     */
    int[] wanted(int superstep);
  }

  private final OverlappingGraph graph;
  private final Sections sections;
  private final List<VertexRange> held;
  private final long least;
  private final Choice choice;
  private int[] now;
  private int moves;

  /**
   * @param held the range that each device holds
   * @param least edges of the busiest device below which nothing is counted: a superstep of fewer
   *     takes as long as its launches
   * @param choice null: by what was counted
   */
  MovingBorders(
      OverlappingGraph graph,
      Sections sections,
      List<VertexRange> held,
      long least,
      Choice choice) {
    this.graph = graph;
    this.sections = sections;
    this.held = held;
    this.least = least;
    this.choice = choice;
    now = sections.core();
  }

  @Override
  public OverlappingGraph graph() {
    return graph;
  }

  @Override
  public ExecutorGraph whole() {
    return graph.graph();
  }

  @Override
  public List<Owned> owners(int partition) {
    GraphPartition of = whole().partitions().get(partition);
    VertexRange range = new VertexRange(of.firstVertex(), of.firstVertex() + of.stored());
    List<Owned> owners = new ArrayList<>();
    for (int d = 0; d < held.size(); d++) {
      VertexRange part = range(d).common(range);
      if (part.size() > 0) {
        int row = (int) (part.from() - held.get(d).from());
        owners.add(new Owned(d, row, (int) (part.from() - range.from()), part.size()));
      }
    }
    return owners;
  }

  @Override
  public Columns spread(int partition, List<Columns> tables) {
    return graph.spread(partition, tables);
  }

  @Override
  public int[] spreadBits(int partition, List<long[]> bitmaps) {
    return graph.spreadBits(partition, bitmaps);
  }

  @Override
  public boolean canMove() {
    return true;
  }

  @Override
  public int sectionRows() {
    return sections.rows();
  }

  /** What a device computes in the present superstep. */
  private VertexRange range(int device) {
    return new VertexRange(sections.vertex(now[device]), sections.vertex(now[device + 1]));
  }

  @Override
  public int firstRow(int device) {
    VertexRange range = range(device);
    return range.size() == 0 ? 0 : (int) (range.from() - held.get(device).from());
  }

  @Override
  public int endRow(int device) {
    return firstRow(device) + range(device).size();
  }

  @Override
  public int moves() {
    return moves;
  }

  @Override
  public boolean counts(long[] edges) {
    return Arrays.stream(edges).max().orElse(0) >= least;
  }

  @Override
  public boolean decide(int superstep, boolean sparse, long[] edges, Counts counts) {
    int[] wanted;
    boolean counted = false;
    if (choice != null) {
      wanted = choice.wanted(superstep);
    } else if (!sparse) {
      wanted = sections.core();
    } else if (counts == null || edges != null && even(edges)) {
      return false;
    } else {
      wanted = balanced(counts);
      counted = true;
    }
    int[] next = possible(wanted);
    if (Arrays.equals(next, now)) {
      return false;
    }
    now = next;
    moves += counted ? 1 : 0;
    return true;
  }

  private static boolean even(long[] edges) {
    long sum = Arrays.stream(edges).sum();
    long most = Arrays.stream(edges).max().orElse(0);
    return most * (double) edges.length <= TOLERANCE * sum;
  }

  /** Borders by what was counted; where nothing was, the present ones. */
  private int[] balanced(Counts counts) {
    long[] before = new long[sections.count() + 1];
    for (int d = 0; d < sections.devices(); d++) {
      int first = sections.section(held.get(d).from());
      for (int s = now[d]; s < now[d + 1]; s++) {
        long rows = sections.vertex(s + 1) - sections.vertex(s);
        long counted = Math.min(rows, counts.rows(d, s - first));
        before[s + 1] = before[s] + (long) ((double) counted * sections.edges(s, s + 1) / rows);
      }
    }
    long all = before[sections.count()];
    if (all == 0) {
      return now;
    }
    return shared(before, all);
  }

  /**
   * The borders between which the busiest device has the fewest edges, each where both sides hold
   * the rows; among these, those nearest to equal shares. Equal shares alone would give a device
   * what its neighbours further on do not hold.
   */
  private int[] shared(long[] before, long all) {
    int devices = sections.devices();
    long low = (all + devices - 1) / devices;
    long high = all;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (suffices(before, middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    int[] earliest = new int[devices + 1];
    earliest[devices] = sections.count();
    for (int d = devices - 1; d > 0; d--) {
      int begin = firstFrom(before, before[earliest[d + 1]] - low);
      earliest[d] = Math.max(least(d), begin);
    }
    int[] wanted = new int[devices + 1];
    wanted[devices] = sections.count();
    for (int d = 1; d < devices; d++) {
      int fair = nearest(before, (double) all * d / devices);
      int end = Math.min(most(d), lastUpTo(before, before[wanted[d - 1]] + low));
      wanted[d] = Math.min(end, Math.max(earliest[d], fair));
    }
    return wanted;
  }

  /** Whether there are borders with at most so many edges for each device. */
  private boolean suffices(long[] before, long edges) {
    int border = 0;
    for (int d = 1; d < sections.devices(); d++) {
      border = Math.min(most(d), lastUpTo(before, before[border] + edges));
      if (border < least(d)) {
        return false;
      }
    }
    return before[sections.count()] - before[border] <= edges;
  }

  /** The first section of a border, of which both sides hold the rows. */
  private int least(int border) {
    return sections.section(held.get(border).from());
  }

  /** The last one. */
  private int most(int border) {
    return sections.section(held.get(border - 1).to());
  }

  /** The last section before which there are at most so many edges. */
  private static int lastUpTo(long[] before, long edges) {
    int low = 0;
    int high = before.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (before[middle] <= edges) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  /** The first section before which there are at least so many edges. */
  private static int firstFrom(long[] before, long edges) {
    return before[0] >= edges ? 0 : Math.min(before.length - 1, lastUpTo(before, edges - 1) + 1);
  }

  /** The section before which the number of edges is nearest to this one. */
  private static int nearest(long[] before, double edges) {
    int section = lastUpTo(before, (long) edges);
    boolean behind =
        section < before.length - 1 && before[section + 1] - edges < edges - before[section];
    return behind ? section + 1 : section;
  }

  /** The nearest borders whose two sides hold the rows, ascending. */
  private int[] possible(int[] wanted) {
    int[] next = wanted.clone();
    next[0] = 0;
    next[sections.devices()] = sections.count();
    for (int d = 1; d < sections.devices(); d++) {
      next[d] = Math.max(next[d - 1], Math.max(least(d), Math.min(most(d), next[d])));
    }
    return next;
  }

  @Override
  public List<Long> vertices() {
    List<Long> vertices = new ArrayList<>();
    for (int d = 1; d < sections.devices(); d++) {
      vertices.add(sections.vertex(now[d]));
    }
    return vertices;
  }
}
