package io.sparkgpugraph.spark;

import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.storage.TestBlockId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bytes counted against Spark's storage memory, so that Spark evicts cached blocks to disk to make
 * room instead of running out of heap.
 */
final class StorageMemory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StorageMemory.class);

  private final MemoryManager manager;
  private long bytes;

  private StorageMemory(MemoryManager manager, long bytes) {
    this.manager = manager;
    this.bytes = bytes;
  }

  /** Reserves bytes; where Spark has not that much, says so in the log and reserves nothing. */
  static StorageMemory acquire(String key, long bytes) {
    SparkEnv env = SparkEnv.get();
    if (env == null) {
      return new StorageMemory(null, 0);
    }
    MemoryManager manager = env.memoryManager();
    if (bytes > 0
        && manager.acquireStorageMemory(new TestBlockId(key), bytes, MemoryMode.ON_HEAP)) {
      return new StorageMemory(manager, bytes);
    }
    if (bytes > 0) {
      LOG.warn(
          "{} takes {} MB, more than the {} MB that Spark may use for storage: memory is short."
              + " Raise spark.executor.memory (spark.driver.memory with a local master)",
          key,
          bytes >> 20,
          manager.maxOnHeapStorageMemory() >> 20);
    }
    return new StorageMemory(manager, 0);
  }

  @Override
  public synchronized void close() {
    if (bytes > 0) {
      manager.releaseStorageMemory(bytes, MemoryMode.ON_HEAP);
      bytes = 0;
    }
  }
}
