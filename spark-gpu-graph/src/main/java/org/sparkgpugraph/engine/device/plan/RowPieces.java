package org.sparkgpugraph.engine.device.plan;

/**
 * Rows in pieces for warps, the pieces of a row one after the other. A row without edges has one.
 *
 * @param offsets {@code int[pieces + 1]}: first edge of each piece
 * @param targets {@code int[pieces]}: whose row it is a piece of
 * @param first {@code int[rows + 1]}: first piece of each row
 */
record RowPieces(int[] offsets, int[] targets, int[] first) {
  /**
   * Cuts rows.
   *
   * @param offsets {@code int[rows + 1]}
   * @param targets {@code int[rows]}
   * @param most edges of a piece
   */
  static RowPieces of(int[] offsets, int[] targets, int most) {
    int rows = targets.length;
    int[] first = new int[rows + 1];
    for (int row = 0; row < rows; row++) {
      int edges = offsets[row + 1] - offsets[row];
      first[row + 1] = first[row] + Math.max(1, (int) ((edges + (long) most - 1) / most));
    }
    int[] cuts = new int[first[rows] + 1];
    int[] of = new int[first[rows]];
    for (int row = 0; row < rows; row++) {
      for (int piece = first[row]; piece < first[row + 1]; piece++) {
        cuts[piece] = offsets[row] + most * (piece - first[row]);
        of[piece] = targets[row];
      }
    }
    cuts[first[rows]] = offsets[rows];
    return new RowPieces(cuts, of, first);
  }

  /** Number of pieces. */
  int size() {
    return targets.length;
  }
}
