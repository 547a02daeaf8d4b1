package org.sparkgpugraph.runtime.held;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.StoredEdgeBlock;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;

/**
 * The edges of one partition of a source that wait for the build: on the heap while there is room,
 * then off it, where edges without values may be. One thread's.
 */
final class WaitingEdges {
  /** What is reserved at a time, so that tasks seldom ask the lock that they share. */
  private static final long STEP = 1 << 20;

  /** With less room than all tasks could have ahead nobody takes more than a block needs. */
  private static final long AMPLE =
      STEP * Math.max(64, 2 * Runtime.getRuntime().availableProcessors());

  /** Most edges of a block off the heap. */
  private static final int STORED = 1 << 22;

  private final HeapReservation reserved;
  private final List<EdgeBlock> blocks = new ArrayList<>();

  /** Where edges without values go; null: they are on the heap. */
  private EdgeMemory home;

  /** Reserved before it is needed. */
  private long ahead;

  private StoredEdgeBlock last;

  /** Room of the last block off the heap. */
  private int room;

  /** Edges that are still to come; 0: nobody knows. */
  private long expected;

  /** Why edges went off the heap; null: they were to be there. */
  private GraphMemoryException refused;

  /**
   * @param reserved for those on the heap
   */
  WaitingEdges(HeapReservation reserved) {
    this(reserved, EdgeHomes.forced(), 0);
  }

  /**
   * @param reserved for those on the heap
   * @param home where edges without values go; null: they are on the heap
   * @param expected edges that will come; 0: nobody knows
   */
  WaitingEdges(HeapReservation reserved, EdgeMemory home, long expected) {
    this.reserved = reserved;
    this.home = home;
    this.expected = expected;
  }

  /**
   * Takes a block.
   *
   * @throws GraphMemoryException when there is no room for it
   */
  void add(EdgeBlock block) {
    if (home == null || block.values() != null) {
      keep(block);
    } else {
      store(block);
    }
  }

  /** Keeps a block on the heap; where that has no room moves what has come so far off it. */
  private void keep(EdgeBlock block) {
    try {
      reserve(block.bytes());
    } catch (GraphMemoryException e) {
      EdgeMemory beyond = home == null ? EdgeHomes.beyondHeap() : null;
      if (beyond == null
          || block.values() != null
          || blocks.stream().anyMatch(b -> b.values() != null)) {
        throw e;
      }
      home = beyond;
      refused = e;
      List<EdgeBlock> before = List.copyOf(blocks);
      blocks.clear();
      before.forEach(this::store);
      reserved.release(ahead + before.stream().mapToLong(EdgeBlock::bytes).sum());
      ahead = 0;
      store(block);
      return;
    }
    blocks.add(block);
    seal();
  }

  private void reserve(long bytes) {
    if (bytes > ahead) {
      // Some blocks at a time, where there is room: all tasks ask the same lock.
      long step = Math.max(bytes, reserved.hasRoom(AMPLE) ? STEP : 0);
      reserved.acquire(step);
      ahead += step;
    }
    ahead -= bytes;
  }

  private void store(EdgeBlock block) {
    try {
      for (int from = 0; from < block.size(); ) {
        if (last == null || last.isFull() || !last.takes(block)) {
          seal();
          last =
              new StoredEdgeBlock(home, StoredEdgeBlock.kind(block), nextRoom(block.size() - from));
          blocks.add(last);
        }
        from = last.add(block, from);
      }
    } catch (OffHeapMemoryException e) {
      if (refused == null) {
        throw e;
      }
      // There is no room off the heap either, of which who did not ask for it need not know.
      refused.addSuppressed(e);
      throw refused;
    }
  }

  /** Many partitions may have few edges each: each takes about as much as it needs. */
  private int nextRoom(int edges) {
    room = (int) Math.min(STORED, expected > 0 ? expected : Math.max(edges, 2L * room));
    expected = Math.max(0, expected - room);
    return room;
  }

  private void seal() {
    if (last != null) {
      last.seal();
      last = null;
    }
  }

  /** All that came, in order; gives back what was reserved ahead. */
  List<EdgeBlock> all() {
    seal();
    reserved.release(ahead);
    ahead = 0;
    return List.copyOf(blocks);
  }
}
