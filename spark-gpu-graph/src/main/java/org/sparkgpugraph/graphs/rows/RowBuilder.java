package org.sparkgpugraph.graphs.rows;

import java.util.List;
import java.util.Objects;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * A way to make compressed sparse rows of edge blocks. All make the same rows, a row's neighbours
 * in the order (neighbour, block, position), so what is known of the edges decides:
 *
 * <table>
 * <caption>Which way is taken</caption>
 * <tr><th>edges</th><th>builder</th><th>cost</th></tr>
 * <tr><td>sources ascend in every block, as in GraphX's edge partitions, and blocks are few</td>
 * <td>{@link AscendingRows}</td><td>no sort; the far ends' degrees fall off on the way</td></tr>
 * <tr><td>any order; and rows off the heap</td><td>{@link RowSort}</td>
 * <td>one pass into buckets that fit a cache</td></tr>
 * </table>
 *
 * <p>Beside these, {@link SourceRows} makes rows by source whose neighbours are in no order, for
 * those who push; {@link RowSort#transpose} and {@link PartitionRows#transposed} turn rows that are
 * there; and {@link UnsortedEdges} puts all of it off until rows are needed, when a device may make
 * them instead.
 */
interface RowBuilder {
  /** The one that makes rows off the heap. */
  RowBuilder SORT = RowSort::of;

  /** Fastest first; the last makes rows of any edges. */
  List<RowBuilder> ALL = List.of(AscendingRows::of, SORT);

  /**
   * Rows. The workers have reserved all of it.
   *
   * @param csr a row for each destination
   * @param farDegrees number of the edges of each source, {@code int[known]}; null: not counted
   * @param places per block, the place of each edge among the rows; null: not wanted
   */
  record Made(Csr csr, int[] farDegrees, int[][] places) {
    /** Bytes of the heap that the places take. */
    long placesBytes() {
      return 4L * csr.edges();
    }
  }

  /**
   * Makes rows.
   *
   * @param blocks at most {@link GraphPartition#MAX_EDGES} edges, all of the rows
   * @param first the destination that becomes row 0
   * @param rows number of rows
   * @param known number of dense ids; sources are below it
   * @param places whether the places of the edges are wanted
   * @return null when this way is not one for such edges
   */
  Made build(
      List<DenseBlock> blocks, int first, int rows, int known, boolean places, Workers workers);

  /** Makes rows in the first of {@linkplain #ALL all ways} that is one for the edges. */
  static Made fastest(
      List<DenseBlock> blocks, int first, int rows, int known, boolean places, Workers workers) {
    return ALL
        .subList(workers.edges() != null && !places ? ALL.indexOf(SORT) : 0, ALL.size())
        .stream()
        .map(builder -> builder.build(blocks, first, rows, known, places, workers))
        .filter(Objects::nonNull)
        .findFirst()
        .orElseThrow();
  }
}
