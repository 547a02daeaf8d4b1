package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.Map;

/**
 * How messages are merged by servers, blocks that own the receivers ({@code sgg/delegate.cuh}).
 *
 * @param servers blocks that merge, of those of a launch; 0: a quarter of them
 * @param blocks thread blocks of a launch at most, the servers included; 0: as many as the work
 *     asks for
 * @param ring places of a server's ring: a power of two
 * @param staged messages that a client's warp collects before it sends them, at least a round of
 *     its lanes; 0: as many as fit
 * @param combines whether a client's warp merges messages of one receiver that it has at the same
 *     time, and sends one
 * @param patience rounds of a server in which nothing happens, behind which a launch counts as
 *     stuck
 * @param locks whether there are no servers, but a lock of each receiver: to compare with
 * @param reach mean length of the row that an edge is gathered in, from which on servers merge
 *     where nothing is forced; 0: never
 * @param share they merge then in supersteps whose work, active vertices and edges of theirs, is at
 *     most this part of all vertices and edges
 */
public record DelegateSettings(
    int servers,
    int blocks,
    int ring,
    int staged,
    boolean combines,
    long patience,
    boolean locks,
    int reach,
    double share)
    implements Serializable {
  /**
   * A quarter of the blocks; 4096 places; combined first; 64 million rounds, a minute or two; by
   * themselves from rows of 64 edges on and up to a twentieth of the graph, where they won on an
   * H200 whatever the number of receivers.
   */
  public static final DelegateSettings DEFAULT =
      new DelegateSettings(0, 0, 4096, 0, true, 1L << 26, false, 64, 1 / 20.0);

  /** Blocks of a launch for one that merges, where it is chosen. */
  private static final int SHARE = 4;

  public DelegateSettings {
    if (servers < 0
        || servers > DelegateLayout.MOST_SERVERS
        || blocks < 0
        || blocks == 1
        || ring < DelegateLayout.LEAST_RING
        || ring > DelegateLayout.MOST_RING
        || Integer.bitCount(ring) != 1
        || staged < 0
        || staged > DelegateLayout.MOST_STAGED
        || staged > 0 && staged < 32
        || patience < 1
        || reach < 0
        || !(share >= 0)) {
      throw new IllegalArgumentException(
          "servers "
              + servers
              + " must be 0 to "
              + DelegateLayout.MOST_SERVERS
              + ", blocks "
              + blocks
              + " 0 or at least 2, ring "
              + ring
              + " a power of two from "
              + DelegateLayout.LEAST_RING
              + " to "
              + DelegateLayout.MOST_RING
              + ", staged "
              + staged
              + " 0 or 32 to "
              + DelegateLayout.MOST_STAGED
              + ", patience "
              + patience
              + " at least 1, reach "
              + reach
              + " and share "
              + share
              + " not negative");
    }
  }

  /** How messages are merged then. */
  public MergeMode mode() {
    return locks ? MergeMode.LOCKED : MergeMode.DELEGATED;
  }

  /**
   * Servers of a launch, at least one and not all of its blocks.
   *
   * @param of blocks of the launch, at least 2
   */
  public int servers(int of) {
    int wanted = servers == 0 ? of / SHARE : servers;
    return Math.max(1, Math.min(Math.min(wanted, of - 1), DelegateLayout.MOST_SERVERS));
  }

  /** The same with so many servers. */
  public DelegateSettings withServers(int count) {
    return RecordCopy.with(this, Map.of("servers", count));
  }

  /** The same with at most so many blocks. */
  public DelegateSettings withBlocks(int most) {
    return RecordCopy.with(this, Map.of("blocks", most));
  }

  /** The same with rings of so many places. */
  public DelegateSettings withRing(int places) {
    return RecordCopy.with(this, Map.of("ring", places));
  }

  /** The same where a client's warp sends what so many messages are. */
  public DelegateSettings withStaged(int messages) {
    return RecordCopy.with(this, Map.of("staged", messages));
  }

  /** The same where clients merge first, or not. */
  public DelegateSettings withCombines(boolean first) {
    return RecordCopy.with(this, Map.of("combines", first));
  }

  /** The same with another patience. */
  public DelegateSettings withPatience(long rounds) {
    return RecordCopy.with(this, Map.of("patience", rounds));
  }

  /** The same with a lock of each receiver instead of servers. */
  public DelegateSettings withLocks() {
    return RecordCopy.with(this, Map.of("locks", true));
  }

  /** The same where nothing is forced, from so long rows on. */
  public DelegateSettings withReach(int edges) {
    return RecordCopy.with(this, Map.of("reach", edges));
  }

  /** The same where nothing is forced, up to such a part of the graph. */
  public DelegateSettings withShare(double part) {
    return RecordCopy.with(this, Map.of("share", part));
  }
}
