package org.sparkgpugraph.engine.device.plan;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * What each device of a run computes of a graph, and where that begins and ends: {@link
 * FixedBorders}, or {@link MovingBorders} between devices that hold rows of their neighbours, too.
 * The graph of a run is {@link #graph}; its caller has values by the partitions of {@link #whole}.
 */
public interface Borders {
  /** The graph as devices hold it. */
  ExecutorGraph graph();

  /** The graph as the caller knows it. */
  ExecutorGraph whole();

  /**
   * Some rows of one of the caller's partitions.
   *
   * @param holder index of the run's partition that computes them
   * @param row the first of them there
   * @param at the first of them in the caller's partition
   */
  record Owned(int holder, int row, int at, int count) {}

  /** Who computes the rows of one of the caller's partitions. */
  List<Owned> owners(int partition);

  /**
   * Rows of a table for each held vertex and ghost of a partition, as far as their homes are here.
   *
   * @param partition index of one of the run's partitions
   * @param held tables of the caller's partitions, of at least their held vertices
   */
  Columns spread(int partition, List<Columns> held);

  /**
   * As {@link #spread}, of bitmaps in words of 64 bits.
   *
   * @return words of 32 bits
   */
  int[] spreadBits(int partition, List<long[]> held);

  // ---- borders that move: partition i is on device i --------------------------------------------

  /** Whether borders may move between two supersteps. */
  default boolean canMove() {
    return false;
  }

  /** Rows that are counted together; 0: borders cannot move. */
  default int sectionRows() {
    return 0;
  }

  /** The first of the rows that a device computes, as it counts them; 0 when there are none. */
  default int firstRow(int device) {
    return 0;
  }

  /** Behind the last of these rows. */
  int endRow(int device);

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
  default boolean counts(long[] edges) {
    return false;
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
  default boolean decide(int superstep, boolean sparse, long[] edges, Counts counts) {
    return false;
  }

  /** How often borders have moved to share out what was counted. */
  default int moves() {
    return 0;
  }

  /** For logs: the first vertex of each device but the first; empty: borders cannot move. */
  default List<Long> vertices() {
    return List.of();
  }
}
