package org.sparkgpugraph.engine.device.memory;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.Csr;
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
    if (loaded == null && !side.of().areElsewhere()) {
      return;
    }
    try {
      if (side.bySource()) {
        ready(side.of().rows(false), reserve);
        if (isThere(new UnsortedEdges.Side(side.of(), false))) {
          turn(side.of(), reserve);
        }
      } else if (loaded != null) {
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
      RowWork work =
          new RowWork(session, edges.size(), edges.vertices(), !loaded.kinds().isEmpty());
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
      work.finish(edges.rows(false).neighboursKey());
      work.values(edges.values(false), loaded.values());
      edges.counted(inOffsets, outOffsets);
      work.keep(edges.rows(false).offsets(), in);
      work.handOver(on.resident());
      PhaseTimes.ended("rows on the device: neighbours and values", start);
    }
  }

  /** Makes rows by source of those by destination, which nothing may evict meanwhile. */
  private void turn(UnsortedEdges edges, long reserve) {
    List<ColumnType> kinds = edges.values(false) == null ? List.of() : edges.kinds();
    Csr in = edges.rows(false);
    Columns from = edges.values(false);
    List<AutoCloseable> uses = new ArrayList<>();
    long start = System.nanoTime();
    try {
      DeviceMemory neighbours = use(in.neighboursKey(), uses);
      List<DeviceMemory> values = new ArrayList<>();
      for (int c = 0; c < kinds.size(); c++) {
        values.add(use(from.key(c), uses));
      }
      DeviceMemory offsets = use(in.offsets(), uses);
      try (DeviceSession session = session(reserve)) {
        RowWork work = new RowWork(session, edges.size(), edges.vertices(), !values.isEmpty());
        work.turn(offsets, neighbours);
        work.sort(work.bits);
        work.finish(edges.rows(true).neighboursKey());
        for (int c = 0; c < values.size(); c++) {
          work.values(edges.values(true).key(c), kinds.get(c), values.get(c));
        }
        work.handOver(on.resident());
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
}
