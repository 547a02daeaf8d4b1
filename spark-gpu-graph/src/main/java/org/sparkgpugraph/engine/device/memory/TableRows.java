package org.sparkgpugraph.engine.device.memory;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.graphs.build.ShardPlace;
import org.sparkgpugraph.graphs.build.ShardRows;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.LaterArray;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.rows.RowsElsewhere;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Makes rows of tables that are on the device ({@code sgg/tables.cuh}): no edge goes through the
 * host, which gets the ids of the vertices, as a bitmap or each, and the offsets of both sides;
 * less than a hundredth of the edges' bytes goes to the device. The dense ids are those that the
 * host would give, and so are the rows: by destination those of a whole graph, of a shard those by
 * source, too.
 */
public final class TableRows {
  private static final Logger LOG = LoggerFactory.getLogger(TableRows.class);

  /** Most stretches of sorted ids in which distinct ones are looked for. */
  private static final int STRETCHES = 1 << 16;

  /** Ids of a stretch at least. */
  private static final int STRETCH = 1 << 10;

  /** Values of edges that the host gets. */
  private static final int SAMPLED = 1 << 12;

  private static final String PURPOSE = "ids of tables, while dense ones are found";

  private final DeviceHoldings on;
  private final long reserve;

  /**
   * @param reserve bytes of the device to leave to others
   */
  public TableRows(DeviceHoldings on, long reserve) {
    this.on = on;
    this.reserve = reserve;
  }

  /**
   * Vertices and edges, whose rows by destination are on the device.
   *
   * @param ids of the ends of the edges
   */
  public record Made(VertexIds ids, UnsortedEdges edges) {}

  /**
   * The columns of ends of some tables, and the parameter of kernels that read them.
   *
   * @param forward whether destinations that a shard does not hold stand for their sources
   */
  private record Ends(FrameLayout.Frame frame, List<DeviceTable> tables, boolean forward) {
    /** Launches a kernel for each column; `first` is where its ids begin among all. */
    void forEachColumn(DeviceSession session, String kernel) {
      long first = 0;
      for (DeviceTable table : tables) {
        launch(session, kernel, table.sources(), 0, first, table.size());
        first += table.size();
        long instead = forward ? table.sources() : 0;
        launch(session, kernel, table.destinations(), instead, first, table.size());
        first += table.size();
      }
    }

    private void launch(
        DeviceSession session, String kernel, long ids, long instead, long first, int count) {
      frame.set("ids", ids).set("otherIds", instead).set("first", first).set("count", count);
      session.launch(kernel, count, 1, frame);
    }
  }

  /**
   * Ids, and where the device has what tells an id's dense one: neither where they are the same.
   */
  private record Ids(VertexIds ids, DeviceMemory bits, DeviceMemory ranks, DeviceMemory distinct) {}

  /**
   * Makes them. The tables may be closed afterwards.
   *
   * @param tables of at most {@link GraphPartition#MAX_EDGES} edges together, and at least one
   * @param values whether edges have values: doubles, which all tables have then
   * @param threads threads for what the host may make of them later
   * @param memory where that reserves heap
   * @throws DeviceOutOfMemoryException when there is no room; nothing is left then
   */
  public Made make(List<DeviceTable> tables, boolean values, int threads, BuildMemory memory) {
    int count = Math.toIntExact(tables.stream().mapToLong(DeviceTable::size).sum());
    List<ColumnType> kinds = values ? List.of(Kind.DOUBLE) : List.of();
    long begun = System.nanoTime();
    long start = begun;
    try (DeviceSession session =
        on.telling(() -> new DeviceSession(on, RowKernels.source(), reserve))) {
      FrameLayout.Frame frame = RowKernels.FRAME.newFrame();
      Ids ids = ids(session, new Ends(frame, tables, false), count);
      start = PhaseTimes.ended("tables on the device: ids", start);
      int vertices = Math.toIntExact(ids.ids().size());
      RowWork work = new RowWork(session, count, vertices, values);
      work.pack(tables, ids.bits(), ids.ranks(), ids.distinct());
      free(session, ids);
      work.sort(0);
      DeviceMemory out = work.offsets(0);
      work.sort(work.bits);
      DeviceMemory in = work.offsets(work.bits);
      UnsortedEdges.Offsets offsets =
          new UnsortedEdges.Offsets(work.download(in), work.download(out));
      start = PhaseTimes.ended("tables on the device: sort", start);
      DeviceMemory neighbours = work.neighbours();
      DeviceMemory sorted = values ? work.values(tables) : null;
      Copies copies = new Copies(kinds, sample(session, sorted, Math.min(count, SAMPLED)));
      UnsortedEdges edges =
          new UnsortedEdges(count, vertices, kinds, offsets, copies, threads, memory);
      session.synchronize();
      adopt(session, edges.rows(false).neighboursKey(), neighbours);
      if (values) {
        adopt(session, edges.values(false).key(0), sorted);
      }
      PhaseTimes.ended("tables on the device: neighbours and values", start);
      LOG.info(
          "rows of {} edges in {} tables are made where these are in {} ms, {} bytes went there",
          count,
          tables.size(),
          (System.nanoTime() - begun) / 1_000_000,
          session.uploadedBytes());
      return new Made(ids.ids(), edges);
    }
  }

