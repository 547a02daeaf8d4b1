package org.sparkgpugraph.engine.device.settings;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * Vertex grouping (Khorasani 2016, section 3.4): a transpose in which every row and every neighbour
 * stands for 2, 4, 32 or 64 consecutive vertices. A group has another one as a neighbour, once,
 * when any of its vertices has a neighbour there. It is smaller and it activates more rows than
 * needed, never fewer; ratios 8 and 16 are left out because 32 and 64, which make a whole warp
 * active or not, do better.
 */
public final class VertexGrouping {
  /** The ratios, ascending. */
  public static final List<Integer> RATIOS = List.of(1, 2, 4, 32, 64);

  private VertexGrouping() {}

  /** The binary logarithm of a ratio. */
  public static int shift(int ratio) {
    return Integer.numberOfTrailingZeros(ratio);
  }

  /** Number of groups of so many vertices. */
  public static int groups(int vertices, int shift) {
    return (int) ((vertices + (1L << shift) - 1) >>> shift);
  }

  /**
   * Groups a transpose.
   *
   * @param transpose held and ghost vertices → held rows
   * @param targets number of held rows
   * @param shift binary logarithm of the ratio; 0 returns the transpose as it is
   * @return groups → groups, a row's neighbours ascending, each once
   */
  public static Csr group(Csr transpose, int targets, int shift) {
    if (shift == 0) {
      return transpose;
    }
    int groups = groups(transpose.rows(), shift);
    int parts = Math.min(groups, 4 * Runtime.getRuntime().availableProcessors());
    int[] offsets = new int[groups + 1];
    // Each part stamps int[groups of targets] of its own: as many at a time as there are threads.
    int[][] neighbours = new int[parts][];
    IntStream.range(0, parts)
        .parallel()
        .forEach(
            part -> {
              int from = (int) ((long) groups * part / parts);
              int to = (int) ((long) groups * (part + 1) / parts);
              neighbours[part] = groupRows(transpose, targets, shift, from, to, offsets);
            });
    long edges = 0;
    for (int g = 0; g < groups; g++) {
      edges += offsets[g + 1];
      offsets[g + 1] = (int) edges;
    }
    int[] all = new int[(int) edges];
    int at = 0;
    for (int[] some : neighbours) {
      System.arraycopy(some, 0, all, at, some.length);
      at += some.length;
    }
    return new Csr(offsets, all);
  }

  /** Neighbours of the groups [from, to); leaves the length of group g's row in counts[g + 1]. */
  private static int[] groupRows(
      Csr transpose, int targets, int shift, int from, int to, int[] counts) {
    int[] offsets = transpose.offsets();
    int[] neighbours = new int[0];
    int[] seen = new int[groups(targets, shift)];
    int[] found = new int[64];
    int count = 0;
    for (int g = from; g < to; g++) {
      int first = count;
      int begin = offsets[(int) Math.min((long) g << shift, transpose.rows())];
      int end = offsets[(int) Math.min((g + 1L) << shift, transpose.rows())];
      neighbours = neighbours.length < end - begin ? new int[end - begin] : neighbours;
      transpose.neighbours(begin, end - begin, neighbours, 0);
      for (int e = 0; e < end - begin; e++) {
        int target = neighbours[e] >>> shift;
        // Stamps start at 1: a fresh array says that nobody has seen the target.
        if (seen[target] != g - from + 1) {
          seen[target] = g - from + 1;
          if (count == found.length) {
            found = Arrays.copyOf(found, (int) Math.min(2L * count, Integer.MAX_VALUE - 8L));
          }
          found[count++] = target;
        }
      }
      Arrays.sort(found, first, count);
      counts[g + 1] = count - first;
    }
    return Arrays.copyOf(found, count);
  }
}
