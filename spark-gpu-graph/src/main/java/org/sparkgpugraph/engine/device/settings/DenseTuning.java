package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.sparkgpugraph.engine.device.DeviceProperties;

/**
 * How supersteps that evaluate every edge of their rows are gathered, and with what constants. 0
 * leaves a constant to a policy: that of the architecture that the code is compiled for ({@code
 * sgg/policy.cuh}), or of {@link #pieceWords}.
 *
 * @param walk how a warp takes the edges of its rows
 * @param depth edges per lane whose loads are under way together, a power of two
 * @param serialPart a row's part of the staged edges that is longer than this is walked by the
 *     whole warp; in waves, a row of as many edges or more
 * @param residentBlocks blocks that a multiprocessor should hold, which bounds the registers
 * @param pieceEdges about how many edges a warp takes at a time, when it gets there; −1: each warp
 *     has its rows from the start
 * @param groupWidth lanes that take a row together where rows are taken in waves: 4, 8, 16 or 32;
 *     0: as {@code GroupWidth} chooses by the rows' degrees
 * @param schedule who gathers which rows where {@code walk} is NESTED; else nothing
 * @param tasks whether all lanes of a warp share the loops of all its edges, where the send
 *     function has a {@link org.sparkgpugraph.program.lanes.TaskForm}; not where rows are streamed
 * @param contexts how many contexts of a costly branch a warp collects before it runs them, 1 to
 *     32, where the send function has a {@link org.sparkgpugraph.program.lanes.ContextForm} and
 *     warps take rows by segmentation; 0: lanes run the branch as they come to it
 * @param contextsFrom instructions that contexts have to save by the estimate of that form, from
 *     which on warps take rows by segmentation and collect contexts although rows are to be
 *     streamed ({@code ChoicePolicy}); {@link #NEVER}: they do not
 * @param features whether several lanes share an edge whose message has arrays, where the program
 *     has a {@link org.sparkgpugraph.program.lanes.LaneForm}; else one lane has all of it
 * @param hot whether values of other ends are read in the order of how many edges end there, where
 *     rows are streamed and the program allows it
 */
