package org.sparkgpugraph.runtime.cluster;

import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.TestBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bytes of everything that {@code ExecutorRegistry} holds, counted against Spark's storage
 * memory, so that Spark evicts cached blocks to disk to make room instead of running out of heap.
 * One reservation that grows and shrinks: it can be neither lost nor given back twice. Not
 * thread-safe.
 */
public final class StorageMemory {
  private static final Logger LOG = LoggerFactory.getLogger(StorageMemory.class);
  private static final TestBlockId NAME = new TestBlockId("gpugraph");

  private MemoryManager manager;
  private long wanted;
  private long wantedKept;
  private long reserved;

  /** Bytes asked for last. */
  public long wanted() {
    return wanted;
  }

  /**
   * Makes the reservation that large. Where Spark has not that much, leaves it as it is, and says
   * so in the log if what stays would not fit either.
   *
   * @param kept bytes of it that are not given back soon, as those are that a build takes
   */
  public void resize(long bytes, long kept) {
    SparkEnv env = SparkEnv.get();
    MemoryManager now = env == null ? null : env.memoryManager();
    if (now != manager) {
      // Another SparkContext: the books of the last one are closed.
      manager = now;
      reserved = 0;
    }
    boolean more = kept > wantedKept;
    wanted = bytes;
    wantedKept = kept;
    if (manager == null || bytes == reserved) {
      return;
    }
    if (bytes < reserved) {
      manager.releaseStorageMemory(reserved - bytes, MemoryMode.ON_HEAP);
      reserved = bytes;
    } else if (manager.acquireStorageMemory(NAME, bytes - reserved, MemoryMode.ON_HEAP)) {
      reserved = bytes;
    } else if (more && kept > reserved) {
      LOG.warn(
          "graphs and results take {} MB, more than Spark has free of its {} MB for storage: memory"
              + " is short. Close what is not needed, or raise spark.executor.memory"
              + " (spark.driver.memory with a local master)",
          kept >> 20,
          manager.maxOnHeapStorageMemory() >> 20);
    }
  }
}
