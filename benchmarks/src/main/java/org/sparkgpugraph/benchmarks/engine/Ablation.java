package org.sparkgpugraph.benchmarks.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.LaneUse;

/**
 * What each of a device engine's techniques is worth: the same workloads with one after the other
 * added, or put in place of another. A table in Markdown, times in ms: PageRank of an iteration,
 * others of a run; behind them lane efficiency and packing factor ({@link LaneUse}), where they are
 * counted.
 */
final class Ablation {
  private static final TileSettings TILES = TileSettings.DEFAULT.withForm(TileSettings.Form.TILES);

  private static final AsyncSettings BUCKETS =
      AsyncSettings.DEFAULT.withTiles(TileSettings.DEFAULT.withForm(TileSettings.Form.BUCKETS));

  /** Which techniques are compared. */
  enum Part {
    /** Ways to gather all rows. */
    KERNELS,
    /** Ways to choose what a superstep walks. */
    SUPERSTEPS,
    /** Widths of a bucket of shortest paths. */
    BUCKETS,
    /** Searches without supersteps. */
    ASYNC,

    /** Searches without supersteps, by blocks that own tiles. */
    TILES,
    /** Who walks the edges of active vertices. */
    NESTED,
    /** Who walks the edges of rows. */
    ROWS,
    /** Loops of as many rounds as vertices say. */
    LOOPS,
    /** Costly branches that some edges take. */
    CONTEXTS;

    String title() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One way to run.
   *
   * @param title what it is
   * @param dense how all rows are gathered
   * @param kernel what supersteps walk
   * @param hoists whether values of a vertex are computed once per vertex
   * @param push how supersteps push
   */
  record Row(
      Part part,
      String title,
      DenseKernel dense,
      KernelChoice kernel,
      boolean hoists,
      PushSettings push) {
    /** Whether a workload tells anything of this row, in a time that is worth it. */
    boolean covers(Workload workload, boolean lattice) {
      return switch (part) {
        case KERNELS, ROWS ->
            workload.iterates() && !workload.isMadeUp() || !lattice && searches(workload);
        case SUPERSTEPS, ASYNC, TILES, NESTED -> searches(workload);
        case BUCKETS -> workload == Workload.SSSP;
        case LOOPS -> workload == Workload.LOOPS;
        case CONTEXTS -> workload.every() > 0;
      };
    }

    private static boolean searches(Workload workload) {
      return workload == Workload.BFS || workload == Workload.SSSP;
    }
  }

  /** No row is a hub. */
  private static final String NO_HUBS = "/hub=" + Integer.MAX_VALUE;

  /** Every row is taken by one group of lanes. */
  private static final String ONE_GROUP = NO_HUBS + "/serial=" + Integer.MAX_VALUE;

  /** Rows are streamed, other ends read in the order of ids. */
  private static final String STREAM = "stream/hot=-1";

  private final List<Row> rows;
  private final List<String> columns = new ArrayList<>();
  private final Map<Row, Map<String, String>> cells = new LinkedHashMap<>();

  Ablation(Collection<Part> parts) {
    rows = parts.stream().flatMap(Ablation::rows).toList();
    rows.forEach(row -> cells.put(row, new LinkedHashMap<>()));
  }

  List<Row> rows() {
    return rows;
  }

