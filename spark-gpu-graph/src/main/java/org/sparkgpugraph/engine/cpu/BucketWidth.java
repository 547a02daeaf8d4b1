package org.sparkgpugraph.engine.cpu;

/**
 * How wide a bucket of priorities is, and whether it should be wider or narrower (ADDS, Wang 2020,
 * section 5.6): wider when most of what is added falls behind all buckets, or when the threads have
 * too little to do between two barriers; narrower, down to where too much fell behind, when they
 * have more than enough. It is a power of two. Who asks decides when a change is made; it waits for
 * some more moves of the head after each, since the effect of a change comes late.
 */
final class BucketWidth {
  /** The part of what is added that may fall behind all buckets. */
  private static final double CLIPPED = 0.65;

  /** Fewest items that were added, for that part to mean something. */
  private static final long LEAST_ADDED = 1024;

  /** Moves of the head after which a change shows. */
  private static final int SETTLES = 3;

  /** Items of a round, for each thread, below which it is too short; beside others, and alone. */
  private static final int TOGETHER = 64;

  private static final int ALONE = 8;

  /** How much longer a round may be before it is too long: far more, so that widths settle. */
  private static final int SPREAD = 128;

  /** How narrow a bucket may become, by its first width: narrower ones order no better. */
  private static final double NARROWEST = 1 / 8.0;

  private static final int MOST_EXPONENT = 1000;

  private final boolean dynamic;
  private final double low;
  private double width;
  private double least;
  private long items;
  private long rounds;
  private int moves;
  private long added;
  private long behind;
  private int changes;

  /**
   * @param width at first; the nearest power of two is taken
   * @param dynamic whether it is changed
   * @param threads that walk items
   */
  BucketWidth(double width, boolean dynamic, int threads) {
    this.dynamic = dynamic;
    double exponent = Math.rint(Math.log(width) / Math.log(2));
    this.width = Math.scalb(1.0, (int) Math.max(-MOST_EXPONENT, Math.min(MOST_EXPONENT, exponent)));
    least = this.width * NARROWEST;
    low = threads == 1 ? ALONE : (double) TOGETHER * threads;
  }

  /** The width. */
  double get() {
    return width;
  }

  /** How often it was changed. */
  int changes() {
    return changes;
  }

  /** Items that were walked since the last change. */
  long items() {
    return items;
  }

  /** Counts a round in which so many items were walked. */
  void round(long count) {
    rounds++;
    items += count;
  }

  /**
   * Counts a move of the head.
   *
   * @param nowAdded items that were added so far
   * @param nowBehind those of them that fell behind all buckets
   * @return logarithm of the factor by which the width should change: −1, 0 or 1
   */
  int moved(long nowAdded, long nowBehind) {
    moves++;
    if (!dynamic) {
      return 0;
    }
    long recent = nowAdded - added;
    if (recent >= LEAST_ADDED && nowBehind - behind > CLIPPED * recent) {
      return mayWiden() ? 1 : 0;
    }
    if (moves < SETTLES) {
      return 0;
    }
    double mean = (double) items / Math.max(1, rounds);
    if (mean < low) {
      return mayWiden() ? 1 : 0;
    }
    return mean > low * SPREAD && width > least ? -1 : 0;
  }

  private boolean mayWiden() {
    return width < Math.scalb(1.0, MOST_EXPONENT);
  }

  /** Makes the change that {@link #moved} has told; the counts begin anew. */
  void change(int by, long nowAdded, long nowBehind) {
    boolean clipped = nowBehind - behind > CLIPPED * (nowAdded - added);
    width = Math.scalb(width, by);
    least = by > 0 && clipped ? width : least;
    changes++;
    items = 0;
    rounds = 0;
    moves = 0;
    added = nowAdded;
    behind = nowBehind;
  }
}
