package org.sparkgpugraph.runtime.held;

import org.apache.spark.SparkEnv;
import org.sparkgpugraph.graphs.memory.HeapPeak;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.run.ExecutorMemory;
import org.sparkgpugraph.run.HeapUse;

/** What a run and its graph take of this executor's memory. */
public final class MemoryAccount {
  private MemoryAccount() {}

  /** This executor's id and host; empty without Spark. */
  public static String executor() {
    SparkEnv env = SparkEnv.get();
    return env == null
        ? ""
        : env.executorId() + " on " + env.blockManager().blockManagerId().host();
  }

  /**
   * As it is now.
   *
   * @param held what the run is of
   * @param graph its structure as the run has it
   * @param begun when the run began here: {@link HeapPeak#mark}
   */
  public static ExecutorMemory of(HeldGraph held, ExecutorGraph graph, long begun) {
    HeapUse heap =
        new HeapUse(
            Runtime.getRuntime().maxMemory(),
            GraphMemory.limit(SparkEnv.get()),
            held.loadHeapPeak(),
            HeapPeak.since(begun));
    return new ExecutorMemory(
        executor(), heap, graph.edgeBytes(), EdgeHomes.offHeapLimit(), EdgeHomes.diskFree());
  }
}