  private static Stream<Row> rows(Part part) {
    return switch (part) {
      case KERNELS ->
          Stream.of(
              kernel("a thread per vertex", "lanes1", false),
              kernel("virtual warps of 2 lanes", "lanes2", false),
              kernel("… of 4", "lanes4", false),
              kernel("… of 8", "lanes8", false),
              kernel("… of 16", "lanes16", false),
              kernel("… of 32", "lanes32", false),
              kernel("waves: groups of 32 lanes, rows in waves", "waves32" + ONE_GROUP, false),
              kernel("… of 16", "waves16" + ONE_GROUP, false),
              kernel("… of 8", "waves8" + ONE_GROUP, false),
              kernel("… of 4", "waves4" + ONE_GROUP, false),
              kernel("… of as many as degrees say", "waves" + ONE_GROUP, false),
              kernel("… and long rows by warps", "waves" + NO_HUBS, false),
              kernel("… and hubs by several", "waves", false),
              kernel("warp segmentation", "segmentation" + NO_HUBS, false),
              kernel("… and warps for hubs", "segmentation", false),
              kernel("streamed rows", STREAM + "/piece=-1" + NO_HUBS, false),
              kernel("… and warps for hubs, in the same launch", STREAM + "/piece=-1", false),
              kernel("… and rows in pieces where there are hubs", STREAM, false),
              kernel("… and what depends on one end alone hoisted", STREAM, true),
              kernel("… and other ends read by rank, none near", "stream/hot=0", true),
              kernel("… and hot vertices in shared memory", "stream/hot", true));
      case NESTED ->
          WalkSchedule.all().stream()
              .flatMap(schedule -> Stream.of(schedule, schedule.withShelf(true)))
              .map(
                  schedule ->
                      new Row(
                          part,
                          schedule.title(),
                          DenseKernel.of("stream"),
                          KernelChoice.OUTLINED,
                          true,
                          PushSettings.DEFAULT.withSchedule(schedule)));
      case ROWS ->
          WalkSchedule.all().stream()
              .map(
                  schedule ->
                      dense(part, schedule.title(), "nested-" + schedule.title() + NO_HUBS, false));
      case LOOPS ->
          Stream.of(
              dense(part, "a lane per row, streamed", "stream"),
              dense(part, "a lane per edge", "segmentation"),
              dense(part, "… and all lanes of a warp share its loops", "segmentation/tasks=1"),
              dense(part, "groups of lanes per row", "waves"),
              dense(part, "… and all lanes of a warp share their loops", "waves/tasks=1"));
      case CONTEXTS ->
          Stream.of(
              dense(part, "a lane per row, streamed", "stream"),
              dense(part, "a lane per edge", "segmentation"),
              dense(part, "… contexts kept, and run in the same round", "segmentation/contexts=1"),
              dense(part, "… when there are 8", "segmentation/contexts=8"),
              dense(part, "… 16", "segmentation/contexts=16"),
              dense(part, "… 32, for all lanes", "segmentation/contexts=32"));
      case SUPERSTEPS ->
          Stream.of(
              supersteps(part, "dense only", KernelChoice.DENSE),
              supersteps(part, "sparse only (pulled)", KernelChoice.SPARSE),
              supersteps(part, "pushed, a launch for each", KernelChoice.PUSH),
              supersteps(part, "pushed, many in a launch", KernelChoice.OUTLINED),
              supersteps(part, "chosen by the planner", KernelChoice.AUTO));
      case BUCKETS ->
          Stream.of(0, 1, 4, 16, 32, 64)
              .map(
                  width ->
                      new Row(
                          part,
                          width == 0 ? "nothing put off" : "buckets of " + width + " edge values",
                          DenseKernel.of("stream"),
                          KernelChoice.AUTO,
                          true,
                          bucket(width)));
      case ASYNC ->
          Stream.concat(
              Stream.of(
                  supersteps(part, "pushed, many in a launch", KernelChoice.OUTLINED),
                  async("without supersteps", BUCKETS),
                  async("… 4 items kept", BUCKETS.withKeep(4)),
                  async("… 8 items kept", BUCKETS.withKeep(8)),
                  async("… 64 items kept", BUCKETS.withKeep(64)),
                  async("… half the blocks", BUCKETS.withBlocks(265)),
                  async("… from a 16th of the width", BUCKETS.withWidth(2, true)),
                  async("… from 16 times the width", BUCKETS.withWidth(512, true))),
              Stream.of(2, 8, 32, 128, 512, 2048, 8192)
                  .flatMap(
                      width ->
                          Stream.of(1, 2, 4)
                              .map(
                                  taken ->
                                      async(
                                          "… width " + width + " fixed, from " + taken,
                                          BUCKETS.withWidth(width, false).withTaken(taken)))));
      case TILES ->
          Stream.concat(
              Stream.of(
                  supersteps(part, "pushed, many in a launch", KernelChoice.OUTLINED),
                  tiles("by owners of tiles", TILES),
                  tiles("… blocks of 256 threads", TILES.withBlocks(0, 256)),
                  tiles("… tiles of 256 vertices", TILES.withTiles(256)),
                  tiles("… tiles of 4096 vertices", TILES.withTiles(4096))),
              Stream.of(2, 8, 16, 24, 48, 64, 128, 1024)
                  .map(width -> tiles("… width " + width, TILES.withWidth(width))));
    };
  }

