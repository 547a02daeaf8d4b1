package org.sparkgpugraph.engine.intersect;

import java.util.Arrays;

/**
 * Counts for each hub in how many of many bitmaps it is, without a look at the single bits: digit k
 * of the counts of 64 hubs stands in one word, and seven bitmaps at a time become three digits,
 * which are added (Harley and Seal's carry-save adders; Muła, Kurz and Lemire 2018, "Faster
 * population counts using AVX2 instructions"). The loops go over arrays from the same index on, so
 * that the JVM makes vector instructions of them.
 */
final class HubCounts {
  private static final int INPUTS = 7;

  /** Digits of the counts, after which they are added to the sums. */
  private static final int DIGITS = 12;

  /** Bytes of all of it. */
  static final int BYTES =
      Long.BYTES * (INPUTS + DIGITS) * HubBitmaps.WORDS + Integer.BYTES * HubBitmaps.HUBS;

  private final long[][] inputs = new long[INPUTS][HubBitmaps.WORDS];
  private final long[][] digits = new long[DIGITS][HubBitmaps.WORDS];
  private final int[] sums = new int[HubBitmaps.HUBS];
  private int waiting;
  private int counted;

  /** The words of the next bitmap, all of which are to be written before {@link #count}. */
  long[] next() {
    return inputs[waiting];
  }

  /** Counts the bitmap that {@link #next} was written with. */
  void count() {
    if (++waiting == INPUTS) {
      add();
    }
  }

  private void add() {
    waiting = 0;
    save(inputs[0], inputs[1], inputs[2], inputs[3], inputs[4], inputs[5], inputs[6]);
    add(inputs[0], inputs[1], inputs[2], digits[0], digits[1], digits[2]);
    carry(inputs[0], digits[3], digits[4], digits[5]);
    carry(inputs[0], digits[6], digits[7], digits[8]);
    carry(inputs[0], digits[9], digits[10], digits[11]);
    counted += INPUTS;
    if (counted + INPUTS >= 1 << DIGITS) {
      flush();
    }
  }

  /** Of seven numbers of one digit the sum, of three, in place of the first ones. */
  private static void save(long[] a, long[] b, long[] c, long[] d, long[] e, long[] f, long[] g) {
    for (int k = 0; k < HubBitmaps.WORDS; k++) {
      long ab = a[k] ^ b[k];
      long abc = ab ^ c[k];
      long twoAbc = a[k] & b[k] | ab & c[k];
      long de = d[k] ^ e[k];
      long def = de ^ f[k];
      long twoDef = d[k] & e[k] | de & f[k];
      long six = abc ^ def;
      long twoAll = abc & def | six & g[k];
      long twos = twoAbc ^ twoDef;
      a[k] = six ^ g[k];
      b[k] = twos ^ twoAll;
      c[k] = twoAbc & twoDef | twos & twoAll;
    }
  }

  /** Adds a number of three digits to the first three; what is carried is in place of its first. */
  private static void add(long[] a, long[] b, long[] c, long[] one, long[] two, long[] four) {
    for (int k = 0; k < HubBitmaps.WORDS; k++) {
      long carried = one[k] & a[k];
      one[k] ^= a[k];
      long twos = two[k] ^ b[k];
      long twice = two[k] & b[k] | twos & carried;
      two[k] = twos ^ carried;
      long fours = four[k] ^ c[k];
      a[k] = four[k] & c[k] | fours & twice;
      four[k] = fours ^ twice;
    }
  }

  /** Adds what is carried to the next three digits. */
  private static void carry(long[] carried, long[] first, long[] second, long[] third) {
    for (int k = 0; k < HubBitmaps.WORDS; k++) {
      long a = first[k] & carried[k];
      first[k] ^= carried[k];
      long b = second[k] & a;
      second[k] ^= a;
      carried[k] = third[k] & b;
      third[k] ^= b;
    }
  }

  /** Adds digits to the sums. */
  private void flush() {
    for (int digit = 0; digit < DIGITS; digit++) {
      for (int k = 0; k < HubBitmaps.WORDS; k++) {
        for (long bits = digits[digit][k]; bits != 0; bits &= bits - 1) {
          sums[(k << 6) + Long.numberOfTrailingZeros(bits)] += 1 << digit;
        }
      }
      Arrays.fill(digits[digit], 0);
    }
    counted = 0;
  }

  /** In how many bitmaps each hub was. */
  int[] sums() {
    while (waiting > 0) {
      Arrays.fill(next(), 0);
      count();
    }
    flush();
    return sums;
  }
}