  /**
   * Makes the rows of a shard: by destination of the edges whose destination it holds, and with
   * out-edges by source of those whose source it holds. Neighbours are in the order of the dense
   * ids, as the host has them. The tables may be closed afterwards.
   *
   * @param tables of at most {@link GraphPartition#MAX_EDGES} edges together, each of which has an
   *     end that the shard holds
   * @param place of the shard; its owners are ranges of ids
   * @param values whether edges have values: doubles, which all tables have then
   * @param memory where copies for the host reserve heap
   * @throws DeviceOutOfMemoryException when there is no room; nothing is left then
   * @throws IllegalArgumentException when an edge belongs to other shards alone
   */
  public ShardRows make(
      List<DeviceTable> tables, ShardPlace place, boolean values, BuildMemory memory) {
    int count = Math.toIntExact(tables.stream().mapToLong(DeviceTable::size).sum());
    HeldIds held = HeldIds.of(place);
    long begun = System.nanoTime();
    long start = begun;
    try (DeviceSession session =
        on.telling(() -> new DeviceSession(on, RowKernels.source(), reserve))) {
      FrameLayout.Frame frame = RowKernels.FRAME.newFrame();
      held.tell(frame);
      Ids ids = ids(session, new Ends(frame, tables, held.forward()), count);
      start = PhaseTimes.ended("tables of a shard on the device: ids", start);
      int vertices = Math.toIntExact(ids.ids().size());
      // Edges that become no row have an end behind all vertices.
      RowWork work = new RowWork(session, count, vertices, vertices + 1L, values);
      work.pack(held, tables, ids.bits(), ids.ranks(), ids.distinct());
      work.checkStrangers();
      free(session, ids);
      DeviceMemory loaded = values ? work.gathered(tables) : null;
      int first = place.firstHeld(ids.ids());
      int end = place.endHeld(ids.ids());
      work.sort(0);
      work.sort(work.bits);
      SideMade in = side(session, work, work.bits, first, end, loaded);
      int[] leaving = work.leaving(in.part());
      SideMade out = null;
      if (place.outEdges()) {
        work.sort(0);
        out = side(session, work, 0, first, end, loaded);
      }
      session.synchronize();
      start = PhaseTimes.ended("tables of a shard on the device: rows", start);
      ShardRows made =
          new ShardRows(
              ids.ids(),
              adopted(session, in, memory),
              out == null ? null : adopted(session, out, memory),
              leaving);
      LOG.info(
          "rows of {} edges in {} tables are made where these are in {} ms, {} bytes went there,"
              + " as shard {} of {}",
          count,
          tables.size(),
          (System.nanoTime() - begun) / 1_000_000,
          session.uploadedBytes(),
          place.shard(),
          place.owners().shards());
      return made;
    }
  }

  /** Rows of a shard that are on the device; values: null, the edges have none. */
  private record SideMade(
      RowWork.Part part, int[] offsets, DeviceMemory neighbours, DeviceMemory values) {}

  /**
   * Makes rows of keys that are sorted by them.
   *
   * @param from lowest bit of the end that is the row
   */
  private static SideMade side(
      DeviceSession session, RowWork work, int from, int first, int end, DeviceMemory loaded) {
    DeviceMemory all = work.offsets(from);
    int[] found = work.download(all);
    session.free(all);
    int[] offsets = new int[end - first + 1];
    for (int v = 0; v < offsets.length; v++) {
      offsets[v] = found[first + v] - found[first];
    }
    RowWork.Part part = new RowWork.Part(found[first], offsets[end - first], first, end);
    return new SideMade(
        part,
        offsets,
        work.neighbours(part, work.bits - from),
        loaded == null ? null : work.values(part, loaded));
  }

  private RowsElsewhere adopted(DeviceSession session, SideMade side, BuildMemory memory) {
    boolean values = side.values() != null;
    List<ColumnType> kinds = values ? List.of(Kind.DOUBLE) : List.of();
    int sampled = Math.min(side.part().count(), SAMPLED);
    Copies copies = new Copies(kinds, sample(session, side.values(), sampled));
    RowsElsewhere rows = new RowsElsewhere(side.offsets(), kinds, copies, memory);
    adopt(session, rows.csr().neighboursKey(), side.neighbours());
    if (values) {
      adopt(session, rows.values().key(0), side.values());
    }
    return rows;
  }

  private void adopt(DeviceSession session, Object key, DeviceMemory memory) {
    on.resident().adoptAlone((LaterArray) key, session.released(memory));
  }

  private static Columns sample(DeviceSession session, DeviceMemory values, int count) {
    if (values == null) {
      return null;
    }
    double[] some = new double[count];
    session.download(values, some, count);
    return new Columns(List.of(Kind.DOUBLE), new Object[] {some}, count);
  }

