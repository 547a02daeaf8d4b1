package org.sparkgpugraph.graphs.model;

/**
 * The vertices of a home partition that one reader partition keeps as ghosts (offline vertex
 * refinement, Khorasani 2016, section 2.4). Both sides know the list in the same order, so an
 * update names a vertex by its position in it.
 *
 * @param home index of the partition that owns the vertices
 * @param reader index of the partition that reads them
 * @param homeVertices {@code int[size]}: local indexes at home, ascending
 * @param firstGhost local index at the reader of the first of them: they are contiguous there,
 *     {@code firstGhost + position}, since ghosts are in ascending order of their global ids and a
 *     home owns a contiguous range
 */
public record BoundaryList(int home, int reader, int[] homeVertices, int firstGhost) {
  /** Number of vertices in the list. */
  public int size() {
    return homeVertices.length;
  }
}
