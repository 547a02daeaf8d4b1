package org.sparkgpugraph.engine.device.memory;

import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.engine.device.settings.LaunchSize;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Makes copies of rows on a device whose edges are sorted by a value of theirs ({@code
 * sgg/sort_edges.cuh}), once for rows and values: they stay there as the rows themselves do. Edges
 * of one class of values are in any order.
 */
public final class SortedRows {
  /**
   * What copies on devices are known by. The host never has these arrays.
   *
   * @param neighbours the other ends of the edges, row by row
   * @param values of these edges
   * @param range what is known of all values: {@link RowKernels#SORT_RANGE_WORDS} words
   */
  public record Arrays(LaterArray neighbours, LaterArray values, LaterArray range) {
    /** Those of rows, which nothing in here keeps alive. */
    static Arrays of(Csr rows, Kind kind) {
      return new Arrays(
          named(rows.edges(), Kind.INT),
          named(rows.edges(), kind),
          named(RowKernels.SORT_RANGE_WORDS, Kind.LONG));
    }

    private static LaterArray named(int length, Kind kind) {
      return new LaterArray(
          length,
          kind,
          () -> {
            throw new IllegalStateException("rows are sorted by edge values on devices only");
          });
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(SortedRows.class);
  private static final String PURPOSE = "rows in the order of edge values";

  /** Edges of a row that a warp sorts; a block sorts longer ones. */
  private static final int LONG_ROW = 4096;

  private final DeviceHoldings on;

  SortedRows(DeviceHoldings on) {
    this.on = on;
  }

  /**
   * Sees to it that the sorted rows are on the device, the rows themselves with them. Nothing gives
   * way to them: rows can be gathered without.
   *
   * @param values of the edges
   * @param column by which they are sorted
   * @param falls whether the largest come first
   * @param reserve bytes of the device to leave to others
   * @return whether they are; not where there is no room for them, or nothing compiles their
   *     kernels
   */
  public boolean ready(Csr rows, Columns values, int column, boolean falls, long reserve) {
    Arrays arrays = on.derived().sorted(rows, values, column, falls);
    if (areThere(arrays)) {
      return true;
    }
    if (rows.edges() == 0) {
      return false;
    }
    long start = System.nanoTime();
    Kind kind = values.kinds().get(column).kind();
    long needed = bytes(rows, values, column);
    long free = on.device().memory().free() - reserve;
    if (needed > free) {
      LOG.info(
          "rows do not stop early: sorting {} edges by their values takes {} bytes, and {} are free",
          rows.edges(),
          needed,
          free);
      return false;
    }
    try (ResidentArrays.Use offsets = on.resident().use(rows.offsets(), PURPOSE);
        ResidentArrays.Use neighbours = on.resident().use(rows.neighboursKey(), PURPOSE);
        ResidentArrays.Use unsorted = on.resident().use(values.key(column), PURPOSE);
        DeviceSession session =
            on.telling(() -> new DeviceSession(on, RowKernels.sorts(kind), reserve))) {
      FrameLayout.Frame frame =
          RowKernels.FRAME
              .newFrame()
              .set("count", rows.edges())
              .set("vertices", rows.rows())
              .set("falls", falls ? 1 : 0)
              .set("longRow", LONG_ROW)
              .set("offsets", offsets.memory())
              .set("neighbours", neighbours.memory())
              .set("values", unsorted.memory());
      make(session, frame, rows.rows(), rows.edges(), values.kinds().get(column), arrays);
      long end = PhaseTimes.ended("rows in the order of edge values on the device", start);
      LOG.info(
          "rows of {} edges are sorted by their values in {} ms: they stop early from now on",
          rows.edges(),
          (end - start) / 1_000_000);
      return true;
    } catch (DeviceOutOfMemoryException | CompilerUnavailableException e) {
      LOG.info("rows do not stop early: {}", e.getMessage());
      return false;
    }
  }

  /** Bytes that are taken, at most, what is there already with them. */
  private static long bytes(Csr rows, Columns values, int column) {
    return 2L * rows.edges() * (Integer.BYTES + values.kinds().get(column).bytes())
        + Integer.BYTES * (rows.rows() + 2L + rows.edges() / LONG_ROW);
  }

  /** Whether the device has them. */
  public boolean areThere(Arrays arrays) {
    return Stream.of(arrays.neighbours(), arrays.values(), arrays.range())
        .allMatch(on.resident()::contains);
  }

  private void make(
      DeviceSession session,
      FrameLayout.Frame frame,
      int rows,
      int edges,
      ColumnType type,
      Arrays arrays) {
    DeviceMemory range =
        session.upload(new long[] {-1, 0, 0, 0}, RowKernels.SORT_RANGE_WORDS, PURPOSE);
    DeviceMemory neighbours = session.allocate((long) Integer.BYTES * edges, PURPOSE);
    DeviceMemory values = session.allocate((long) type.bytes() * edges, PURPOSE);
    int longRows = edges / LONG_ROW;
    frame
        .set("edgeRange", range)
        .set("sortedNeighbours", neighbours)
        .set("sortedValues", values)
        .set("longRows", session.zeros(Integer.BYTES * (1L + longRows), PURPOSE));
    session.launch(RowKernels.SORT_RANGE, edges, 1, frame);
    session.launchBlocks(RowKernels.SORT_CLASSES, 1, frame);
    session.launch(RowKernels.SORT_ROWS, rows, DeviceProperties.WARP, frame);
    session.launch(RowKernels.SORT_LONG_ROWS, longRows, LaunchSize.BLOCK, frame);
    session.synchronize();
    on.resident().adopt(arrays.neighbours(), session.released(neighbours));
    on.resident().adopt(arrays.values(), session.released(values));
    on.resident().adopt(arrays.range(), session.released(range));
  }
}
