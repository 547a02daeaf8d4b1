package org.sparkgpugraph.exchange;

import java.util.Arrays;

/** A bit for each of some updates, in longs from the lowest bit on, 64 at a time. */
final class FlagBits {
  private FlagBits() {}

  /** Number of bits that are set in {@code [from, to)}. */
  static int count(long[] words, int from, int to) {
    int sum = 0;
    int at = from;
    for (; to - at >= 64; at += 64) {
      sum += Long.bitCount(at(words, at));
    }
    return to == at ? sum : sum + Long.bitCount(at(words, at) << (at - to));
  }

  /** The 64 bits from {@code bit} on; those behind the array are 0. */
  static long at(long[] words, int bit) {
    int word = bit >>> 6;
    long low = words[word] >>> bit;
    return (bit & 63) == 0 || word + 1 == words.length ? low : low | words[word + 1] << -bit;
  }

  /** Writes the bits {@code [from, from + count)}. */
  static void write(long[] words, int from, int count, RecordWriter out) {
    int done = 0;
    for (; count - done >= 64; done += 64) {
      out.i64(at(words, from + done));
    }
    if (done < count) {
      out.low(at(words, from + done) & -1L >>> (done - count), (count - done + 7) >>> 3);
    }
  }

  /** Reads {@code count} bits; those behind them in the last byte are dropped. */
  static long[] read(int count, RecordReader in) {
    long[] words = new long[(int) ((count + 63L) >>> 6)];
    in.require(RecordWriter.bitBytes(count, 1));
    int whole = count >>> 6;
    for (int w = 0; w < whole; w++) {
      words[w] = in.i64();
    }
    if (whole < words.length) {
      int rest = count & 63;
      words[whole] = in.low((rest + 7) >>> 3) & -1L >>> -rest;
    }
    return words;
  }

  /** The same bit for all. */
  static long[] uniform(int count, boolean set) {
    long[] words = new long[(int) ((count + 63L) >>> 6)];
    if (set) {
      Arrays.fill(words, -1);
    }
    return words;
  }
}
