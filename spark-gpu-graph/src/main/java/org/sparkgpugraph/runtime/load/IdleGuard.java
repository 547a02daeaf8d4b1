package org.sparkgpugraph.runtime.load;

import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.PinnedRdd;
import org.sparkgpugraph.runtime.held.GraphHandle;

/**
 * Keeps dynamic allocation from removing the executors that hold a graph while they are idle: each
 * has a cached block for as long, and an executor with cached blocks is removed after {@code
 * spark.dynamicAllocation.cachedExecutorIdleTimeout} only, which is infinite unless set.
 */
final class IdleGuard implements AutoCloseable {
  private static final IdleGuard NONE = new IdleGuard(null, null);

  private final SparkContext sc;
  private final JavaRDD<Integer> blocks;

  private IdleGuard(SparkContext sc, JavaRDD<Integer> blocks) {
    this.sc = sc;
    this.blocks = blocks;
  }

  /** Guards the owners of a graph. Does nothing without dynamic allocation. */
  static IdleGuard of(SparkContext sc, GraphHandle graph) {
    if (sc.isLocal() || !sc.getConf().getBoolean("spark.dynamicAllocation.enabled", false)) {
      return NONE;
    }
    JavaRDD<Integer> blocks = PinnedRdd.of(sc, graph.locations());
    // Memory alone would let go of them when it is short.
    blocks.persist(StorageLevel.MEMORY_AND_DISK());
    try {
      OwnerJob.run(sc, graph.key(), graph.locations(), blocks::count);
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      blocks.unpersist(false);
      throw e;
    }
    return new IdleGuard(sc, blocks);
  }

  @Override
  public void close() {
    if (blocks != null && !sc.isStopped()) {
      blocks.unpersist(false);
    }
  }
}
