package org.sparkgpugraph.engine.device.settings;

/**
 * What devices know of each other that meet behind each superstep of a launch, in 64-bit words;
 * kernels know the positions as {@code SGG_PEER_…} ({@code sgg/peers.cuh}). The table of a device
 * begins with where the structs of its outboxes are, of even and of odd supersteps; an entry for
 * each other device follows.
 */
public final class PeerLayout {
  /** What one device tells another one in a meeting. */
  public enum Word {
    /** Updates for the other one. */
    TOLD,

    /** Items of its next queue, and updates for all others. */
    ITEMS,

    /** Who is active next, and edges of these. */
    WORK,

    /** Whether anything stopped itself. */
    FAULTS,

    /** The number of the meeting; written last. */
    MEETING
  }

  /** What the table says of another device. */
  public enum Entry {
    /** Where it is told: in its memory. */
    THERE,

    /** Where it tells: in memory of the device. */
    HERE,

    /** The struct of what comes from it behind even supersteps … */
    INBOX,

    /** … and behind odd ones. */
    INBOX_ODD,

    /** Which ghost stands first in the list. */
    FIRST_GHOST,

    /** Which positions of the list are ghosts; 0: all. */
    GHOST_OF,

    /** Which outbox is for it; −1: none. */
    OUTBOX
  }

  /** Words of the table before the entries. */
  public static final int OTHERS = 2;

  /** Words of an entry. */
  public static final int ENTRIES = Entry.values().length;

  /** Words between those of even and of odd meetings, of a cache line. */
  public static final int STRIDE = 16;

  /** Words by which one device tells another one. */
  public static final int TOLD = 2 * STRIDE;

  private PeerLayout() {}

  /** Words of the table of a device that meets others. */
  public static int table(int others) {
    return OTHERS + others * ENTRIES;
  }
}
