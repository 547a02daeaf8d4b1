package org.sparkgpugraph.files.generate;

import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.EdgeBlockBuilder;

/**
 * R-MAT, the recursive matrix model of skewed graphs (Chakrabarti, Zhan, Faloutsos: R-MAT: A
 * recursive model for graph mining, SDM 2004), with the parameters of Graph500: a = 0.57, b = c =
 * 0.19, d = 0.05. Ids are scrambled by a bijection, so that a vertex's degree cannot be told from
 * its id. Parallel edges and self-loops occur and are kept.
 *
 * <p>Ids are 0 to 2^scale − 1, of which about half occur in an edge when the edge factor is 16:
 * only these are vertices of a graph that is made from the edges, as if the edges had been read
 * from a file.
 */
public final class RmatGraph extends GeneratedGraph {
  private static final long serialVersionUID = 1L;

  /** Largest scale: 2^36 vertices. */
  public static final int MAX_SCALE = 36;

  /** Cumulated probabilities as fractions of 2^32. */
  private static final long A = probability(0.57);

  private static final long AB = probability(0.76);
  private static final long ABC = probability(0.95);

  private final int scale;
  private final long edges;
  private final long seed;
  private final long mask;
  private final int shift;
  private final long scramble;

  /**
   * Describes a graph.
   *
   * @param scale binary logarithm of the number of ids, 0 to {@value #MAX_SCALE}
   * @param edgeFactor edges per id, at least 1
   * @param seed of the random numbers
   * @throws BadInputException when scale or edge factor are out of range
   */
  public RmatGraph(int scale, int edgeFactor, long seed) {
    if (scale < 0 || scale > MAX_SCALE) {
      throw new BadInputException(
          "the R-MAT scale must be 0 to " + MAX_SCALE + " (2^scale vertices), not " + scale);
    }
    if (edgeFactor < 1 || edgeFactor > 512) {
      throw new BadInputException(
          "the edge factor must be 1 to 512 (edges per vertex), not " + edgeFactor);
    }
    this.scale = scale;
    this.edges = (long) edgeFactor << scale;
    this.seed = SplitMix.mix(seed);
    this.mask = (1L << scale) - 1;
    this.shift = Math.max(1, (scale + 1) / 2);
    this.scramble = SplitMix.mix(this.seed + 1);
  }

  private static long probability(double p) {
    return Math.round(p * (1L << 32));
  }

  @Override
  public long vertices() {
    return 1L << scale;
  }

  @Override
  public long edges() {
    return edges;
  }

  @Override
  long items() {
    return edges;
  }

  @Override
  int edgesPerItem() {
    return 1;
  }

  @Override
  void generate(long item, EdgeBlockBuilder builder) {
    long source = 0;
    long destination = 0;
    long stream = SplitMix.bits(seed, item);
    for (int level = 0; level < scale; level += 2) {
      long bits = SplitMix.bits(stream, level);
      for (int half = level; half < Math.min(scale, level + 2); half++) {
        long draw = bits & 0xFFFFFFFFL;
        bits >>>= 32;
        // Sign bits instead of branches: which quadrant comes next cannot be predicted.
        long lower = (AB - 1 - draw) >>> 63;
        long right = ((A - 1 - draw) >>> 63) - lower + ((ABC - 1 - draw) >>> 63);
        source = source << 1 | lower;
        destination = destination << 1 | right;
      }
    }
    double weight = builder.isWeighted() ? SplitMix.weight(seed, item) : 0;
    builder.add(scrambled(source), scrambled(destination), weight);
  }

  /** A bijection of 0 to 2^scale − 1: every step can be undone within the mask. */
  long scrambled(long id) {
    long x = (id ^ scramble) & mask;
    x = (x * 0x9E3779B97F4A7C15L) & mask;
    x ^= x >>> shift;
    x = (x * 0xBF58476D1CE4E5B9L) & mask;
    x ^= x >>> shift;
    x = (x * 0x94D049BB133111EBL) & mask;
    x ^= x >>> shift;
    return x;
  }

  @Override
  public String toString() {
    return "R-MAT of scale " + scale + ", " + edges + " edges";
  }
}
