package org.sparkgpugraph.engine.louvain;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.engine.device.memory.Scan;
import org.sparkgpugraph.engine.device.settings.LaunchSize;

/**
 * The kernels that make the rows of the first level ({@code sgg/undirect.cuh}), move the vertices
 * of a level ({@code sgg/louvain.cuh}) and make the next one ({@code sgg/coarsen.cuh}).
 */
final class LouvainKernels {
  static final String DEGREES = "louvain_degrees";
  static final String LOOPS = "louvain_loops";
  static final String STRENGTHS = "louvain_strengths";
  static final String MIRROR = "undirect_mirror";
  static final String SOURCES = "undirect_sources";
  static final String COUNT = "undirect_count";
  static final String OPEN = "undirect_open";
  static final String FILL = "undirect_fill";
  static final String BEGIN = "louvain_begin";
  static final String ROOM = "louvain_room";
  static final String MARK_ALL = "louvain_mark_all";
  static final String QUEUE = "louvain_queue";
  static final String CLEAR = "louvain_clear";
  static final String FINISH_HUBS = "louvain_finish_hubs";
  static final String MARK = "louvain_mark";
  static final String MARK_HUBS = "louvain_mark_hubs";
  static final String MOVE = "louvain_move";
  static final String SQUARES = "louvain_squares";
  static final String TOTALS = "louvain_totals";
  static final String ALONE = "coarsen_alone";
  static final String RESET = "coarsen_begin";
  static final String WITHIN = "coarsen_within";
  static final String TOGETHER = "coarsen_together";
  static final String CONNECT_ALONE = "connect_alone";
  static final String LINK = "connect_link";
  static final String COMPRESS = "connect_compress";
  static final String LEAST = "coarsen_least";
  static final String FIRSTS = "coarsen_firsts";
  static final String NUMBER = "coarsen_number";
  static final String LABEL = "coarsen_label";
  static final String KEYS = "coarsen_keys";
  static final String ORDER = "coarsen_order";
  static final String HEADS = "coarsen_heads";
  static final String ENTRIES = "coarsen_entries";
  static final String OFFSETS = "coarsen_offsets";

  /** Which of {@link #DECIDE} takes hubs. */
  static final int HUBS = 3;

  /** Rows of up to 8 entries, of up to a warp's width, of a warp and of blocks decide. */
  static final List<String> DECIDE =
      List.of("louvain_short", "louvain_lanes", "louvain_warps", "louvain_hubs");

  static final String COUNT_RECORDS = "coarsen_count";
  static final String RECORDS = "coarsen_records";

  /** Words of the state: changes of twice the weight inside, moves, entries, squares of totals. */
  static final int STATE_WORDS = 7;

  static final int INSIDE = 0;
  static final int MOVED = 1;
  static final int LOOKED_AT = 2;
  static final int SQUARES_FIRST = 3;

  /** Words of the counts of a class: rows of each kind, chunks of hubs, slots of their tables. */
  static final int COUNTS = 6;

  private static final int COUNT_CHUNKS = 4;
  private static final int COUNT_SLOTS = 5;

  static final int WARP = DeviceProperties.WARP;
  static final int BLOCK = LaunchSize.BLOCK;

  /** Layout of their parameter. */
  static final FrameLayout FRAME = layout();

  private LouvainKernels() {}

  /**
   * The kernel for a level.
   *
   * @param ones whether all weights are 1
   */
  static String of(String kernel, boolean ones) {
    return kernel + (ones ? "_ones" : "_weights");
  }

  /** The translation unit. */
  static KernelSource source(LouvainTuning tuning) {
    String macros =
        """
        #define SGG_LOUVAIN_CLASSES %d
        #define SGG_LOUVAIN_COUNTS %d
        #define SGG_LOUVAIN_CHUNKS %d
        #define SGG_LOUVAIN_SLOTS %d
        #define SGG_LOUVAIN_INSIDE %d
        #define SGG_LOUVAIN_MOVED %d
        #define SGG_LOUVAIN_ENTRIES %d
        #define SGG_LOUVAIN_SQUARES %d
        """
            .formatted(
                LocalMoving.CLASSES,
                COUNTS,
                COUNT_CHUNKS,
                COUNT_SLOTS,
                INSIDE,
                MOVED,
                LOOKED_AT,
                SQUARES_FIRST);
    List<String> kernels =
        new ArrayList<>(
            List.of(
                DEGREES,
                LOOPS,
                STRENGTHS,
                MIRROR,
                SOURCES,
                COUNT,
                OPEN,
                FILL,
                BEGIN,
                ROOM,
                MARK_ALL,
                QUEUE,
                CLEAR,
                FINISH_HUBS,
                MARK,
                MARK_HUBS,
                MOVE,
                SQUARES,
                TOTALS,
                ALONE,
                RESET,
                WITHIN,
                TOGETHER,
                CONNECT_ALONE,
                LINK,
                COMPRESS,
                LEAST,
                FIRSTS,
                NUMBER,
                LABEL,
                KEYS,
                ORDER,
                HEADS,
                ENTRIES,
                OFFSETS,
                RowKernels.SCAN));
    kernels.addAll(Scan.KERNELS);
    for (boolean either : new boolean[] {false, true}) {
      DECIDE.forEach(kernel -> kernels.add(of(kernel, either)));
      kernels.add(of(COUNT_RECORDS, either));
      kernels.add(of(RECORDS, either));
      kernels.add(RowKernels.count(either));
      kernels.add(RowKernels.move(either));
    }
    return OperatorKernels.of(
        "communities",
        macros
            + Scan.macros()
            + RowKernels.sortMacros()
            + RowKernels.numberedMacros()
            + tuning.macros(),
        FRAME,
        kernels,
        List.of(
            "offsets.cuh",
            "locals.cuh",
            "radix.cuh",
            "radix_numbered.cuh",
            "scan.cuh",
            "louvain.cuh",
            "undirect.cuh",
            "trees.cuh",
            "coarsen.cuh"));
  }

  private static FrameLayout layout() {
    FrameLayout frame = new FrameLayout("Frame");
    OperatorKernels.declareInEdges(frame);
    RowKernels.declareSort(frame);
    RowKernels.declareNumbers(frame);
    Scan.declare(frame);
    frame.integers("size", "entries", "ofClass", "salt", "gamma", "whole");
    frame.integers("graphSize", "communities", "chunks", "mirrored", "seed", "scale", "loops");
    frame.pointers("const double", "values");
    frame.pointers("const int", "offsets", "neighbours");
    frame.pointers("const long long", "weights");
    frame.pointers("long long", "strengths", "hubSlots");
    frame.pointers("int", "community", "next", "least", "queue", "warpRows", "hubs", "hubChunks");
    frame.pointers("int", "chunkHubs", "chunkBests", "slotKeys");
    frame.pointers("double", "chunkScores");
    frame.pointers("unsigned", "active");
    frame.pointers("unsigned long long", "totals", "counts", "state", "room", "hubOwn", "slotSums");
    frame.pointers("unsigned long long", "hubKept", "outerTotals");
    frame.pointers("int", "outer", "together", "parents");
    frame.pointers("int", "flags", "numberOf", "label", "smallest", "nextSmallest", "order");
    frame.pointers("int", "rowPlaces", "chunkPlaces", "chunkRecords");
    frame.pointers("int", "nextOffsets", "nextNeighbours");
    frame.pointers("unsigned long long", "recordSums", "nextWeights", "nextStrengths");
    return frame;
  }
}
