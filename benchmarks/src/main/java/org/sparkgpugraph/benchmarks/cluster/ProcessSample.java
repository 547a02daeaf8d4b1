package org.sparkgpugraph.benchmarks.cluster;

import java.io.File;
import java.io.Serializable;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import org.apache.spark.SparkEnv;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;

/**
 * What a JVM of Spark holds, after garbage was collected.
 *
 * @param executor Spark's id of it; {@code driver}
 * @param pid of the process
 * @param heapBytes that are in use
 * @param directBytes of buffers outside of the heap, mapped ones too
 * @param threads that live
 * @param descriptors files and sockets that are open
 * @param classes that are loaded
 * @param files of Spark's block manager in its local directories
 * @param held graphs, runs and results that the library keeps
 * @param deviceBytes of devices that the library has allocated
 */
record ProcessSample(
    String executor,
    long pid,
    long heapBytes,
    long directBytes,
    int threads,
    int descriptors,
    int classes,
    int files,
    int held,
    long deviceBytes)
    implements Serializable {
  private static final int COLLECTIONS = 2;

  /** Of this process. */
  static ProcessSample here() {
    for (int i = 0; i < COLLECTIONS; i++) {
      // What the first one finds unreachable, cleaners free: the second one collects what they
      // held.
      System.gc();
    }
    String[] open = new File("/proc/self/fd").list();
    return new ProcessSample(
        SparkEnv.get().executorId(),
        ProcessHandle.current().pid(),
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong(BufferPoolMXBean::getMemoryUsed)
            .sum(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        open == null ? 0 : open.length,
        ManagementFactory.getClassLoadingMXBean().getLoadedClassCount(),
        SparkEnv.get().blockManager().diskBlockManager().getAllFiles().size(),
        ExecutorRegistry.size(),
        ExecutorRegistry.engines().deviceBytes());
  }
}
