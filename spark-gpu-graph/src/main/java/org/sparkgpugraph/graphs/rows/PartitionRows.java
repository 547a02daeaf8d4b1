package org.sparkgpugraph.graphs.rows;

import java.util.List;
import java.util.function.LongFunction;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.ValueCodec;

/**
 * The rows of one partition, in-edges or (of turned blocks) out-edges: a row's neighbours are
 * ordered by (far end, block, position).
 *
 * @param csr a row for each vertex; neighbours are dense ids
 * @param values in the order of the rows; null: not loaded
 * @param farDegrees number of the rows' edges of each far end, by dense id; null: not counted
 */
public record PartitionRows(Csr csr, Columns values, int[] farDegrees) {
  public PartitionRows(Csr csr, Columns values) {
    this(csr, values, null);
  }

  /**
   * Makes rows of blocks that need not fit the heap, without values.
   *
   * @param edges all of the rows
   * @param first dense id of row 0
   * @param known number of dense ids
   * @param rows number of rows
   */
  public static PartitionRows of(
      EdgeSequence edges, int first, int known, int rows, Workers workers) {
    return new PartitionRows(RowSort.all(edges, first, rows, known, workers), null);
  }

  /**
   * Makes rows with values of edges that need not fit the heap: they are where the workers say.
   *
   * @param edges some of which have a row
   * @param blocks the same edges, whose values are read
   * @param first dense id of row 0
   * @param known number of dense ids
   * @param rows number of rows
   * @param codec reads values
   * @param refusal of so many edges, when they are more than {@link GraphPartition#MAX_EDGES}
   */
  public static PartitionRows of(
      EdgeSequence edges,
      List<EdgeBlock> blocks,
      int first,
      int known,
      int rows,
      ValueCodec codec,
      LongFunction<RuntimeException> refusal,
      Workers workers) {
    CarriedColumns values = CarriedColumns.of(blocks, codec, workers);
    Csr csr = RowSort.some(edges, first, rows, known, refusal, values, workers);
    return carrying(csr, values);
  }

  private static PartitionRows carrying(Csr csr, CarriedColumns values) {
    Columns none = values == null ? Columns.allocate(List.of(), csr.edges()) : null;
    return new PartitionRows(csr, values == null ? none : values.inOrder());
  }

  /**
   * Rows of the neighbours of some edges that have values: out-edges of in-edges.
   *
   * @param edges some of which have a row
   * @param values of the edges, those of some behind those of others; all of the same kinds
   * @param first what becomes row 0
   * @param known neighbours are below it
   * @param refusal of so many edges, when they are more than {@link GraphPartition#MAX_EDGES}
   */
  public static PartitionRows turned(
      EdgeSequence edges,
      List<Columns> values,
      int first,
      int rows,
      int known,
      LongFunction<RuntimeException> refusal,
      Workers workers) {
    CarriedColumns carried = CarriedColumns.of(values, workers);
    return carrying(RowSort.some(edges, first, rows, known, refusal, carried, workers), carried);
  }

  /**
   * Makes rows without values.
   *
   * @param blocks at most {@link GraphPartition#MAX_EDGES} edges, all of the rows
   * @param first dense id of row 0
   * @param known number of dense ids
   * @param rows number of rows
   */
  public static PartitionRows of(
      List<DenseBlock> blocks, int first, int known, int rows, Workers workers) {
    RowBuilder.Made made = RowBuilder.fastest(blocks, first, rows, known, false, workers);
    return new PartitionRows(made.csr(), null, made.farDegrees());
  }

  /**
   * Makes rows with values on the heap.
   *
   * @param slice the edges whose destination is a row
   * @param edges the blocks that they came from
   * @param known number of dense ids
   * @param rows number of rows
   * @param codec reads values
   */
  public static PartitionRows of(
      PartitionSlice slice,
      List<? extends EdgeBlock> edges,
      int known,
      int rows,
      ValueCodec codec,
      Workers workers) {
    RowBuilder.Made made =
        AscendingRows.of(slice.blocks(), slice.first(), rows, known, true, workers);
    CarriedValues carried = made == null ? CarriedValues.of(slice, edges, codec, workers) : null;
    if (carried != null) {
      Csr csr = RowSort.carrying(slice.blocks(), slice.first(), rows, known, carried, workers);
      return new PartitionRows(csr, carried.inOrder());
    }
    if (made == null) {
      made = RowSort.of(slice.blocks(), slice.first(), rows, known, true, workers);
    }
    long start = System.nanoTime();
    Columns values = EdgeValueLoader.read(codec, slice, edges, made.places(), workers);
    workers.release(made.placesBytes());
    PhaseTimes.ended("rows: values", start);
    return new PartitionRows(made.csr(), values, made.farDegrees());
  }

  /**
   * Transposes: row r of the result lists the rows of {@code csr} that have r as a neighbour.
   *
   * @param values in the order of the rows; null: none
   * @param rows number of rows of the result
   */
  public static PartitionRows transposed(Csr csr, Columns values, int rows, Workers workers) {
    if (values == null) {
      return new PartitionRows(RowSort.transpose(csr, rows, workers), null);
    }
    if (workers.edges() != null) {
      CarriedColumns carried = CarriedColumns.of(List.of(values), workers);
      return carrying(
          RowSort.all(EdgeSequence.of(csr), 0, rows, csr.rows(), carried, workers), carried);
    }
    long placesBytes = 4L * csr.edges();
    workers.acquire(placesBytes);
    int[] moving = new int[csr.edges()];
    csr.neighbours(0, moving.length, moving, 0);
    Csr places = new Csr(csr.offsets(), moving);
    Csr turned = CsrSort.transpose(places, 0, rows, workers);
    workers.acquire(Columns.bytes(values.kinds(), csr.edges()));
    Columns to = Columns.allocate(values.kinds(), csr.edges());
    workers.forEachChunk(csr.edges(), (a, b) -> to.copyFrom(values, null, a, b, moving));
    workers.release(placesBytes);
    return new PartitionRows(turned, to);
  }

  /** Blocks with every edge turned round. */
  public static List<DenseBlock> turned(List<DenseBlock> blocks) {
    return blocks.stream()
        .map(b -> new DenseBlock(b.size(), b.destinations(), b.sources(), b.map()))
        .toList();
  }
}
