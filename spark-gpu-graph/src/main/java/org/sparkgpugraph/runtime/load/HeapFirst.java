package org.sparkgpugraph.runtime.load;

import java.util.function.Supplier;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;

/** Does something on the heap, and where that has no room for it once more off it. */
final class HeapFirst {
  private HeapFirst() {}

  /**
   * Does it.
   *
   * @param key of the graph
   * @param onHeap does it on the heap
   * @param away does it with edges off the heap
   * @throws GraphMemoryException when there is no room in either place: what was said of the heap
   */
  static <T> T made(String key, Supplier<T> onHeap, Supplier<T> away) {
    GraphMemoryException refused;
    try {
      return onHeap.get();
    } catch (GraphMemoryException e) {
      refused = e;
    } catch (OutOfMemoryError e) {
      refused = ExecutorRegistry.exhausted(key, e);
    }
    return away(refused, away);
  }

  /**
   * Does off the heap what was refused on it.
   *
   * @throws GraphMemoryException when there is no room there either
   */
  static <T> T away(GraphMemoryException refused, Supplier<T> away) {
    try {
      return away.get();
    } catch (OffHeapMemoryException e) {
      if (e.isUnreadable()) {
        throw e;
      }
      // Of which who did not ask for it need not know.
      refused.addSuppressed(e);
      throw refused;
    }
  }
}
