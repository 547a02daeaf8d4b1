package org.sparkgpugraph.engine.cpu.frame;

import java.util.Arrays;

/**
 * Finds the most frequent of a row's messages, the smallest of several. One per thread, used for
 * one row after the other: its arrays grow to the longest row of the thread, so that nothing is
 * made per row. Few messages are sorted; many are counted in an open-addressed table, whose entries
 * are cleared one by one behind it.
 */
public final class ModeCounter {
  /** Up to so many messages are sorted. */
  private static final int FEW = 24;

  /** Longest array that every virtual machine makes. */
  private static final int MOST = Integer.MAX_VALUE - 8;

  /** The largest table has two to the power of so many places, of which half may be used. */
  private static final int MOST_BITS = 30;

  private final int most;
  private final int mostBits;
  private long[] messages = new long[64];
  private int size;

  // A table of 2^bits places; where counts[i] is 0 there is nothing.
  private long[] keys = new long[0];
  private int[] counts = new int[0];
  private int[] used = new int[0];

  public ModeCounter() {
    this(MOST, MOST_BITS);
  }

  /**
   * With less room, for tests.
   *
   * @param most messages of a row
   * @param mostBits two to this power is the most places of the table
   */
  public ModeCounter(int most, int mostBits) {
    this.most = most;
    this.mostBits = mostBits;
  }

  /** Begins a row. */
  public void clear() {
    size = 0;
  }

  /**
   * Takes a message.
   *
   * @throws IllegalStateException when a row has more messages than an array has room for
   */
  public void add(long message) {
    if (size == messages.length) {
      if (size >= most) {
        throw tooMany(most + " messages");
      }
      messages = Arrays.copyOf(messages, (int) Math.min(most, 2L * size));
    }
    messages[size++] = message;
  }

  /** Number of messages of the row. */
  public int size() {
    return size;
  }

  private static IllegalStateException tooMany(String what) {
    return new IllegalStateException(
        "a vertex gets more than "
            + what
            + " in a superstep, of which the CPU engine cannot find the most frequent; remove"
            + " parallel edges, or the edges of the vertex with the most of them");
  }

  /**
   * The most frequent message, of several the smallest; there is at least one.
   *
   * @throws IllegalStateException when more different ones are counted than a table has room for
   */
  public long mode() {
    if (size == 1) {
      return messages[0];
    }
    if (size == 2) {
      return Math.min(messages[0], messages[1]);
    }
    if (allSame()) {
      return messages[0];
    }
    return size <= FEW ? sorted() : counted();
  }

  /** The common case of label propagation that has nearly converged. */
  private boolean allSame() {
    for (int i = 1; i < size; i++) {
      if (messages[i] != messages[0]) {
        return false;
      }
    }
    return true;
  }

  private long sorted() {
    Arrays.sort(messages, 0, size);
    long best = messages[0];
    int most = 0;
    for (int from = 0; from < size; ) {
      int to = from + 1;
      while (to < size && messages[to] == messages[from]) {
        to++;
      }
      // Ascending: the first of several is the smallest.
      if (to - from > most) {
        most = to - from;
        best = messages[from];
      }
      from = to;
    }
    return best;
  }

  private long counted() {
    int bits = Math.min(mostBits, 33 - Integer.numberOfLeadingZeros(size - 1));
    if (keys.length < 1 << bits) {
      keys = new long[1 << bits];
      counts = new int[1 << bits];
      used = new int[1 << bits - 1];
    }
    int mask = (1 << bits) - 1;
    int distinct = 0;
    for (int i = 0; i < size; i++) {
      long message = messages[i];
      int at = (int) (message * 0x9E3779B97F4A7C15L >>> 64 - bits);
      while (counts[at] != 0 && keys[at] != message) {
        at = at + 1 & mask;
      }
      if (counts[at]++ == 0) {
        if (distinct == used.length) {
          throw tooMany(distinct + " different messages");
        }
        keys[at] = message;
        used[distinct++] = at;
      }
    }
    long best = 0;
    int most = 0;
    for (int i = 0; i < distinct; i++) {
      int at = used[i];
      if (counts[at] > most || counts[at] == most && keys[at] < best) {
        most = counts[at];
        best = keys[at];
      }
      counts[at] = 0;
    }
    return best;
  }
}
