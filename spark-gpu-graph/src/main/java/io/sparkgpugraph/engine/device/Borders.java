package io.sparkgpugraph.engine.device;

import io.sparkgpugraph.graph.OverlappingGraph;
import io.sparkgpugraph.graph.VertexRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the borders between the devices of a run lie: which of the vertices that it holds each one
 * computes. In a superstep that walks all rows they are those of the graph's own partitions, which
 * have about as many edges each. In one that walks the rows that active vertices reach they share
 * out the edges of the rows that were reached in the superstep before: devices count these rows by
 * section, the host takes the mean degree of each section's rows (Khorasani 2016, chapter 3:
 * permissive partitioning). A border stays where both of its neighbours hold the rows.
 */
final class Borders {
  /** By how much the busiest device may be above the mean before borders move. */
  private static final double TOLERANCE = 1.05;

  /** How borders are chosen when they are not by what was counted; for tests. */
  @FunctionalInterface
  interface Choice {
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
  Borders(
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

  OverlappingGraph graph() {
    return graph;
  }

  int sectionRows() {
    return sections.rows();
  }

  /** What a device computes in the present superstep. */
  VertexRange range(int device) {
    return new VertexRange(sections.vertex(now[device]), sections.vertex(now[device + 1]));
  }

  /** The first of the rows that a device computes, as it counts them; 0 when there are none. */
  int firstRow(int device) {
    VertexRange range = range(device);
    return range.size() == 0 ? 0 : (int) (range.from() - held.get(device).from());
  }

  /** Behind the last of these rows. */
  int endRow(int device) {
    return firstRow(device) + range(device).size();
  }

  /** How often borders have moved to share out what was counted. */
  int moves() {
    return moves;
  }

  /** What a device counted in the superstep before. */
  @FunctionalInterface
  interface Counts {
    /**
     * @param section as the device counts them, from the first that it holds
     */
    int rows(int device, int section);
  }

  /**
   * Whether a superstep counts for the next one.
   *
   * @param edges of each device that it will evaluate, as far as that is known
   */
  boolean counts(long[] edges) {
    return Arrays.stream(edges).max().orElse(0) >= least;
  }

  /**
   * Decides for the next superstep.
   *
   * @param superstep its number
   * @param sparse whether it walks only the rows that active vertices reach
   * @param edges that each device evaluated in the one before, where that was sparse: they say
   *     whether it pays to look at what was counted; else null
   * @param counts null: nothing was counted, and borders of sparse supersteps stay where they are
   * @return whether a border has moved
   */
  boolean decide(int superstep, boolean sparse, long[] edges, Counts counts) {
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

  /** Borders with as many counted edges on each side; where nothing was counted, the present. */
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
    int[] wanted = now.clone();
    int section = 0;
    for (int d = 1; d < sections.devices(); d++) {
      double fair = (double) all * d / sections.devices();
      while (section < sections.count() && before[section + 1] <= fair) {
        section++;
      }
      // The nearer of the two.
      boolean behind =
          section < sections.count() && before[section + 1] - fair < fair - before[section];
      wanted[d] = behind ? section + 1 : section;
    }
    return wanted;
  }

  /** The nearest borders whose two sides hold the rows, ascending. */
  private int[] possible(int[] wanted) {
    int[] next = wanted.clone();
    next[0] = 0;
    next[sections.devices()] = sections.count();
    for (int d = 1; d < sections.devices(); d++) {
      int least = sections.section(held.get(d).from());
      int most = sections.section(held.get(d - 1).to());
      next[d] = Math.max(next[d - 1], Math.max(least, Math.min(most, next[d])));
    }
    return next;
  }

  /** For logs: the first vertex of each device but the first. */
  List<Long> vertices() {
    List<Long> vertices = new ArrayList<>();
    for (int d = 1; d < sections.devices(); d++) {
      vertices.add(sections.vertex(now[d]));
    }
    return vertices;
  }
}
