package org.sparkgpugraph.engine.device.memory;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.rows.DenseBlock;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * Makes rows of unsorted edges on a device ({@code sgg/rows.cuh}): their ends go there as they were
 * loaded, with the dictionaries of their blocks, and become keys that are sorted; the rows stay
 * there, and the host gets their offsets. Rows by source are made from those by destination, which
 * are there then. What a device has no room for, and what the host has sorted already, is uploaded
 * as any array of the host is.
 *
 * <p>While it works it takes 16 bytes an edge, 8 more where edges have values, and the bytes of
 * their largest value beside the result.
 */
public final class DeviceRows {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceRows.class);

  private final DeviceHoldings on;

  DeviceRows(DeviceHoldings on) {
    this.on = on;
  }

  /**
   * Sees to it that the offsets of rows are known, and that their neighbours and values are on the
   * device or can be uploaded.
   *
   * @param reserve bytes of the device to leave to others
   */
  public void ready(Csr csr, long reserve) {
    if (!(csr.later() instanceof UnsortedEdges.Side side) || isThere(side)) {
      return;
    }
    // The host drops them once it has sorted; what was asked for first stays whole.
    UnsortedEdges.Loaded loaded = side.of().loaded();
    if (loaded == null) {
      return;
    }
    try {
      if (side.bySource()) {
        ready(side.of().rows(false), reserve);
        if (isThere(new UnsortedEdges.Side(side.of(), false))) {
          turn(side.of(), loaded, reserve);
        }
      } else {
        sort(side.of(), loaded, reserve);
      }
    } catch (DeviceOutOfMemoryException | CompilerUnavailableException e) {
      LOG.info("the host makes the rows of {} edges: {}", csr.edges(), e.getMessage());
    }
  }

  /** Whether neighbours and values of one side are on the device. */
  private boolean isThere(UnsortedEdges.Side side) {
    UnsortedEdges of = side.of();
    boolean there = on.resident().contains(of.rows(side.bySource()).neighboursKey());
    Columns values = of.values(side.bySource());
    for (int c = 0; there && values != null && c < values.width(); c++) {
      there = on.resident().contains(values.key(c));
    }
    return there && side.hasOffsets();
  }

  // ---- rows by destination --------------------------------------------------------------------

  private void sort(UnsortedEdges edges, UnsortedEdges.Loaded loaded, long reserve) {
    long start = System.nanoTime();
    try (DeviceSession session = session(reserve)) {
      Work work = new Work(session, edges, !loaded.kinds().isEmpty());
      start = PhaseTimes.ended("rows on the device: memory", start);
      work.pack(loaded.blocks());
      start = PhaseTimes.ended("rows on the device: upload of the edges", start);
      work.sort(0);
      DeviceMemory out = work.offsets(0);
      work.sort(work.bits);
      DeviceMemory in = work.offsets(work.bits);
      int[] outOffsets = work.download(out);
      int[] inOffsets = work.download(in);
      work.checkStrangers();
      start = PhaseTimes.ended("rows on the device: sort", start);
      work.finish(edges.rows(false));
      work.values(edges.values(false), loaded.values());
      edges.counted(inOffsets, outOffsets);
      work.keep(edges.rows(false).offsets(), in);
      work.handOver();
      PhaseTimes.ended("rows on the device: neighbours and values", start);
    }
  }

  /** Makes rows by source of those by destination, which nothing may evict meanwhile. */
  private void turn(UnsortedEdges edges, UnsortedEdges.Loaded loaded, long reserve) {
    Csr in = edges.rows(false);
    Columns from = edges.values(false);
    List<AutoCloseable> uses = new ArrayList<>();
    long start = System.nanoTime();
    try {
      DeviceMemory neighbours = use(in.neighboursKey(), uses);
      List<DeviceMemory> values = new ArrayList<>();
      for (int c = 0; c < loaded.kinds().size(); c++) {
        values.add(use(from.key(c), uses));
      }
      DeviceMemory offsets = use(in.offsets(), uses);
      try (DeviceSession session = session(reserve)) {
        Work work = new Work(session, edges, !values.isEmpty());
        work.turn(offsets, neighbours);
        work.sort(work.bits);
        work.finish(edges.rows(true));
        for (int c = 0; c < values.size(); c++) {
          work.values(edges.values(true).key(c), loaded.kinds().get(c), values.get(c));
        }
        work.handOver();
        PhaseTimes.ended("rows on the device: by source", start);
      }
    } finally {
      Closing.all(uses);
    }
  }

  private DeviceMemory use(Object key, List<AutoCloseable> uses) {
    ResidentArrays.Use use = on.resident().use(key, "rows of unsorted edges");
    uses.add(use);
    return use.memory();
  }

  private DeviceSession session(long reserve) {
    return on.telling(() -> new DeviceSession(on, RowKernels.source(), reserve));
  }

  /** Keys that are being sorted, in one of two buffers. */
  private final class Work {
    final int bits;
    private final DeviceSession session;
    private final UnsortedEdges edges;
    private final long count;
    private final boolean numbered;
    private final FrameLayout.Frame frame = RowKernels.FRAME.newFrame();
    private final KeySort sort;
    private final DeviceMemory strangers;
    private final List<DeviceMemory> results = new ArrayList<>();
    private final List<Object> names = new ArrayList<>();

    /**
     * @param numbered whether the numbers of edges travel with the keys
     */
    Work(DeviceSession session, UnsortedEdges edges, boolean numbered) {
      this.session = session;
      this.edges = edges;
      this.numbered = numbered;
      count = edges.size();
      bits = KeySort.bits(edges.vertices());
      String purpose = "rows of unsorted edges, while they are sorted";
      sort = new KeySort(session, frame, count, numbered, purpose);
      strangers = session.zeros(Long.BYTES, purpose);
      frame
          .set("count", count)
          .set("vertices", edges.vertices())
          .set("neighbourBits", bits)
          .set("strangers", strangers);
    }

    /** Uploads edges, to where the other keys will be, and makes keys of them. */
    void pack(List<DenseBlock> loaded) {
      int[] map = null;
      DeviceMemory dictionary = null;
      DeviceMemory ends = sort.other();
      long first = 0;
      for (DenseBlock block : loaded) {
        if (block.map() != map && dictionary != null) {
          session.free(dictionary);
          dictionary = null;
        }
        map = block.map();
        if (map != null && dictionary == null) {
          dictionary = session.upload(map, map.length, "a dictionary of edges");
        }
        long sources = KeySort.KEY_BYTES * first;
        long destinations = sources + Integer.BYTES * (long) block.size();
        session.upload(block.sources(), 0, block.size(), ends, sources);
        session.upload(block.destinations(), 0, block.size(), ends, destinations);
        frame
            .set("sources", ends.address() + sources)
            .set("destinations", ends.address() + destinations)
            .set("map", dictionary)
            .set("first", first)
            .set("count", block.size());
        session.launch(RowKernels.PACK, block.size(), 1, frame);
        first += block.size();
      }
      frame.set("count", count);
    }

    /** Makes keys of rows' edges, turned round. */
    void turn(DeviceMemory offsets, DeviceMemory neighbours) {
      frame.set("offsets", offsets).set("neighbours", neighbours);
      session.launch(RowKernels.TURN, (count + 1023) / 1024, DeviceProperties.WARP, frame);
    }

    /** Sorts by a part of the keys that is as wide as an end. */
    void sort(int from) {
      sort.sort(from, bits);
    }

    /** Where the rows of sorted keys begin. */
    DeviceMemory offsets(int from) {
      long rows = edges.vertices() + 1L;
      DeviceMemory offsets = session.allocate(Integer.BYTES * rows, "offsets of rows");
      frame.set("offsets", offsets).set("shift", from);
      session.launch(RowKernels.OFFSETS, rows, 1, frame);
      return offsets;
    }

    int[] download(DeviceMemory offsets) {
      int[] found = new int[edges.vertices() + 1];
      session.download(offsets, found, found.length);
      return found;
    }

    /**
     * @throws IllegalArgumentException when an edge has an end without a dense id
     */
    void checkStrangers() {
      long[] found = new long[1];
      session.download(strangers, found, 1);
      if (found[0] > 0) {
        throw new IllegalArgumentException(
            found[0] + " of " + count + " edges belong to none of " + edges.vertices() + " rows");
      }
    }

    /** Makes neighbours of sorted keys. */
    void finish(Csr rows) {
      sort.freeOther();
      DeviceMemory neighbours = session.allocate(Integer.BYTES * count, "neighbours of rows");
      frame.set("neighbours", neighbours);
      session.launch(RowKernels.NEIGHBOURS, count, 1, frame);
      keep(rows.neighboursKey(), neighbours);
      if (numbered) {
        sort.freeKeys();
      }
    }

    /** Uploads values as they were loaded, and puts them in order. */
    void values(Columns sorted, List<Columns> loaded) {
      for (int c = 0; sorted != null && c < sorted.width(); c++) {
        ColumnType type = sorted.kinds().get(c);
        int bytes = type.bytes();
        DeviceMemory from = session.allocate(bytes * count, "edge values as they were loaded");
        long offset = 0;
        for (Columns block : loaded) {
          session.upload(block.array(c), 0, block.length() * type.width(), from, offset);
          offset += (long) bytes * block.length();
        }
        values(sorted.key(c), type, from);
        session.free(from);
      }
    }

    /** Puts values in order that are on the device. */
    void values(Object key, ColumnType type, DeviceMemory from) {
      DeviceMemory to = session.allocate(type.bytes() * count, "values of rows");
      frame.set("values", from).set("sortedValues", to).set("valueWidth", type.width());
      session.launch(RowKernels.values(type.kind().bytes()), count * type.width(), 1, frame);
      keep(key, to);
    }

    /** Remembers a result, which stays if all goes well. */
    void keep(Object key, DeviceMemory memory) {
      names.add(key);
      results.add(memory);
    }

    /** Waits for all, and lets the results stay on the device. */
    void handOver() {
      session.synchronize();
      for (int r = 0; r < results.size(); r++) {
        on.resident().adopt(names.get(r), session.released(results.get(r)));
      }
    }
  }
}
