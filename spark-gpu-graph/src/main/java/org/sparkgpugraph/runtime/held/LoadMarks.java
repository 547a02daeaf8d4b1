package org.sparkgpugraph.runtime.held;

import java.util.LinkedHashMap;
import java.util.Map;
import org.sparkgpugraph.graphs.memory.HeapPeak;

/**
 * When loads of graphs began in this JVM: with the first task of each, whatever it did. So what an
 * executor says of its heap has nothing to do with the driver's clock. Thread-safe.
 */
public final class LoadMarks {
  /** Loads whose begin is known; who never builds a part of a graph has no end of its load. */
  static final int MOST = 64;

  // Guarded by itself.
  private static final Map<String, Long> BEGUN =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST;
        }
      };

  private LoadMarks() {}

  /**
   * A task of a load begins; what the load's first one said stays.
   *
   * @param key of the whole graph
   */
  public static void begun(String key) {
    HeapPeak.watch();
    long mark = HeapPeak.mark();
    synchronized (BEGUN) {
      BEGUN.putIfAbsent(key, mark);
    }
  }

  /**
   * The most of the heap that was in use since the load began here.
   *
   * @param key of the whole graph
   * @param ended whether nothing of the load follows here: what is loaded later under the same key
   *     is another one
   * @return bytes; at least those in use now
   */
  public static long heapPeak(String key, boolean ended) {
    Long mark;
    synchronized (BEGUN) {
      mark = ended ? BEGUN.remove(key) : BEGUN.get(key);
    }
    return HeapPeak.since(mark == null ? HeapPeak.mark() : mark);
  }
}
