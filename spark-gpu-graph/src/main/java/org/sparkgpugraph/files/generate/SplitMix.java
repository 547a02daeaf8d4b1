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

  /** A bijective mix of 64 bits. */
  static long mix(long value) {
    long z = value;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A uniform weight 1, 2, … 255 for a counter. */
  static double weight(long seed, long counter) {
    // The high product of 32 bits with 255 is uniform but for 2^-24.
    return 1 + (((bits(mix(~seed), counter) >>> 32) * 255) >>> 32);
  }
}
