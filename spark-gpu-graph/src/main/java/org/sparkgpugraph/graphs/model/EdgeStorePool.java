package org.sparkgpugraph.graphs.model;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.program.ValueType;

/**
 * Stores off the heap that threads fill one after the other, so that there are as many that have
 * room left as threads that fill some at a time. Thread-safe.
 */
public final class EdgeStorePool {
  private final ValueType edgeType;
  private final Queue<EdgeStores> free = new ConcurrentLinkedQueue<>();

  /**
   * @param edgeType type of the values to take along; null: none
   */
  public EdgeStorePool(ValueType edgeType) {
    this.edgeType = edgeType;
  }

  /**
   * Stores that nobody else fills until they are {@linkplain #give given} back.
   *
   * @param home where edges go; the same for all
   */
  public EdgeStores take(EdgeMemory home) {
    EdgeStores some = free.poll();
    return some == null ? new EdgeStores(home, edgeType, 0) : some;
  }

  /** Gives them back. */
  public void give(EdgeStores stores) {
    free.add(stores);
  }

  /**
   * Takes a block.
   *
   * @param home where edges go; the same for all
   * @return the same edges off the heap, in their order
   * @throws OffHeapMemoryException when there is no room for them
   */
  public List<StoredEdgeBlock> add(EdgeBlock block, EdgeMemory home) {
    EdgeStores some = take(home);
    List<StoredEdgeBlock> parts = some.add(block);
    give(some);
    return parts;
  }

  /** What is added later goes to other arrays; call it before what was added is read for long. */
  public void seal() {
    free.forEach(EdgeStores::seal);
  }
}
