package org.sparkgpugraph.engine.intersect;

import java.util.List;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;
import org.sparkgpugraph.engine.device.kernels.RowKernels;
import org.sparkgpugraph.engine.device.memory.Scan;

/**
 * The kernels that make oriented rows ({@code sgg/orient.cuh}) and count from them ({@code
 * sgg/intersect.cuh}).
 */
final class IntersectionKernels {
  static final String DEGREES = "orient_degrees";
  static final String KEYS = "orient_keys";
  static final String RANKS = "orient_ranks";
  static final String COUNT = "orient_count";
  static final String OPEN = "orient_open";
  static final String FILL = "orient_fill";
  static final String SHORT_ROWS = "orient_short_rows";
  static final String LONG_ROWS = "orient_long_rows";
  static final String RESULTS = "orient_results";
  static final String ABOVE = "intersect_above";
  static final String LENGTHS = "intersect_lengths";
  static final String CUTS = "intersect_cuts";
  static final String LISTS = "intersect_lists";
  static final String PARTS = "intersect_parts";
  static final String MAP = "intersect_map";
  static final String SEARCH = "intersect_search";

  /** Layout of their parameter. */
  static final FrameLayout FRAME = layout();

  /** Threads of the block that takes a part of a list. */
  static final int BLOCK = 256;

  static final int WARP = DeviceProperties.WARP;

  /** Edges of a row that a warp has room for. */
  private static final int WARP_ROW = 256;

  /** Where an edge comes from while rows are made. */
  private static final int IN = 1;

  private static final int OUT = 2;

  private IntersectionKernels() {}

  /** The translation unit. */
  static KernelSource source(IntersectionTuning tuning) {
    String macros =
        """
        #define SGG_ORIENT_WARP_ROW %d
        #define SGG_ORIENT_IN %du
        #define SGG_ORIENT_OUT %du
        """
            .formatted(WARP_ROW, IN, OUT);
    return OperatorKernels.of(
        "neighbourhood intersection",
        macros + Scan.macros() + RowKernels.sortMacros() + tuning.macros(),
        FRAME,
        List.of(
            DEGREES,
            KEYS,
            RowKernels.count(false),
            RowKernels.SCAN,
            RowKernels.move(false),
            RANKS,
            COUNT,
            Scan.KERNELS.get(0),
            Scan.KERNELS.get(1),
            Scan.KERNELS.get(2),
            OPEN,
            FILL,
            SHORT_ROWS,
            LONG_ROWS,
            RESULTS,
            ABOVE,
            LENGTHS,
            CUTS,
            LISTS,
            PARTS,
            MAP,
            SEARCH),
        List.of(
            "offsets.cuh",
            "locals.cuh",
            "grid.cuh",
            "radix.cuh",
            "scan.cuh",
            "orient.cuh",
            "intersect.cuh"));
  }

  private static FrameLayout layout() {
    FrameLayout frame = new FrameLayout("Frame");
    OperatorKernels.declareInEdges(frame);
    RowKernels.declareSort(frame);
    frame.integers("size", "mostDegree", "listedDegree", "listedRanks");
    Scan.declare(frame);
    frame.integers("sourceCount", "partCount");
    frame.pointer("sources", "const int");
    frame.pointers("int", "degrees", "rank", "dense", "listed");
    frame.pointers("int", "begin", "end", "entries", "above");
    frame.pointers("int", "lengths", "listBegin", "listNext", "partBegin", "next");
    frame.pointers("unsigned long long", "lists", "listParts", "totals", "counts");
    return frame;
  }
}
