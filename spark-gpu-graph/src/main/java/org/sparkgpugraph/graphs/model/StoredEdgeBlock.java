package org.sparkgpugraph.graphs.model;

import java.util.List;
import org.sparkgpugraph.graphs.memory.Columns;

/**
 * Edges by their original ids, off the heap: what blocks become that wait for the build of a graph
 * larger than the heap. Read by many threads; never travels. Its {@linkplain #values() values} are
 * {@link Columns} off the heap, or null.
 */
public final class StoredEdgeBlock implements EdgeBlock {
  private static final long serialVersionUID = 1L;

  private final transient EdgeStore store;
  private final int first;
  private final int size;

  /**
   * @param store has the edges
   * @param first the first of them there
   */
  StoredEdgeBlock(EdgeStore store, int first, int size) {
    this.store = store;
    this.first = first;
    this.size = size;
  }

  /** Whether any of some blocks is one. */
  public static boolean isAmong(List<? extends EdgeBlock> blocks) {
    return blocks.stream().anyMatch(StoredEdgeBlock.class::isInstance);
  }

  /** Not more than the least id of any end; of no edges the largest long. */
  public long least() {
    return size == 0 ? Long.MAX_VALUE : store.least();
  }

  /** Not less than the largest id of any end; of no edges the least long. */
  public long largest() {
    return size == 0 ? Long.MIN_VALUE : store.largest();
  }

  /** This and the edges behind it in the same store; null: they are not. */
  StoredEdgeBlock with(StoredEdgeBlock next) {
    return next.store == store && next.first == first + size
        ? new StoredEdgeBlock(store, first, size + next.size)
        : null;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long source(int position) {
    return store.end(true, first + position);
  }

  @Override
  public long destination(int position) {
    return store.end(false, first + position);
  }

  @Override
  public void ends(boolean ofSources, int from, int count, long[] into) {
    store.ends(ofSources, first + from, count, into);
  }

  @Override
  public Object values() {
    return store.values() == null ? null : store.values().awayRows(first, size);
  }

  /** None: they are off the heap. */
  @Override
  public long bytes() {
    return 0;
  }
}
