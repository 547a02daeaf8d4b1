package org.sparkgpugraph.runtime.held;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.model.DeviceEdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.EdgeStorePool;
import org.sparkgpugraph.graphs.model.EdgeStores;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;

/**
 * The edges of one partition of a source that wait for the build: on the heap while there is room,
 * then off it. One thread's.
 */
final class WaitingEdges {
  /** What is reserved at a time, so that tasks seldom ask the lock that they share. */
  private static final long STEP = 1 << 20;

  /** With less room than all tasks could have ahead nobody takes more than a block needs. */
  private static final long AMPLE =
      STEP * Math.max(64, 2 * Runtime.getRuntime().availableProcessors());

  private final HeapReservation reserved;
  private final EdgeStorePool pool;
  private final List<EdgeBlock> blocks = new ArrayList<>();

  /** Off the heap; null: they are on it. */
  private EdgeStores away;

  /** Reserved before it is needed. */
  private long ahead;

  /** Why edges went off the heap; null: they were to be there. */
  private GraphMemoryException refused;

  /**
   * @param reserved for those on the heap
   * @param pool has those off it
   */
  WaitingEdges(HeapReservation reserved, EdgeStorePool pool) {
    this.reserved = reserved;
    this.pool = pool;
    EdgeMemory home = EdgeHomes.forced();
    away = home == null ? null : pool.take(home);
  }

  /**
   * Takes a block; of one that is on a device and does not stay there, a copy.
   *
   * @throws GraphMemoryException when there is no room for it
   */
  void add(EdgeBlock block) {
    if (away == null) {
      keep(block);
    } else {
      store(block);
    }
  }

  /** Keeps a block on the heap; where that has no room moves what has come so far off it. */
  private void keep(EdgeBlock block) {
    try {
      reserve(block.bytes());
      boolean stays = block instanceof DeviceEdgeBlock onDevice && onDevice.stays();
      blocks.add(stays ? block : HostCopies.copied(block));
      return;
    } catch (GraphMemoryException e) {
      refused = e;
    }
    EdgeMemory beyond = EdgeHomes.beyondHeap();
    if (beyond == null) {
      throw refused;
    }
    away = pool.take(beyond);
    List<EdgeBlock> before = List.copyOf(blocks);
    blocks.clear();
    before.forEach(this::store);
    reserved.release(ahead + before.stream().mapToLong(EdgeBlock::bytes).sum());
    ahead = 0;
    store(block);
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
    if (block instanceof DeviceEdgeBlock onDevice && !onDevice.stays()) {
      // On its way it is on the heap.
      reserved.acquire(onDevice.copyBytes());
      storeOnHost(HostCopies.copied(onDevice));
      reserved.release(onDevice.copyBytes());
    } else {
      storeOnHost(block);
    }
  }

  private void storeOnHost(EdgeBlock block) {
    try {
      away.addTo(blocks, block);
    } catch (OffHeapMemoryException e) {
      if (refused == null) {
        throw e;
      }
      // There is no room off the heap either, of which who did not ask for it need not know.
      refused.addSuppressed(e);
      throw refused;
    }
  }

  /** All that came, in order; gives back what was reserved ahead. Nothing is added any more. */
  List<EdgeBlock> all() {
    if (away != null) {
      pool.give(away);
    }
    reserved.release(ahead);
    ahead = 0;
    return List.copyOf(blocks);
  }
}
