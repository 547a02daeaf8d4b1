package org.sparkgpugraph.algorithm.support;

/**
 * The finaliser of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
 * OOPSLA 2014): a bijection of 64 bits that looks random. Liftable.
 */
public final class Mixing {
  private Mixing() {}

  public static long mix(long value) {
    long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A number for an id that depends on a seed; distinct ids have distinct numbers. */
  public static long mix(long id, long seed) {
    return mix(id ^ mix(seed + 0x9E3779B97F4A7C15L));
  }
}
