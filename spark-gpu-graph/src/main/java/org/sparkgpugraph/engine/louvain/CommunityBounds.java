package org.sparkgpugraph.engine.louvain;

/**
 * The communities that vertices must stay inside of while these are refined: Leiden's refinement
 * (Traag, Waltman, van Eck: From Louvain to Leiden, 2019). Every vertex is alone again, and one
 * that still is, and is well connected with the rest of its community, joins the part of it where
 * modularity grows most (Leiden draws one of those where it grows).
 */
final class CommunityBounds {
  private final int[] community;
  private final long[] totals;

  /**
   * @param community of each vertex
   * @param strengths of the vertices
   */
  CommunityBounds(int[] community, long[] strengths) {
    this.community = community;
    totals = new long[community.length];
    for (int v = 0; v < community.length; v++) {
      totals[community[v]] += strengths[v];
    }
  }

  /**
   * Leaves of a row what is inside of the vertex' community.
   *
   * @return the sum of the weights that are left
   */
  long keepInside(int vertex, NeighbourRow row) {
    int kept = 0;
    long sum = 0;
    for (int i = 0; i < row.size; i++) {
      if (community[row.neighbours[i]] == community[vertex]) {
        sum += row.weight(i);
        row.neighbours[kept] = row.neighbours[i];
        if (!row.unit) {
          row.weights[kept] = row.weights[i];
        }
        kept++;
      }
    }
    row.size = kept;
    return sum;
  }

  /**
   * Whether a vertex has as much to do with the rest of its community as chance would have it.
   *
   * @param inside weight between both
   */
  boolean isWellConnected(int vertex, long inside, LevelState state) {
    long others = totals[community[vertex]] - state.strengths[vertex];
    return inside >= state.share(vertex) * others;
  }
}
