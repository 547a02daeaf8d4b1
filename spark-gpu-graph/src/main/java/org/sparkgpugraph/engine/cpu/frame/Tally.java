package org.sparkgpugraph.engine.cpu.frame;

import org.sparkgpugraph.graphs.model.GraphPartition;

/** What generated code counts; one per thread, added up behind a superstep. */
public final class Tally {
  /** Edges whose send function was evaluated. */
  public long edges;

  /** Vertices whose vertex program ran. */
  public long ran;

  /** Vertices that became active. */
  public long activated;

  /** The row of which a part is pushed. */
  public int row;

  /** Of runs that relax in order of priority; else null. */
  public ItemBuckets buckets;

  public StartingVertices starting;

  /** What was read only to have it near, so that the JVM does not leave it out. */
  public int touched;

  /** The {@link MessageKey} of the best that active vertices say … */
  public long best;

  /** … how many say it … */
  public long attaining;

  /** … and how many say something else. */
  public long others;

  /** Aggregates of the last block of rows. */
  public final double[] aggregates;

  /** The messages of a row, where the most frequent one is wanted; grows when first used. */
  public final ModeCounter mode = new ModeCounter();

  /** Values that pass between the methods of a kernel whose functions are not inlined. */
  public final int[] ints;

  public final long[] longs;
  public final float[] floats;
  public final double[] doubles;

  /** Arrays among them, each with the index of its first element in {@link #ints}. */
  public final Object[] arrays;

  public int received;

  private long[] ids = {};

  /**
   * @param aggregates number of aggregates
   * @param width most columns of a state, message or result
   */
  public Tally(int aggregates, int width) {
    this.aggregates = new double[aggregates];
    ints = new int[width];
    longs = new long[width];
    floats = new float[width];
    doubles = new double[width];
    arrays = new Object[width];
  }

  /** The original ids of rows {@code [from, to)}, the first of them first; kept till the next. */
  public long[] ids(GraphPartition partition, int from, int to) {
    if (ids.length < to - from) {
      ids = new long[to - from];
    }
    partition.originalIds(from, to - from, ids);
    return ids;
  }

  /** Begins to listen to active vertices. */
  public void listen() {
    best = MessageKey.NONE;
    attaining = 0;
    others = 0;
  }

  /**
   * Hears what an active vertex says at best.
   *
   * @param key not {@link MessageKey#NONE}
   */
  public void hear(long key) {
    if (key > best) {
      others += attaining;
      attaining = 0;
      best = key;
    }
    if (key == best) {
      attaining++;
    } else {
      others++;
    }
  }

  public void reset() {
    edges = 0;
    ran = 0;
    activated = 0;
  }
}
