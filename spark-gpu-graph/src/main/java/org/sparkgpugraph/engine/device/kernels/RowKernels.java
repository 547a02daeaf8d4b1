package org.sparkgpugraph.engine.device.kernels;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.settings.EdgeOrder;
import org.sparkgpugraph.engine.device.settings.LaunchSize;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The kernels of {@code sgg/rows.cuh} and {@code sgg/tables.cuh}: one source, whatever the graph,
 * one with ranks, and those that sort edges by values.
 */
public final class RowKernels {
  public static final String PACK = "rows_pack";
  public static final String TURN = "rows_turn";
  public static final String SCAN = "rows_scan";
  public static final String OFFSETS = "rows_offsets";
  public static final String NEIGHBOURS = "rows_neighbours";

  /** Words of 64 marks between two of which it is known how many are before. */
  public static final int TABLE_WORDS = 8;

  /** Finds the least and the largest id of a column of a table. */
  public static final String TABLE_BOUNDS = "table_bounds";

  /** Marks the ids of a column. */
  public static final String TABLE_MARK = "table_mark";

  /** Makes keys of the ids of a column. */
  public static final String TABLE_KEYS = "table_keys";

  /** Counts, and then writes, the distinct ids of sorted keys. */
  public static final String TABLE_DISTINCT = "table_distinct";

  /** Makes keys of a table's edges. */
  public static final String TABLE_PACK = "table_pack";

  /** Makes keys of the edges of a shard's table. */
  public static final String TABLE_PACK_SHARD = "table_pack_shard";

  /** Makes neighbours of a shard's sorted keys. */
  public static final String TABLE_NEIGHBOURS = "table_neighbours";

  /** Counts how many edges of a shard's sorted keys leave each vertex. */
  public static final String TABLE_LEAVING = "table_leaving";

  /** Copies values of a table to where those of all tables are. */
  public static final String TABLE_COPY = "table_copy";

  /** Counts how many edges end at each vertex. */
  public static final String RANKS_COUNT = "ranks_count";

  /** Makes keys of the counts. */
  public static final String RANKS_PACK = "ranks_pack";

  /** Makes ranks of sorted keys. */
  public static final String RANKS_FINISH = "ranks_finish";

  /** Puts ranks in place of neighbours. */
  public static final String RANKS_NEIGHBOURS = "ranks_neighbours";

  /** Finds the least and the largest of edge values. */
  public static final String SORT_RANGE = "sort_range";

  /** Makes classes of values between these. */
  public static final String SORT_CLASSES = "sort_classes";

  /** Sorts the edges of rows by their values, and lists long rows. */
  public static final String SORT_ROWS = "sort_rows";

  /** Sorts those of listed rows. */
  public static final String SORT_LONG_ROWS = "sort_long_rows";

  /** Words of what is known of all values; see {@code sgg/edge_order.cuh}. */
  public static final int SORT_RANGE_WORDS = 4;

  /** Values a digit can have, at most. */
  public static final int DIGITS = 256;

  /** Keys that a thread takes of a tile, and where the numbers of edges travel with them. */
  private static final int KEYS = 12;

  private static final int NUMBERED_KEYS = 8;

  /** Layout of their parameter. */
  public static final FrameLayout FRAME = layout();

  private static final String COUNT = "rows_count";
  private static final String MOVE = "rows_move";
  private static final String NUMBERED = "_numbered";
  private static final String VALUES = "rows_values";

  private static final KernelSource SOURCE =
      OperatorKernels.of(
          "compressed sparse rows",
          sortMacros()
              + numberedMacros()
              + "#define SGG_TABLE_MARKS %d\n".formatted(2 * TABLE_WORDS),
          FRAME,
          List.of(
              PACK,
              TURN,
              COUNT,
              COUNT + NUMBERED,
              SCAN,
              MOVE,
              MOVE + NUMBERED,
              OFFSETS,
              NEIGHBOURS,
              VALUES + 1,
              VALUES + 4,
              VALUES + 8,
              TABLE_BOUNDS,
              TABLE_MARK,
              TABLE_KEYS,
              TABLE_DISTINCT,
              TABLE_PACK,
              TABLE_PACK_SHARD,
              TABLE_NEIGHBOURS,
              TABLE_LEAVING,
              TABLE_COPY),
          List.of("offsets.cuh", "radix.cuh", "radix_numbered.cuh", "rows.cuh", "tables.cuh"));

