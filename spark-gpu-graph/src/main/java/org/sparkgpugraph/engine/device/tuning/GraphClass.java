package org.sparkgpugraph.engine.device.tuning;

import java.util.Locale;
import java.util.stream.Stream;
import org.sparkgpugraph.engine.DegreeSkew;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.settings.LaunchSize;
import org.sparkgpugraph.graphs.model.Csr;

/**
 * What of a graph's rows decides who walks their edges best, coarsely, so that graphs that are much
 * alike are of one class.
 *
 * @param vertices binary logarithm of the number of rows, rounded down
 * @param degree the same of the mean row's length; 0 for less than 2
 * @param warp whether a row has work for all lanes of a warp: {@link DeviceProperties#WARP} edges
 * @param block whether one has for all threads of a block: {@link LaunchSize#BLOCK} edges
 * @param hubs whether an edge is in a row of at least {@link DegreeSkew#HUBS} times the mean length
 */
public record GraphClass(int vertices, int degree, boolean warp, boolean block, boolean hubs) {
  /**
   * The degrees of one side of a partition.
   *
   * @param rows number of rows
   * @param edges of all
   * @param longest of the longest one
   * @param skew see {@link DegreeSkew}
   */
  public record Degrees(long rows, long edges, int longest, double skew) {
    /** Counts them; needs the offsets. */
    public static Degrees of(Csr rows) {
      int[] offsets = rows.offsets();
      int longest = 0;
      for (int row = 0; row < rows.rows(); row++) {
        longest = Math.max(longest, offsets[row + 1] - offsets[row]);
      }
      return new Degrees(rows.rows(), rows.edges(), longest, DegreeSkew.of(rows));
    }

    /** Those of several sides or partitions. */
    public static Degrees of(Stream<Degrees> sides) {
      return sides.reduce(new Degrees(0, 0, 0, 1), Degrees::with);
    }

    private Degrees with(Degrees other) {
      long both = edges + other.edges;
      return new Degrees(
          rows + other.rows,
          both,
          Math.max(longest, other.longest),
          both == 0 ? 1 : (skew * edges + other.skew * other.edges) / both);
    }
  }

  /** The class of rows with these degrees, of all sides and partitions. */
  public static GraphClass of(Degrees all) {
    return new GraphClass(
        logarithm(all.rows()),
        logarithm(all.edges() / Math.max(1, all.rows())),
        all.longest() >= DeviceProperties.WARP,
        all.longest() >= LaunchSize.BLOCK,
        all.skew() >= DegreeSkew.HUBS);
  }

  private static int logarithm(long number) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, number));
  }

  /** As it stands in files: {@code v20-d3-block-hubs}. */
  String key() {
    return "v"
        + vertices
        + "-d"
        + degree
        + (block ? "-block" : warp ? "-warp" : "")
        + (hubs ? "-hubs" : "");
  }

  /** In words, for reports. */
  @Override
  public String toString() {
    String longest =
        block
            ? "of " + LaunchSize.BLOCK + " edges and more"
            : (warp ? "below " + LaunchSize.BLOCK : "below " + DeviceProperties.WARP) + " edges";
    return String.format(
        Locale.ROOT,
        "2^%d rows of about 2^%d edges, the longest %s, %s",
        vertices,
        degree,
        longest,
        hubs ? "hubs" : "no hubs");
  }
}
