package org.sparkgpugraph.files.generate;

import java.util.Arrays;
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

  /** Items that are made side by side: what is known of them stays in a core's first cache. */
  private static final int LANES = 512;

  @Override
  void generate(long first, long step, int count, EdgeBlockBuilder builder) {
    int lanes = Math.min(LANES, count);
    Lanes made = new Lanes(lanes);
    long weights = SplitMix.weights(seed);
    for (int done = 0; done < count; done += lanes) {
      int size = Math.min(lanes, count - done);
      long item = first + done * step;
      made.make(item, step, size);
      for (int i = 0; i < size; i++) {
        double weight = builder.isWeighted() ? SplitMix.weight(weights, item + i * step) : 0;
        builder.add(made.sources[i], made.destinations[i], weight);
      }
    }
  }

  /**
   * The ends of some edges, level by level. The loops are as short as they are for the JVM to make
   * them of vector instructions, five times as fast as edge by edge.
   */
  private final class Lanes {
    private final long[] streams;
    private final long[] bits;
    private final long[] sources;
    private final long[] destinations;

    Lanes(int size) {
      streams = new long[size];
      bits = new long[size];
      sources = new long[size];
      destinations = new long[size];
    }

    void make(long first, long step, int size) {
      for (int i = 0; i < size; i++) {
        streams[i] = SplitMix.bits(seed, first + i * step);
      }
      Arrays.fill(sources, 0);
      Arrays.fill(destinations, 0);
      for (int level = 0; level < scale; level += 2) {
        SplitMix.bits(streams, level, bits, size);
        // Two levels take a half of them each.
        for (int half = level; half < Math.min(scale, level + 2); half++) {
          int shift = Integer.SIZE * (half - level);
          lower(bits, shift, sources, size);
          right(bits, shift, destinations, size);
        }
      }
      scramble(sources, size);
      scramble(destinations, size);
    }

    private void scramble(long[] ids, int size) {
      for (int i = 0; i < size; i++) {
        ids[i] = scrambled(ids[i]);
      }
    }
  }

  // Sign bits instead of branches: which quadrant comes next cannot be predicted.

  /** Whether the next quadrant is a lower one. */
  private static void lower(long[] bits, int shift, long[] sources, int size) {
    for (int i = 0; i < size; i++) {
      long draw = bits[i] >>> shift & 0xFFFFFFFFL;
      sources[i] = sources[i] << 1 | (AB - 1 - draw) >>> 63;
    }
  }

  /** Whether it is one on the right. */
  private static void right(long[] bits, int shift, long[] destinations, int size) {
    for (int i = 0; i < size; i++) {
      long draw = bits[i] >>> shift & 0xFFFFFFFFL;
      long lower = (AB - 1 - draw) >>> 63;
      long right = ((A - 1 - draw) >>> 63) - lower + ((ABC - 1 - draw) >>> 63);
      destinations[i] = destinations[i] << 1 | right;
    }
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
