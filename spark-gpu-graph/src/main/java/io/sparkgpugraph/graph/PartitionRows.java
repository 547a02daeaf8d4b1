package io.sparkgpugraph.graph;

import java.util.List;

/**
 * The rows of one partition, in-edges or (of turned blocks) out-edges: a row's neighbours are
 * ordered by (far end, block, position).
 *
 * @param csr a row for each vertex; neighbours are dense ids
 * @param values in the order of the rows; null: not loaded
 */
record PartitionRows(Csr csr, Columns values) {
  /**
   * Makes rows with values.
   *
   * @param slice the edges whose destination is a row
   * @param edges the blocks that they came from
   * @param known number of dense ids
   * @param rows number of rows
   * @param codec reads values
   */
  static PartitionRows of(
      PartitionSlice slice,
      List<? extends EdgeBlock> edges,
      int known,
      int rows,
      ValueCodec codec,
      Workers workers) {
    int[][] places = EdgeValueLoader.places(slice);
    Csr byFarEnd = CsrSort.bySource(slice.blocks(), known, places, workers);
    Csr csr = CsrSort.transpose(byFarEnd, slice.first(), rows, workers);
    return new PartitionRows(
        csr, EdgeValueLoader.read(codec, slice, edges, places, byFarEnd.neighbours(), workers));
  }

  /**
   * Transposes: row r of the result lists the rows of {@code csr} that have r as a neighbour.
   *
   * @param values in the order of the rows; null: none
   * @param rows number of rows of the result
   */
  static PartitionRows transposed(Csr csr, Columns values, int rows, Workers workers) {
    if (values == null) {
      return new PartitionRows(RowSort.transpose(csr, rows, workers), null);
    }
    Csr places = new Csr(csr.offsets(), csr.neighbours().clone());
    Csr turned = CsrSort.transpose(places, 0, rows, workers);
    Columns to = Columns.allocate(values.kinds(), csr.edges());
    workers.forEachChunk(
        csr.edges(),
        (a, b) -> {
          for (int c = 0; c < to.width(); c++) {
            ColumnCopy.copy(values.array(c), null, a, b, to.array(c), places.neighbours());
          }
        });
    return new PartitionRows(turned, to);
  }

  /** Blocks with every edge turned round. */
  static List<DenseBlock> turned(List<DenseBlock> blocks) {
    return blocks.stream()
        .map(b -> new DenseBlock(b.size(), b.destinations(), b.sources(), b.map()))
        .toList();
  }
}