public record DenseTuning(
    Walk walk,
    int depth,
    int serialPart,
    int residentBlocks,
    int pieceEdges,
    int groupWidth,
    WalkSchedule schedule,
    boolean tasks,
    int contexts,
    long contextsFrom,
    boolean features,
    HotVertices hot)
    implements Serializable {
  /** How a warp takes the edges of its rows. */
  public enum Walk {
    /**
     * 32 edges at a time, merged by a reduction over the lanes (Khorasani 2016, section 2.2); hubs
     * by a launch of their own.
     */
    SEGMENTATION,
    /**
     * Many at a time into shared memory, merged by the rows' lanes ({@code sgg/stream.cuh}); hubs
     * by the same launch, before the other rows.
     */
    STREAM,
    /**
     * By groups of some lanes, row after row, after what concerns a row was done for 32 rows at
     * once ({@code sgg/waves.cuh}); hubs by a launch of their own.
     */
    WAVES,
    /**
     * By blocks, warps, one list or a lane each, as a {@link WalkSchedule} says ({@code
     * sgg/rows_nested.cuh}); hubs by a launch of their own.
     */
    NESTED
  }

  /** What no estimate reaches. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * {@link #contextsFrom} where nothing else is asked for: branches of 256 rounds, which gained on
   * an H200 whatever the rows. On uneven rows (R-MAT) those of 16 rounds gain, too, and on a
   * lattice those of 64 lose.
   */
  public static final long CONTEXTS_FROM = 1000;

  /** Streamed. */
  public static final DenseTuning DEFAULT = of(Walk.STREAM, WalkSchedule.DEFAULT);

  /** Warp segmentation. */
  public static final DenseTuning SEGMENTATION = of(Walk.SEGMENTATION, WalkSchedule.DEFAULT);

  /** Waves, and a width of groups by degrees. */
  public static final DenseTuning WAVES = of(Walk.WAVES, WalkSchedule.DEFAULT);

  /** Widths of the groups of lanes that take rows in waves. */
  public static final List<Integer> GROUP_WIDTHS = List.of(4, 8, 16, 32);

  /** Edges per lane under way together where nothing else is asked for. */
  private static final int DEPTH = 4;

  /** Edges of a piece that a warp takes when it gets there, where nothing else is asked for. */
  static final int PIECE_EDGES = 4096;

  /** A row of two edges a lane fills a warp well enough. */
  private static final int LONG_ROW = 64;

  /** Most words of 32 rows of such a piece. */
  private static final int MAX_PIECE_WORDS = 1024;

  public DenseTuning {
    if (depth < 0 || depth > 32 || Integer.bitCount(depth) > 1) {
      throw new IllegalArgumentException(
          "edges per lane under way together are a power of two up to 32 (0: the policy's), but got "
              + depth);
    }
    if (serialPart < 0) {
      throw new IllegalArgumentException(
          "a serial part must not be negative (0: the policy's), but got " + serialPart);
    }
    if (residentBlocks < 0 || residentBlocks > 8) {
      throw new IllegalArgumentException(
          "a multiprocessor holds 1 to 8 blocks (0: the policy's), but got " + residentBlocks);
    }
    if (pieceEdges < -1) {
      throw new IllegalArgumentException(
          "a piece has at least 1 edge (0: the policy's, -1: no pieces), but got " + pieceEdges);
    }
    if (tasks && walk == Walk.STREAM) {
      throw new IllegalArgumentException(
          "lanes share loops where they evaluate edges side by side: not where rows are streamed");
    }
    if (contexts < 0 || contexts > DeviceProperties.WARP) {
      throw new IllegalArgumentException(
          "a warp runs 1 to 32 contexts together (0: it collects none), but got " + contexts);
    }
    if (contexts > 0 && (walk != Walk.SEGMENTATION || tasks)) {
      throw new IllegalArgumentException(
          "warps collect contexts where they take rows by segmentation and share no loops, not by "
              + walk
              + (tasks ? " with shared loops" : ""));
    }
    if (contextsFrom < 0) {
      throw new IllegalArgumentException(
          "contexts save 0 instructions or more by the estimate, from which on warps collect them,"
              + " but got "
              + contextsFrom);
    }
    Objects.requireNonNull(schedule, "schedule");
    Objects.requireNonNull(hot, "hot");
    if (schedule.shelf()) {
      throw new IllegalArgumentException("who gathers rows has no shelf: " + schedule.title());
    }
    if (groupWidth != 0 && !GROUP_WIDTHS.contains(groupWidth)) {
      throw new IllegalArgumentException(
          "a group of lanes that takes a row has 4, 8, 16 or 32 (0: by the rows' degrees), but got "
              + groupWidth);
    }
  }

  private static DenseTuning of(Walk walk, WalkSchedule schedule) {
    return new DenseTuning(
        walk, 0, 0, 0, 0, 0, schedule, false, 0, CONTEXTS_FROM, true, HotVertices.DEFAULT);
  }

  /** Edges from which on a row is taken by all lanes of a warp, where rows are taken in waves. */
  public int longRow() {
    return serialPart > 0 ? serialPart : LONG_ROW;
  }

  /** Edges per lane whose loads are under way together and which are merged together. */
  public int edgesOfLane() {
    return depth == 0 ? DEPTH : depth;
  }

  /** The constants as macros, for the policy to look at. */
  public String macros() {
    return """
        #define SGG_TUNED_RESIDENT_BLOCKS %d
        #define SGG_TUNED_DEPTH %d
        #define SGG_TUNED_SERIAL_PART %d
        """
        .formatted(residentBlocks, edgesOfLane(), waves() ? longRow() : serialPart);
  }

  /**
   * Whether rows are streamed. The launch that gathers the rows then gathers the hubs too, and
   * there are two kernels that gather all rows of a program that runs every vertex: one for rows
   * that are much alike, each warp's from the start, and one for hubs and for pieces, with fewer
   * blocks and more registers ({@code sgg/policy.cuh}).
   */
  public boolean streams() {
    return walk == Walk.STREAM;
  }

  /** Whether rows are taken in waves. */
  public boolean waves() {
    return walk == Walk.WAVES;
  }

  /** As options of benchmarks have it: {@code stream/piece=1024}, {@code nested-warp+fine}. */
  public String title() {
    String base =
        switch (walk) {
          case STREAM -> "stream";
          case SEGMENTATION -> "segmentation";
          case WAVES -> "waves" + (groupWidth == 0 ? "" : groupWidth);
          case NESTED -> "nested-" + schedule.title();
        };
    return base
        + (depth == 0 ? "" : "/depth=" + depth)
        + (serialPart == 0 ? "" : "/serial=" + serialPart)
        + (residentBlocks == 0 ? "" : "/blocks=" + residentBlocks)
        + (pieceEdges == 0 ? "" : "/piece=" + pieceEdges)
        + (tasks ? "/tasks=1" : "")
        + (contexts == 0 ? "" : "/contexts=" + contexts)
        + (contextsFrom == CONTEXTS_FROM ? "" : "/contexts-from=" + contextsFrom)
        + hot.title();
  }

  /** What {@code explain()} calls it. */
  public String description() {
    return switch (walk) {
      case STREAM -> "streamed rows";
      case SEGMENTATION -> "warp segmentation";
      case WAVES ->
          "rows in waves, by groups of "
              + (groupWidth == 0 ? "as many lanes as their degrees say" : groupWidth + " lanes");
      case NESTED -> "rows by " + schedule.title();
    };
  }

  /**
   * How many words of 32 rows a warp takes at a time when it is done with those it had, a power of
   * two; 0: each has its rows from the start, every so-many-th word.
   *
   * <p>Rows that are much alike are best dealt from the start: no warp waits for an atomic
   * operation, of which one address takes less than one per nanosecond, and neighbouring warps read
   * neighbouring edges. Where there are hubs the rows below them differ a lot as well, and what
   * counts is that no warp has a long word left when the others are done. Pieces of some thousand
   * edges keep that wait short and the atomics few.
   *
   * @param rows of the partition
   * @param edges that are gathered, on both sides
   * @param hubs whether there are hubs
   */
  public int pieceWords(long rows, long edges, boolean hubs) {
    if (pieceEdges < 0 || pieceEdges == 0 && !hubs) {
      return 0;
    }
    long wanted = pieceEdges == 0 ? PIECE_EDGES : pieceEdges;
    long perWord = Math.max(1, edges * DeviceProperties.WARP / Math.max(1, rows));
    return (int) Long.highestOneBit(Math.max(1, Math.min(MAX_PIECE_WORDS, wanted / perWord)));
  }

  /** The same with other constants. */
  public DenseTuning withConstants(int depth, int serialPart, int residentBlocks) {
    return RecordCopy.with(
        this, Map.of("depth", depth, "serialPart", serialPart, "residentBlocks", residentBlocks));
  }

  /** The same with or without lanes that share an edge. */
  public DenseTuning withFeatures(boolean shared) {
    return RecordCopy.with(this, Map.of("features", shared));
  }

  /** The same with pieces of another size. */
  public DenseTuning withPieces(int edges) {
    return RecordCopy.with(this, Map.of("pieceEdges", edges));
  }

  /**
   * By a schedule.
   *
   * @param schedule without a shelf
   */
  public static DenseTuning nested(WalkSchedule schedule) {
    return of(Walk.NESTED, schedule);
  }

  /** The same, with or without loops that the lanes of a warp share. */
  public DenseTuning withTasks(boolean shared) {
    return RecordCopy.with(this, Map.of("tasks", shared));
  }

  /**
   * The same with contexts of costly branches that warps collect.
   *
   * @param together how many run together; 0: none are collected
   */
  public DenseTuning withContexts(int together) {
    return RecordCopy.with(this, Map.of("contexts", together));
  }

  /**
   * The same with contexts that are collected where that is estimated to pay.
   *
   * @param saved instructions that are saved; {@link #NEVER}: nowhere
   */
  public DenseTuning withContextsFrom(long saved) {
    return RecordCopy.with(this, Map.of("contextsFrom", saved));
  }

  /** By segmentation instead, with as many contexts as a warp has lanes. */
  public DenseTuning collecting() {
    return new DenseTuning(
        Walk.SEGMENTATION,
        0,
        0,
        residentBlocks,
        pieceEdges,
        groupWidth,
        schedule,
        false,
        DeviceProperties.WARP,
        CONTEXTS_FROM,
        features,
        hot);
  }

  /** The same with groups of another width. */
  public DenseTuning withGroups(int lanes) {
    return RecordCopy.with(this, Map.of("groupWidth", lanes));
  }

  /** The same with other values of hot vertices near. */
  public DenseTuning withHot(HotVertices other) {
    return RecordCopy.with(this, Map.of("hot", other));
  }
}
