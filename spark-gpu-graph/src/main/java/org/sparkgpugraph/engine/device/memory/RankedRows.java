package org.sparkgpugraph.engine.device.memory;

import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Makes ranks of vertices on a device, by how many edges of rows end at them ({@code
 * sgg/ranks.cuh}), once for rows: they stay there as the rows themselves do. Those whose numbers of
 * edges lie between the same powers of two are in the order of their ids. While it works it takes
 * 20 bytes a vertex beside the result.
 */
public final class RankedRows {
  /**
   * What copies on devices are known by. The host never has these arrays.
   *
   * @param vertices the vertex of each rank, and behind them how many vertices an edge ends at
   * @param ranks the rank of each vertex; −1: no edge ends there
   * @param neighbours the rank of each edge's other end, in the order of the rows
   */
  public record Arrays(LaterArray vertices, LaterArray ranks, LaterArray neighbours) {
    /** Those of rows, which nothing in here keeps alive. */
    static Arrays of(Csr rows, int vertices) {
      return new Arrays(named(vertices + 1), named(vertices), named(rows.edges()));
    }

    private static LaterArray named(int length) {
      return new LaterArray(
          length,
          Kind.INT,
          () -> {
            throw new IllegalStateException("ranks of vertices are made on devices only");
          });
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(RankedRows.class);

  /** What a sort takes beside its keys, at most. */
  private static final long SORT_BYTES = 1 << 20;

  /** Leading zeros that a number of edges may have: 32 where there is none. */
  private static final int LEADING_ZEROS = Integer.SIZE + 1;

  private static final String PURPOSE = "ranks of vertices";

  private final DeviceHoldings on;

  RankedRows(DeviceHoldings on) {
    this.on = on;
  }

  /**
   * Sees to it that the ranks are on the device. The neighbours are there afterwards, too. Nothing
   * gives way to them: gathers can do without.
   *
   * @param vertices that an edge can end at
   * @param reserve bytes of the device to leave to others
   * @return whether they are; not where there is no room for them, or nothing compiles their
   *     kernels
   */
  public boolean ready(Csr rows, int vertices, long reserve) {
    Arrays arrays = on.derived().ranks(rows, vertices);
    if (isThere(arrays)) {
      return true;
    }
    if (rows.edges() == 0) {
      return false;
    }
    long start = System.nanoTime();
    Object key = rows.neighboursKey();
    long needed = bytes(rows, vertices, on.resident().contains(key));
    long free = on.device().memory().free() - reserve;
    if (needed > free) {
      LOG.info(
          "values of {} vertices are read in the order of ids: ranks take {} bytes while they are"
              + " made, and {} are free",
          vertices,
          needed,
          free);
      return false;
    }
    try (ResidentArrays.Use neighbours = on.resident().use(key, "neighbours that are ranked");
        DeviceSession session =
            on.telling(() -> new DeviceSession(on, RowKernels.ranks(), reserve))) {
      make(session, neighbours.memory(), rows.edges(), vertices, arrays);
      PhaseTimes.ended("ranks of vertices on the device", start);
      return true;
    } catch (DeviceOutOfMemoryException | CompilerUnavailableException e) {
      LOG.info("values of {} vertices are read in the order of ids: {}", vertices, e.getMessage());
      return false;
    }
  }

  /**
   * Bytes that are taken while ranks are made.
   *
   * @param there whether the neighbours are on the device
   */
  private static long bytes(Csr rows, int vertices, boolean there) {
    long each = Integer.BYTES * (long) rows.edges();
    long keys = 2L * KeySort.KEY_BYTES * vertices;
    return (there ? each : 2 * each) + 3L * Integer.BYTES * vertices + keys + SORT_BYTES;
  }

  private boolean isThere(Arrays arrays) {
    return Stream.of(arrays.vertices(), arrays.ranks(), arrays.neighbours())
        .allMatch(on.resident()::contains);
  }

  private void make(
      DeviceSession session, DeviceMemory neighbours, int edges, int vertices, Arrays arrays) {
    FrameLayout.Frame frame = RowKernels.FRAME.newFrame();
    int bits = KeySort.bits(vertices);
    DeviceMemory ranked = session.zeros(Integer.BYTES * (vertices + 1L), PURPOSE);
    DeviceMemory ranks = session.allocate((long) Integer.BYTES * vertices, PURPOSE);
    DeviceMemory byRank = session.allocate((long) Integer.BYTES * edges, PURPOSE);
    KeySort sort = new KeySort(session, frame, vertices, false, PURPOSE);
    frame
        .set("count", edges)
        .set("vertices", vertices)
        .set("neighbourBits", bits)
        .set("neighbours", neighbours)
        .set("occurrences", session.zeros((long) Integer.BYTES * vertices, PURPOSE))
        .set("ranks", ranks)
        .set("ranked", ranked)
        .set("rankedNeighbours", byRank);
    session.launch(RowKernels.RANKS_COUNT, edges, 1, frame);
    session.launch(RowKernels.RANKS_PACK, vertices, 1, frame);
    sort.sort(bits, KeySort.bits(LEADING_ZEROS));
    session.launch(RowKernels.RANKS_FINISH, vertices, 1, frame);
    frame.set("count", edges);
    session.launch(RowKernels.RANKS_NEIGHBOURS, edges, 1, frame);
    session.synchronize();
    on.resident().adopt(arrays.vertices(), session.released(ranked));
    on.resident().adopt(arrays.ranks(), session.released(ranks));
    on.resident().adopt(arrays.neighbours(), session.released(byRank));
  }
}
