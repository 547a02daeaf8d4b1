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

  /** Most threads of a block: what the kernel is compiled for. */
  public static final int MOST_THREADS = 512;

  /** Bytes of a vertex in a near queue, and in a list of far ones. */
  private static final int NEAR_BYTES = 24;

  private static final int FAR_BYTES = 8;

  private TileLayout() {}

  /** Bytes of the state. */
  public static long stateBytes(int owners) {
    return Long.BYTES * (BLOCKS + (long) STRIDE * owners);
  }

  /**
   * Shared memory of an owner's block: two queues, two lists, two lists of what is posted, and a
   * bit for each of its vertices.
   *
   * @param words of its vertices
   */
  public static int sharedBytes(TileSettings settings, int words) {
    return 2 * (NEAR_BYTES * settings.near() + FAR_BYTES * settings.far())
        + 2 * Integer.BYTES * settings.posts()
        + Integer.BYTES * words;
  }
}
