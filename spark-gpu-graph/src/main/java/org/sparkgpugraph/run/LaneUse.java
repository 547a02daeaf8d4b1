package org.sparkgpugraph.run;

import java.io.Serializable;

/**
 * How well the lanes of a GPU's warps were used. A warp goes over edges in rounds, in each of which
 * every lane may evaluate one, and before that over rows (or over active vertices, where these
 * push), a lane each. Lanes that have nothing to do in a round, or wait for another whose row is
 * longer, are lanes all the same.
 *
 * <p>Counted by the kernels themselves, in which a lane has an edge to itself: not where lanes
 * share the arrays of an edge, count messages for the most frequent one, relax without supersteps
 * or have servers merge; and not on the CPU.
 *
 * @param evaluations evaluations of a send function; where both ends of an edge pull over it there
 *     are two, and where warps collect contexts of a costly branch it counts as one more
 * @param edgeLanes lanes of all rounds over edges, and over contexts
 * @param rows rows that took part, hubs left out, or parts of active vertices
 * @param rowLanes lanes of all rounds over rows
 */
public record LaneUse(long evaluations, long edgeLanes, long rows, long rowLanes)
    implements Serializable {
  /** Nothing was counted. */
  public static final LaneUse NONE = new LaneUse(0, 0, 0, 0);

  /** What kernels counted; nothing where they evaluated edges and counted no lanes. */
  public static LaneUse counted(long evaluations, long edgeLanes, long rows, long rowLanes) {
    return edgeLanes == 0 && evaluations > 0
        ? NONE
        : new LaneUse(evaluations, edgeLanes, rows, rowLanes);
  }

  /** Both. */
  public LaneUse plus(LaneUse other) {
    return new LaneUse(
        evaluations + other.evaluations,
        edgeLanes + other.edgeLanes,
        rows + other.rows,
        rowLanes + other.rowLanes);
  }

  /**
   * Lane efficiency (Khorasani's warp execution efficiency, of the loops over edges): evaluations
   * per lane that could have made one, 0 to 1; NaN when no lanes were counted.
   */
  public double efficiency() {
    return (double) evaluations / edgeLanes;
  }

  /**
   * Packing factor (A. Yilmazer-Metin, "Graph-Waving architecture", JPDC 2020): the share of lanes
   * that have a row where a warp looks at one per lane, 0 to 1; NaN when no lanes were counted.
   */
  public double packing() {
    return (double) rows / rowLanes;
  }
}
