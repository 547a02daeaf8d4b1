package org.sparkgpugraph.graphs.rows;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.graphs.memory.ColumnCopy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
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
   * Makes rows with values.
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
      return new PartitionRows(csr, carried.inOrder()).moved(workers);
    }
    if (made == null) {
      made = RowSort.of(slice.blocks(), slice.first(), rows, known, true, workers);
    }
    long start = System.nanoTime();
    Columns values = EdgeValueLoader.read(codec, slice, edges, made.places(), workers);
    workers.release(made.placesBytes());
    PhaseTimes.ended("rows: values", start);
    return new PartitionRows(made.csr(), values, made.farDegrees()).moved(workers);
  }

  /**
   * The same rows off the heap, where edges are to be there. Rows with values are made on the heap,
   * since each edge's place is needed for its value.
   */
  public PartitionRows moved(Workers workers) {
    if (workers.edges() == null) {
      return this;
    }
    PartitionRows made = moved(workers.edges());
    workers.release(movedBytes());
    return made;
  }

  /** The same rows off the heap. */
  public PartitionRows moved(EdgeMemory home) {
    return new PartitionRows(
        csr.moved(home), values == null ? null : values.moved(home), farDegrees);
  }

  /** Bytes of the heap that are free once it is moved: those for each edge. */
  public long movedBytes() {
    return (long) Integer.BYTES * csr.edges() + (values == null ? 0 : values.bytes());
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
    long placesBytes = 4L * csr.edges();
    workers.acquire(placesBytes);
    int[] moving = new int[csr.edges()];
    csr.neighbours(0, moving.length, moving, 0);
    Csr places = new Csr(csr.offsets(), moving);
    Csr turned = CsrSort.transpose(places, 0, rows, workers);
    workers.acquire(Columns.bytes(values.kinds(), csr.edges()));
    Columns to = Columns.allocate(values.kinds(), csr.edges());
    workers.forEachChunk(
        csr.edges(),
        (a, b) -> {
          if (values.onHeap()) {
            to.copyFrom(values, null, a, b, moving);
          } else {
            scatter(values, a, b, moving, to);
          }
        });
    workers.release(placesBytes);
    return new PartitionRows(turned, to).moved(workers);
  }

  private static void scatter(Columns values, int from, int to, int[] places, Columns into) {
    int[] some = Arrays.copyOfRange(places, from, to);
    for (int c = 0; c < values.width(); c++) {
      Object copy = Columns.newArray(values.kinds().get(c), some.length);
      values.copy(c, from, some.length, copy, 0);
      ColumnCopy.scatter(copy, values.kinds().get(c).width(), 0, some.length, into.array(c), some);
    }
  }

  /** Blocks with every edge turned round. */
  public static List<DenseBlock> turned(List<DenseBlock> blocks) {
    return blocks.stream()
        .map(b -> new DenseBlock(b.size(), b.destinations(), b.sources(), b.map()))
        .toList();
  }
}