  private static final KernelSource RANKS =
      OperatorKernels.of(
          "ranks of vertices",
          sortMacros(),
          FRAME,
          List.of(COUNT, SCAN, MOVE, RANKS_COUNT, RANKS_PACK, RANKS_FINISH, RANKS_NEIGHBOURS),
          List.of("radix.cuh", "ranks.cuh"));

  private static final Map<Kind, KernelSource> SORTS =
      EdgeOrder.KINDS.stream().collect(Collectors.toMap(kind -> kind, RowKernels::sorting));

  private RowKernels() {}

  private static KernelSource sorting(Kind kind) {
    return OperatorKernels.of(
        "rows in the order of edge values",
        "#define SGG_SORTED_VALUE %s\n".formatted(CTypes.memory(kind)),
        FRAME,
        List.of(SORT_RANGE, SORT_CLASSES, SORT_ROWS, SORT_LONG_ROWS),
        List.of("order_keys.cuh", "edge_order.cuh", "sort_edges.cuh"));
  }

  /** What {@code sgg/radix.cuh} looks at, for all units that sort keys by it. */
  public static String sortMacros() {
    return "#define SGG_ROWS_DIGITS %d\n#define SGG_ROWS_KEYS %d\n".formatted(DIGITS, KEYS);
  }

  /** What {@code sgg/radix_numbered.cuh} looks at beside that. */
  public static String numberedMacros() {
    return "#define SGG_ROWS_NUMBERED_KEYS %d\n".formatted(NUMBERED_KEYS);
  }

  /** Adds what {@code sgg/radix.cuh} reads of a frame. */
  public static void declareSort(FrameLayout frame) {
    frame.integers("count", "shift", "digitBits", "blocks");
    frame.pointers("unsigned long long", "keys", "otherKeys");
    frame.pointers("int", "digitCounts", "digitTotals");
  }

  /** Adds what {@code sgg/radix_numbered.cuh} reads beside that. */
  public static void declareNumbers(FrameLayout frame) {
    frame.pointers("int", "numbers", "otherNumbers");
  }

  /** The translation unit. */
  public static KernelSource source() {
    return SOURCE;
  }

  /** The unit by which vertices are ranked ({@code sgg/ranks.cuh}), the sort with it. */
  public static KernelSource ranks() {
    return RANKS;
  }

  /**
   * The unit by which the edges of rows are sorted by their values ({@code sgg/sort_edges.cuh}).
   *
   * @param kind of the values, one of {@link EdgeOrder#KINDS}
   */
  public static KernelSource sorts(Kind kind) {
    return SORTS.get(kind);
  }

  /**
   * Counts the digits of each block's keys.
   *
   * @param numbered whether the numbers of edges travel with the keys
   */
  public static String count(boolean numbered) {
    return numbered ? COUNT + NUMBERED : COUNT;
  }

  /** Moves keys to where their digits stand. */
  public static String move(boolean numbered) {
    return numbered ? MOVE + NUMBERED : MOVE;
  }

  /** Keys of a tile. */
  public static int tile(boolean numbered) {
    return LaunchSize.BLOCK * (numbered ? NUMBERED_KEYS : KEYS);
  }

  /** Fetches values of 1, 4 or 8 bytes. */
  public static String values(int bytes) {
    return VALUES + bytes;
  }

  private static FrameLayout layout() {
    FrameLayout frame = new FrameLayout("Frame");
    declareSort(frame);
    frame.integers("valueWidth", "first", "vertices", "neighbourBits");
    frame.pointers("const int", "sources", "destinations", "map");
    frame.pointers("unsigned long long", "strangers");
    declareNumbers(frame);
    frame.pointers("int", "offsets", "neighbours");
    frame.pointers("int", "occurrences", "ranked", "ranks", "rankedNeighbours");
    frame.pointers("const void", "values");
    frame.pointers("void", "sortedValues");
    frame.integers("least", "stretches");
    frame.pointers("const long long", "ids", "otherIds");
    frame.pointers("long long", "bounds", "distinctIds");
    frame.pointers("unsigned", "bits");
    frame.pointers("int", "bitRanks", "distinctCounts");
    frame.integers("falls", "longRow");
    frame.pointers("unsigned long long", "edgeRange");
    frame.pointers("int", "sortedNeighbours", "longRows");
    frame.integers("heldLeast", "heldLargest", "forward", "firstHeld", "endHeld");
    frame.pointers("int", "leaving");
    return frame;
  }
}
