package org.sparkgpugraph.engine.device.plan;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.settings.DenseTuning;

/**
 * How many lanes take a row together where rows are taken in waves ({@code sgg/waves.cuh}), by the
 * degrees of a partition's rows. Narrow groups leave few lanes idle at short rows; wide ones read
 * longer pieces of memory at once, and take a long row in fewer rounds. So the widest group is best
 * whose lane efficiency is about that of the most efficient one.
 *
 * <p>Groups of a warp take their rows in step, so that the longest row of each step decides how
 * many rounds it takes: the efficiency is that of the kernel, edges by lanes of all rounds, where
 * every edge counts.
 */
public final class GroupWidth {
  private static final int WARP = DeviceProperties.WARP;

  /** Words of 32 rows that are looked at for a choice. */
  static final int SAMPLE = 4096;

  /** What a wider group may lose of the best efficiency. */
  static final double TOLERANCE = 0.05;

  private final List<int[]> sides;
  private final int words;
  private final int rows;
  private final int hubDegree;
  private final int longRow;

  /** Lanes and edges of some words. */
  private record Rounds(long lanes, long edges) {
    double efficiency() {
      return lanes == 0 ? 1 : (double) edges / lanes;
    }
  }

  /**
   * @param sides offsets of the rows of each side that is gathered, {@code int[rows + 1]}, at least
   *     one
   * @param hubDegree rows with more edges than this on any side are not taken in waves
   * @param longRow rows with at least so many edges are taken by all lanes of a warp
   */
  public GroupWidth(List<int[]> sides, int hubDegree, int longRow) {
    this.sides = List.copyOf(sides);
    this.hubDegree = hubDegree;
    this.longRow = longRow;
    rows = sides.isEmpty() ? 0 : sides.get(0).length - 1;
    words = (int) ((rows + WARP - 1L) / WARP);
  }

  /** The width to take: of {@link DenseTuning#GROUP_WIDTHS}. */
  public int best() {
    int step = step();
    List<Double> efficiencies =
        DenseTuning.GROUP_WIDTHS.stream().map(width -> rounds(width, step).efficiency()).toList();
    double most = efficiencies.stream().mapToDouble(e -> e).max().orElse(1);
    for (int i = efficiencies.size() - 1; i > 0; i--) {
      if (efficiencies.get(i) >= most * (1 - TOLERANCE)) {
        return DenseTuning.GROUP_WIDTHS.get(i);
      }
    }
    return DenseTuning.GROUP_WIDTHS.get(0);
  }

  private int step() {
    return Math.max(1, words / SAMPLE);
  }

  /**
   * Lanes of all rounds over edges that a superstep takes in which every edge counts, hubs left
   * out.
   *
   * @param width lanes of a group
   */
  public long lanes(int width) {
    return rounds(width, 1).lanes();
  }

  private Rounds rounds(int width, int step) {
    long rounds = 0;
    long edges = 0;
    int[] counts = new int[WARP];
    for (long word = 0; word < words; word += step) {
      for (int[] offsets : sides) {
        for (int lane = 0; lane < WARP; lane++) {
          counts[lane] = count(offsets, word * WARP + lane);
          edges += counts[lane];
          if (counts[lane] >= longRow) {
            rounds += divided(counts[lane], WARP);
            counts[lane] = 0;
          }
        }
        for (int j = 0; j < width; j++) {
          int longest = 0;
          for (int row = j; row < WARP; row += width) {
            longest = Math.max(longest, counts[row]);
          }
          rounds += divided(longest, width);
        }
      }
    }
    return new Rounds(rounds * WARP, edges);
  }

  private static long divided(int edges, int lanes) {
    return (edges + lanes - 1L) / lanes;
  }

  private int count(int[] offsets, long row) {
    if (row >= rows) {
      return 0;
    }
    for (int[] side : sides) {
      if (side[(int) row + 1] - side[(int) row] > hubDegree) {
        return 0;
      }
    }
    return offsets[(int) row + 1] - offsets[(int) row];
  }

  /** The lane efficiency of each width, of the rows that are looked at. */
  @Override
  public String toString() {
    int step = step();
    return DenseTuning.GROUP_WIDTHS.stream()
        .map(
            width ->
                String.format(Locale.ROOT, "%d: %.3f", width, rounds(width, step).efficiency()))
        .collect(Collectors.joining(", ", "lane efficiency by width ", ""));
  }
}
