package org.sparkgpugraph.engine.device.tuning;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.device.kernels.ProgramKernels;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ir.ColumnType;

/**
 * The ways that a program may take for a part of a run with the same result, to the bit. The first
 * one is the default.
 *
 * @param ways at least the default
 * @param obstacle why there is no other one; empty where there is
 */
public record Candidates(List<Candidate> ways, String obstacle) {
  /** Edges of the pieces that warps take, besides those of the policy; −1: no pieces. */
  private static final List<Integer> PIECES = List.of(-1, 1024, 16384);

  public Candidates {
    ways = List.copyOf(ways);
  }

  /** Whether there is a choice. */
  public boolean several() {
    return ways.size() > 1;
  }

  /**
   * Ways to gather all rows. Messages of a row are merged in another order by each walk, so only
   * merges whose order does not show get another one; the pieces in which warps take rows leave the
   * order of a row's messages as it is.
   */
  public static Candidates rows(
      LiftedProgram program, ProgramKernels kernels, DeviceSettings settings, GraphClass graph) {
    String obstacle = obstacleOfRows(program, kernels, settings);
    List<Candidate> ways = new ArrayList<>(List.of(ofRows(settings)));
    if (obstacle.isEmpty()) {
      PIECES.forEach(edges -> ways.add(Candidate.of(DenseTuning.DEFAULT.withPieces(edges))));
      if (isExact(program)) {
        ways.add(Candidate.of(DenseTuning.SEGMENTATION));
        ways.add(Candidate.of(DenseTuning.WAVES));
        // A list for each warp and nothing else is warp segmentation.
        schedules(graph)
            .filter(schedule -> !schedule.equals(WalkSchedule.DEFAULT))
            .forEach(schedule -> ways.add(Candidate.of(DenseTuning.nested(schedule))));
      }
    }
    return new Candidates(ways, obstacle);
  }

  private static Candidate ofRows(DeviceSettings settings) {
    return settings.virtualWarp() == 0
        ? Candidate.of(settings.tuning())
        : new Candidate("lanes" + settings.virtualWarp(), settings.tuning(), null);
  }

  private static String obstacleOfRows(
      LiftedProgram program, ProgramKernels kernels, DeviceSettings settings) {
    if (settings.tuning().contexts() > 0) {
      return "warps collect contexts of a costly branch";
    }
    if (settings.virtualWarp() != 0 || !settings.tuning().equals(DenseTuning.DEFAULT)) {
      return "spark.gpugraph.denseKernel says how rows are gathered";
    }
    if (program.mergesByMode()) {
      return "the most frequent message is found in one way only";
    }
    if (program.phased()) {
      return "supersteps are of several kinds";
    }
    if (kernels.permissive()) {
      return "borders between devices move";
    }
    if (kernels.sharedEdges() > 0) {
      return "lanes share the arrays of an edge";
    }
    return program.aggregates().stream().allMatch(Candidates::isExact)
        ? ""
        : "sums of aggregates show in which order rows are gathered";
  }

  /** Who may walk the edges of active vertices; atomic operations merge in any order anyway. */
  public static Candidates pushes(
      ProgramKernels kernels, DeviceSettings settings, GraphClass graph) {
    String obstacle = obstacleOfPushes(kernels, settings);
    List<Candidate> ways = new ArrayList<>(List.of(Candidate.of(settings.push().schedule())));
    if (obstacle.isEmpty()) {
      schedules(graph)
          .flatMap(schedule -> Stream.of(schedule, schedule.withShelf(true)))
          .filter(schedule -> !schedule.equals(WalkSchedule.DEFAULT))
          .forEach(schedule -> ways.add(Candidate.of(schedule)));
    }
    return new Candidates(ways, obstacle);
  }

  private static String obstacleOfPushes(ProgramKernels kernels, DeviceSettings settings) {
    if (kernels.pushing().isEmpty()) {
      return "this program never pushes";
    }
    if (kernels.pushing().get().mode().isProgram()) {
      return "messages are merged by the program's own function";
    }
    return settings.push().schedule().equals(WalkSchedule.DEFAULT)
        ? ""
        : "who walks edges is forced";
  }

  /** Those for which the longest row is long enough. */
  private static Stream<WalkSchedule> schedules(GraphClass graph) {
    return WalkSchedule.all().stream()
        .filter(schedule -> graph.block() || !schedule.block())
        .filter(schedule -> graph.warp() || !schedule.warp());
  }

  /** Whether messages give the same bits in whatever order they are merged. */
  private static boolean isExact(LiftedProgram program) {
    List<MergeAlgebra> merge = program.traits().merge();
    List<ColumnType> columns = program.message().columns();
    if (merge.size() != columns.size()) {
      return false;
    }
    for (int c = 0; c < merge.size(); c++) {
      boolean sum = merge.get(c) == MergeAlgebra.SUM && columns.get(c).kind().isIntegral();
      if (!sum && !merge.get(c).isPushable()) {
        return false;
      }
    }
    return true;
  }

  private static boolean isExact(Aggregate aggregate) {
    return switch (aggregate.operation()) {
      case SUM -> false;
      case MIN, MAX -> true;
    };
  }
}