  private static void free(DeviceSession session, Ids ids) {
    for (DeviceMemory memory : new DeviceMemory[] {ids.bits(), ids.ranks(), ids.distinct()}) {
      if (memory != null) {
        session.free(memory);
      }
    }
  }

  /** What the host copies when it needs rows itself. */
  private final class Copies implements UnsortedEdges.Elsewhere {
    private final List<ColumnType> kinds;
    private final Columns sample;

    Copies(List<ColumnType> kinds, Columns sample) {
      this.kinds = kinds;
      this.sample = sample;
    }

    @Override
    public List<Object> copy(Object neighbours, List<Object> values) {
      List<Object> arrays = new ArrayList<>();
      arrays.add(on.resident().copy((LaterArray) neighbours));
      values.forEach(key -> arrays.add(on.resident().copy((LaterArray) key)));
      return arrays;
    }

    @Override
    public Columns sample() {
      return sample == null ? Columns.allocate(kinds, 0) : sample;
    }
  }

  // ---- ids ------------------------------------------------------------------------------------

  private Ids ids(DeviceSession session, Ends ends, long count) {
    if (count == 0) {
      return new Ids(VertexIdsBuilder.of(new RankedBitmap(new long[0]), -1), null, null, null);
    }
    long[] bounds = {Long.MAX_VALUE, Long.MIN_VALUE};
    DeviceMemory found = session.upload(bounds, bounds.length, PURPOSE);
    ends.frame().set("bounds", found);
    ends.forEachColumn(session, RowKernels.TABLE_BOUNDS);
    session.download(found, bounds, bounds.length);
    session.free(found);
    return VertexIdsBuilder.areClose(bounds[0], bounds[1], 2 * count)
        ? marked(session, ends, bounds[1])
        : sorted(session, ends, bounds, 2 * count);
  }

  private static Ids marked(DeviceSession session, Ends ends, long largest) {
    long[] words = new long[(int) (largest >>> 6) + 1];
    DeviceMemory bits = session.zeros((long) Long.BYTES * words.length, PURPOSE);
    ends.frame().set("bits", bits);
    ends.forEachColumn(session, RowKernels.TABLE_MARK);
    session.download(bits, words, words.length);
    RankedBitmap all = new RankedBitmap(words);
    VertexIds ids = VertexIdsBuilder.of(all, largest);
    if (ids.size() == largest + 1) {
      session.free(bits);
      return new Ids(ids, null, null, null);
    }
    int[] ranks = new int[(words.length + RowKernels.TABLE_WORDS - 1) / RowKernels.TABLE_WORDS];
    for (int r = 0; r < ranks.length; r++) {
      ranks[r] = all.ranks()[r * RowKernels.TABLE_WORDS];
    }
    return new Ids(ids, bits, session.upload(ranks, ranks.length, PURPOSE), null);
  }

  private static Ids sorted(DeviceSession session, Ends ends, long[] bounds, long count) {
    if (count > Integer.MAX_VALUE) {
      throw new DeviceException(
          "finding the ids of %d ends that are far apart".formatted(count), "too many", "");
    }
    FrameLayout.Frame frame = ends.frame();
    KeySort sort = new KeySort(session, frame, count, false, PURPOSE);
    frame.set("least", bounds[0]);
    ends.forEachColumn(session, RowKernels.TABLE_KEYS);
    // As unsigned: the span may need all 64 bits.
    long span = bounds[1] - bounds[0];
    sort.sort(0, Math.max(1, Long.SIZE - Long.numberOfLeadingZeros(span)));
    int stretches = (int) Math.max(1, Math.min(STRETCHES, count / STRETCH));
    DeviceMemory counts = session.allocate((long) Integer.BYTES * stretches, PURPOSE);
    frame
        .set("count", count)
        .set("stretches", stretches)
        .set("distinctCounts", counts)
        .set("distinctIds", 0L);
    session.launch(RowKernels.TABLE_DISTINCT, stretches, 1, frame);
    int[] before = new int[stretches];
    session.download(counts, before, stretches);
    long all = 0;
    for (int s = 0; s < stretches; s++) {
      int here = before[s];
      before[s] = (int) all;
      all += here;
    }
    if (all > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(all + " vertices, at most " + Integer.MAX_VALUE);
    }
    session.free(counts);
    DeviceMemory places = session.upload(before, stretches, PURPOSE);
    DeviceMemory distinct = session.allocate(Long.BYTES * all, PURPOSE);
    frame.set("distinctCounts", places).set("distinctIds", distinct);
    session.launch(RowKernels.TABLE_DISTINCT, stretches, 1, frame);
    long[] ids = new long[(int) all];
    session.download(distinct, ids, ids.length);
    session.free(places);
    sort.freeOther();
    sort.freeKeys();
    return new Ids(VertexIdsBuilder.ofSorted(ids), null, null, distinct);
  }
}
