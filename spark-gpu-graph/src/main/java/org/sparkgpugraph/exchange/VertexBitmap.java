package org.sparkgpugraph.exchange;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A set of local vertex indexes as a bitmap of two levels: one bit per vertex, and a summary of one
 * bit per word that is set when the word may have a bit set. A nearly empty set over millions of
 * vertices is scanned and cleared through the summary, in time near the number of its members.
 *
 * <p>The arrays are public to generated code and scanning loops, which must keep the invariant: a
 * word that is not zero has its summary bit set (see {@link #summarise}).
 */
public final class VertexBitmap {
  /** Vertices that one summary word covers. */
  public static final int SUMMARY_SPAN = 64 * 64;

  private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

  /** Bit {@code v & 63} of word {@code v >>> 6} is vertex v. */
  public final long[] words;

  /** Bit {@code w & 63} of word {@code w >>> 6} is word w. */
  public final long[] summary;

  private final int size;

  /** An empty set over {@code [0, size)}. */
  public VertexBitmap(int size) {
    this.size = size;
    words = new long[(int) ((size + 63L) >>> 6)];
    summary = new long[(words.length + 63) >>> 6];
  }

  /** Number of vertices that the set ranges over. */
  public int size() {
    return size;
  }

  /** Bytes of both levels. */
  public long bytes() {
    return 8L * (words.length + summary.length);
  }

  /** Bytes of a bitmap over {@code size} vertices. */
  public static long bytes(long size) {
    long words = (size + 63) >>> 6;
    return 8 * (words + ((words + 63) >>> 6));
  }

  /** Number of summary words that cover the first {@code count} vertices. */
  public static int summaryWords(int count) {
    return (int) ((count + (SUMMARY_SPAN - 1L)) / SUMMARY_SPAN);
  }

  /** Whether a vertex is in the set. */
  public boolean contains(int vertex) {
    return (words[vertex >>> 6] >>> vertex & 1) != 0;
  }

  /** Adds a vertex; one thread at a time. */
  public void add(int vertex) {
    int word = vertex >>> 6;
    words[word] |= 1L << vertex;
    summary[word >>> 6] |= 1L << word;
  }

  /** Removes a vertex; one thread at a time. The summary stays as it is. */
  public void remove(int vertex) {
    words[vertex >>> 6] &= ~(1L << vertex);
  }

  /**
   * Adds a vertex, also while other threads add and remove. It and {@link #removeShared} access the
   * set as volatile does: who changes something by a volatile write and then adds its vertex, and
   * who removes the vertex and then reads by a volatile read, miss nothing of each other.
   */
  public void addShared(int vertex) {
    int word = vertex >>> 6;
    long bit = 1L << vertex;
    if (((long) LONGS.getVolatile(words, word) & bit) == 0
        && (long) LONGS.getAndBitwiseOr(words, word, bit) == 0) {
      LONGS.getAndBitwiseOr(summary, word >>> 6, 1L << word);
    }
  }

  /** Removes a vertex, also while other threads add and remove; the summary stays as it is. */
  public void removeShared(int vertex) {
    int word = vertex >>> 6;
    long bit = 1L << vertex;
    if (((long) LONGS.getVolatile(words, word) & bit) != 0) {
      LONGS.getAndBitwiseAnd(words, word, ~bit);
    }
  }

  /** Adds all of {@code [from, to)}. */
  public void addRange(int from, int to) {
    for (int v = from; v < to; ) {
      int word = v >>> 6;
      int end = (int) Math.min(to, (word + 1L) << 6);
      long mask = -1L << v;
      if ((end & 63) != 0) {
        mask &= (1L << end) - 1;
      }
      words[word] |= mask;
      summary[word >>> 6] |= 1L << word;
      v = end;
    }
  }

  /** Adds the members of another set of the same size or a smaller one. */
  public void addAll(VertexBitmap other) {
    for (int s = 0; s < other.summary.length; s++) {
      long bits = other.summary[s];
      summary[s] |= bits;
      for (; bits != 0; bits &= bits - 1) {
        int w = (s << 6) + Long.numberOfTrailingZeros(bits);
        words[w] |= other.words[w];
      }
    }
  }

  /** Removes everything, in time near the number of words that are not zero. */
  public void clear() {
    clear(0, summary.length);
  }

  /** Removes what summary words {@code [from, to)} cover, likewise. */
  public void clear(int from, int to) {
    for (int s = from; s < to; s++) {
      long bits = summary[s];
      if (bits != 0) {
        while (bits != 0) {
          words[(s << 6) + Long.numberOfTrailingZeros(bits)] = 0;
          bits &= bits - 1;
        }
        summary[s] = 0;
      }
    }
  }

  /** Removes everything without a look at the summary. */
  public void clearAll() {
    Arrays.fill(words, 0);
    Arrays.fill(summary, 0);
  }

  /** Makes the summary right after words were written without it. */
  public void summarise() {
    summarise(0, summary.length);
  }

  /** Makes summary words {@code [from, to)} right. */
  public void summarise(int from, int to) {
    for (int s = from; s < to; s++) {
      long bits = 0;
      int end = Math.min(words.length, (s + 1) << 6);
      for (int w = s << 6; w < end; w++) {
        if (words[w] != 0) {
          bits |= 1L << w;
        }
      }
      summary[s] = bits;
    }
  }

  /** Number of members, in time near it; only with the summary right. */
  public int members() {
    int count = 0;
    for (int s = 0; s < summary.length; s++) {
      count += count(s);
    }
    return count;
  }

  private int count(int summaryWord) {
    int count = 0;
    for (long bits = summary[summaryWord]; bits != 0; bits &= bits - 1) {
      count += Long.bitCount(words[(summaryWord << 6) + Long.numberOfTrailingZeros(bits)]);
    }
    return count;
  }

  /** The members under one summary word, ascending. */
  public int[] members(int summaryWord) {
    int[] members = new int[count(summaryWord)];
    int at = 0;
    for (long bits = summary[summaryWord]; bits != 0; bits &= bits - 1) {
      int w = (summaryWord << 6) + Long.numberOfTrailingZeros(bits);
      for (long word = words[w]; word != 0; word &= word - 1) {
        members[at++] = (w << 6) + Long.numberOfTrailingZeros(word);
      }
    }
    return members;
  }

  /** Number of members. */
  public int count() {
    int count = 0;
    for (long word : words) {
      count += Long.bitCount(word);
    }
    return count;
  }
}