  private static PushSettings bucket(double width) {
    PushSettings defaults = PushSettings.DEFAULT;
    return new PushSettings(
        defaults.share(), defaults.blockWork(), defaults.threadWork(), width, defaults.rounds());
  }

  private static Row tiles(String title, TileSettings how) {
    return relaxing(Part.TILES, title, AsyncSettings.DEFAULT.withTiles(how));
  }

  private static Row async(String title, AsyncSettings how) {
    return relaxing(Part.ASYNC, title, how);
  }

  private static Row relaxing(Part part, String title, AsyncSettings how) {
    return new Row(
        part,
        title,
        DenseKernel.of("stream"),
        KernelChoice.ASYNC,
        true,
        PushSettings.DEFAULT.withAsync(how));
  }

  private static Row kernel(String title, String dense, boolean hoists) {
    return dense(Part.KERNELS, title, dense, hoists);
  }

  private static Row dense(Part part, String title, String dense) {
    return dense(part, title, dense, true);
  }

  private static Row dense(Part part, String title, String dense, boolean hoists) {
    return new Row(
        part, title, DenseKernel.of(dense), KernelChoice.DENSE, hoists, PushSettings.DEFAULT);
  }

  private static Row supersteps(Part part, String title, KernelChoice kernel) {
    return new Row(part, title, DenseKernel.of("stream"), kernel, true, PushSettings.DEFAULT);
  }

  /** Adds what was measured. */
  void add(Row row, String graph, WorkloadRuns measured) {
    boolean timed = !Double.isNaN(measured.deviceNanos());
    double nanos =
        measured.workload().iterates()
            ? measured.stepNanos()
            : timed ? measured.deviceNanos() : measured.wallNanos();
    String text = String.format(Locale.ROOT, "%.3f", nanos / 1e6);
    if (!measured.workload().iterates()) {
      text +=
          String.format(
              Locale.ROOT,
              " (%d supersteps, %.1f M edges)",
              measured.summary().iterations(),
              measured.summary().edgesEvaluated() / 1e6);
    }
    LaneUse lanes = measured.summary().lanes();
    if (lanes.edgeLanes() > 0) {
      text +=
          String.format(
              Locale.ROOT, " · %.0f %% / %.0f %%", 100 * lanes.efficiency(), 100 * lanes.packing());
    }
    if (measured.difference() != null) {
      text = "WRONG: " + measured.difference();
    }
    put(row, graph, measured.workload(), text);
  }

  /** Adds that a row could not be measured. */
  void failed(Row row, String graph, Workload workload, String why) {
    put(row, graph, workload, "failed: " + why);
  }

  private void put(Row row, String graph, Workload workload, String text) {
    String column = graph + " " + workload.title();
    if (!columns.contains(column)) {
      columns.add(column);
    }
    cells.get(row).put(column, text);
  }

  /** A table for each part, in Markdown. */
  String markdown() {
    StringBuilder text = new StringBuilder();
    for (Part part : Part.values()) {
      List<Row> own = rows.stream().filter(row -> row.part() == part).toList();
      List<String> used =
          columns.stream()
              .filter(c -> own.stream().anyMatch(row -> cells.get(row).containsKey(c)))
              .toList();
      if (!used.isEmpty()) {
        line(text, part.title(), used);
        line(text, "---", used.stream().map(c -> "---").toList());
        own.forEach(
            row ->
                line(
                    text,
                    row.title(),
                    used.stream().map(c -> cells.get(row).getOrDefault(c, "")).toList()));
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String first, List<String> others) {
    text.append("| ")
        .append(Stream.concat(Stream.of(first), others.stream()).collect(Collectors.joining(" | ")))
        .append(" |\n");
  }
}
