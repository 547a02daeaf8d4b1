package org.sparkgpugraph.runtime.held;

import org.apache.spark.TaskContext;
import org.apache.spark.util.TaskCompletionListener;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.HeapPeak;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;

/**
 * Bytes of this executor's heap that are about to be taken for a graph, or are taken for it and not
 * held yet. {@link ExecutorRegistry} counts them; they are given back when this is closed, whether
 * what they were for succeeded, failed or was interrupted.
 */
public final class HeapReservation implements BuildMemory.Reservation {
  final String key;
  final boolean cached;

  // Guarded by ExecutorRegistry.
  long bytes;
  boolean closed;

  /**
   * @param key of the graph
   * @param cached whether Spark's storage memory counts the bytes already, as those of cached
   *     blocks
   */
  public HeapReservation(String key, boolean cached) {
    this.key = key;
    this.cached = cached;
    // The first load of this process begins with one.
    HeapPeak.watch();
  }

  /**
   * One that the end of the running task closes, whether or not its reader takes all that it is
   * for.
   */
  public static HeapReservation ofTask(String key) {
    HeapReservation reserved = new HeapReservation(key, false);
    TaskCompletionListener ending = context -> reserved.close();
    TaskContext.get().addTaskCompletionListener(ending);
    return reserved;
  }

  /**
   * {@inheritDoc}
   *
   * @throws GraphMemoryException when there is not that much
   */
  @Override
  public void acquire(long more) {
    ExecutorRegistry.acquire(this, more);
  }

  @Override
  public boolean hasRoom(long more) {
    return ExecutorRegistry.fits(more);
  }

  @Override
  public void release(long less) {
    ExecutorRegistry.release(this, less);
  }

  @Override
  public void close() {
    ExecutorRegistry.end(this);
  }
}
