package org.sparkgpugraph.files.generate;

/**
 * Counter-based random bits: the finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable
 * pseudorandom number generators, OOPSLA 2014) over a counter. A value depends on seed and counter
 * alone, so a generated graph does not depend on its partitions.
 */
final class SplitMix {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  private SplitMix() {}

  /** 64 random bits for a counter. */
  static long bits(long seed, long counter) {
    return mix(seed + (counter + 1) * GOLDEN_GAMMA);
  }

  /** 64 random bits of each of some seeds for a counter. */
  static void bits(long[] seeds, long counter, long[] into, int size) {
    long added = (counter + 1) * GOLDEN_GAMMA;
    for (int i = 0; i < size; i++) {
      into[i] = mix(seeds[i] + added);
    }
  }

  /** A bijective mix of 64 bits. */
  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** The seed of the weights of a graph with a seed. */
  static long weights(long seed) {
    return mix(~seed);
  }

  /**
   * A uniform weight 1, 2, … 255 for a counter.
   *
   * @param weights seed of the {@linkplain #weights weights}
   */
  static double weight(long weights, long counter) {
    // The high product of 32 bits with 255 is uniform but for 2^-24.
    return 1 + (((bits(weights, counter) >>> 32) * 255) >>> 32);
  }
}
