package org.sparkgpugraph.engine.intersect;

import java.util.concurrent.atomic.LongAdder;
import org.sparkgpugraph.engine.WorkerTeam;

/**
 * Which of the largest vertices are in an oriented row, as a bitmap, of rows in which there are
 * many: two of them are intersected by words. In graphs with hubs nearly all that intersections
 * look at, and find, are hubs (of R-MAT 19 with edges both ways 96 and 99.9 of 100, with 4096
 * hubs).
 *
 * <p>Bitmaps take no more memory than the entries do: rows of fewer hubs have none where they
 * would.
 */
final class HubBitmaps {
  /** Ranks below are hubs. */
  static final int HUBS = 4096;

  /** Words of a bitmap. */
  static final int WORDS = HUBS / Long.SIZE;

  /** Rows of fewer hubs have no bitmap: to look at its words takes longer than at these. */
  private static final int FEWEST = 32;

  /** Ranks that a thread takes at a time. */
  private static final int CHUNK = 1 << 12;

  private final OrientedRows rows;
  private final WorkerTeam team;

  /** By rank the number of the row's bitmap; negative: it has none. */
  private final int[] numbers;

  /** By number where the row's other entries begin. */
  private final int[] tails;

  private final long[] bits;

  /** The hubs to which edges go both ways; null where that is so of all entries or of none. */
  private final long[] reciprocal;

  /** Of all entries the same flag, where there is but one. */
  private final boolean allReciprocal;

  HubBitmaps(OrientedRows rows, WorkerTeam team) {
    this.rows = rows;
    this.team = team;
    numbers = new int[rows.vertices()];
    LongAdder flags = new LongAdder();
    forEach((from, to) -> flags.add(count(from, to)));
    long both = flags.sum();
    boolean mixed = both != 0 && both != rows.used();
    allReciprocal = both != 0;
    int count = number(mixed ? 2 * WORDS : WORDS);
    tails = new int[count];
    bits = new long[count * WORDS];
    reciprocal = mixed ? new long[bits.length] : null;
    forEach(this::fill);
  }

  /** Most bytes of the bitmaps of a graph. */
  static long bytes(long vertices, long entries) {
    return Integer.BYTES * (2 * vertices + entries);
  }

  /** Something done with ranks {@code [from, to)}. */
  private interface Ranks {
    void of(int from, int to);
  }

  private void forEach(Ranks work) {
    int chunks = (int) ((numbers.length + CHUNK - 1L) / CHUNK);
    team.each(
        true,
        chunks,
        (member, i) -> work.of(i * CHUNK, (int) Math.min(numbers.length, (i + 1L) * CHUNK)));
  }

  /** Numbers of hubs, in place of those of bitmaps; how many entries are reciprocal. */
  private long count(int from, int to) {
    int[] entries = rows.entries();
    long flags = 0;
    for (int r = from; r < to; r++) {
      int end = rows.end()[r];
      int hubs = 0;
      for (int e = rows.begin()[r]; e < end; e++) {
        flags += entries[e] & 1;
        hubs += entries[e] >>> 1 < HUBS ? 1 : 0;
      }
      numbers[r] = hubs;
    }
    return flags;
  }

  /** Numbers the rows that have a bitmap. */
  private int number(int words) {
    int[] most = new int[HUBS + 1];
    for (int hubs : numbers) {
      most[hubs]++;
    }
    int fewest = HUBS + 1;
    long room = (long) Integer.BYTES * rows.used() / Long.BYTES / words;
    while (fewest > FEWEST && most[fewest - 1] <= room) {
      room -= most[--fewest];
    }
    int count = 0;
    for (int r = 0; r < numbers.length; r++) {
      numbers[r] = numbers[r] < fewest ? -1 : count++;
    }
    return count;
  }

  private void fill(int from, int to) {
    int[] entries = rows.entries();
    for (int r = from; r < to; r++) {
      int number = numbers[r];
      if (number >= 0) {
        int e = rows.begin()[r];
        for (; e < rows.end()[r] && entries[e] >>> 1 < HUBS; e++) {
          int word = number * WORDS + (entries[e] >>> 7);
          bits[word] |= 1L << (entries[e] >>> 1);
          if (reciprocal != null) {
            reciprocal[word] |= (long) (entries[e] & 1) << (entries[e] >>> 1);
          }
        }
        tails[number] = e;
      }
    }
  }

  /** By rank the number of the row's bitmap; negative: it has none. */
  int[] numbers() {
    return numbers;
  }

  /** By number where those entries of the row begin that are no hubs. */
  int[] tails() {
    return tails;
  }

  /** {@link #WORDS} words of each bitmap, by number: bit {@code w} is the hub of rank w. */
  long[] bits() {
    return bits;
  }

  /**
   * The same of the hubs to which edges go both ways; null where that is so of all entries or of
   * none.
   */
  long[] reciprocal() {
    return reciprocal;
  }

  /** Where {@link #reciprocal} is null: whether all entries are. */
  boolean areAllReciprocal() {
    return allReciprocal;
  }
}
