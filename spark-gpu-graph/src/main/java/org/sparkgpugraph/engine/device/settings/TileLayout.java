package org.sparkgpugraph.engine.device.settings;

/**
 * How a relaxation by owners lays out its memory; kernels know it as {@code SGG_TILE_…} ({@code
 * sgg/tiles.cuh}). Vertices are dealt out to owners by words: 32 rows, of which a bitmap has a
 * word.
 */
public final class TileLayout {
  /** The state of a launch, a 64-bit word each, and what it counted. */
  public enum Word {
    /** Keys below are walked. */
    HORIZON,

    /** Whether all is done. */
    STOPPED,

    /** Whether a message was no number. */
    NANS,

    /** Whether nothing happened for too long. */
    STUCK,

    /** Rounds of the manager … */
    ROUNDS,

    /** … and of the owner that had most. */
    MOST_ROUNDS,

    /** Edges that were evaluated. */
    EDGES,

    /** Vertices whose edges were walked. */
    RAN,

    /** Entries of far vertices that were dropped, since these had better values already. */
    STALE,

    /** Vertices that came from other owners. */
    MAILED,

    /** Vertices that were held back, since there was no room for them. */
    HELD;

    /** Where it is, in bytes. */
    public int offset() {
      return Long.BYTES * ordinal();
    }
  }

  /** Where what owners publish begins, in words of the state … */
  public static final int BLOCKS = 16;

  /** … and words of each of them: a sector of the cache. */
  public static final int STRIDE = 4;

  /** Rows of a word. */
  public static final int WORD = 32;

  /** Most words of an owner: what its summary has bits for. */
  public static final int MOST_WORDS = 1 << 15;

  /** Most owners: a vertex's place has 16 bits for them. */
  public static final int MOST_OWNERS = (1 << 15) - 1;

  /** Most threads of a block that walk: what the kernel is compiled for. */
  public static final int MOST_THREADS = 512;

  /** Warps beside them that serve them. */
  public static final int SERVANTS = 3;

  /** Vertices that came by mail and wait for the next round, a power of two. */
  public static final int MAILS = 256;

  /** Bytes of a vertex that is near: with edges of one side, and of both; and of a far one. */
  private static final int NEAR_BYTES = 16;

  private static final int BOTH_BYTES = 24;

  /** Shared memory that the kernel itself declares, at most: counts and what a round is to do. */
  public static final int DECLARED_BYTES = 256;

  private static final int FAR_BYTES = 8;

  private TileLayout() {}

  /** Bytes of the state. */
  public static long stateBytes(int owners) {
    return Long.BYTES * (BLOCKS + (long) STRIDE * owners);
  }

  /** Threads of a block, with those that serve. */
  public static int threads(TileSettings settings) {
    return settings.threads() + WORD * SERVANTS;
  }

  /**
   * Shared memory of an owner's block: two queues, mail, two lists, two lists of what is posted,
   * and a bit for each of its vertices.
   *
   * @param words of its vertices
   * @param both whether edges of both sides are walked
   */
  public static int sharedBytes(TileSettings settings, int words, boolean both) {
    int near = both ? BOTH_BYTES : NEAR_BYTES;
    return 2 * (near * settings.near() + FAR_BYTES * settings.far())
        + (near + Integer.BYTES) * MAILS
        + 2 * Integer.BYTES * settings.posts()
        + Integer.BYTES * words;
  }
}
