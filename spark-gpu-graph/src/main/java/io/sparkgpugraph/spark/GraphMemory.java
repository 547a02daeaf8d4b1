package io.sparkgpugraph.spark;

import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;

/** The bound on the heap that graphs, runs and results may take in an executor. */
final class GraphMemory {
  private GraphMemory() {}

  /**
   * Refuses a graph or a run that does not fit, before memory runs out.
   *
   * @param key of the graph, or of the run's result
   * @param bytes that it takes, or takes at least
   * @param others bytes of what is held beside it
   * @throws GraphMemoryException when it does not fit
   */
  static void check(String key, long bytes, long others) {
    SparkEnv env = SparkEnv.get();
    if (env == null) {
      return;
    }
    SparkConf conf = env.conf();
    double fraction = GpuGraphConf.of(conf, Map.of()).get(GpuGraphConf.MEMORY_FRACTION);
    long heap = Runtime.getRuntime().maxMemory();
    long limit = (long) (heap * fraction);
    if (bytes <= limit - others) {
      return;
    }
    boolean local = "driver".equals(env.executorId());
    throw new GraphMemoryException(
        (key.contains("/result-") ? "the state and result of run " : "graph ")
            + key
            + " does not fit executor "
            + env.executorId()
            + ": it needs at least "
            + bytes
            + " bytes, and "
            + Math.max(0, limit - others)
            + " bytes are free for graphs, of a heap of "
            + heap
            + " bytes ("
            + GpuGraphConf.MEMORY_FRACTION.key()
            + " = "
            + fraction
            + (others > 0 ? ", and other graphs, runs and results hold " + others + " bytes" : "")
            + "): raise "
            + (local
                ? "spark.driver.memory"
                : "spark.executor.memory, spread the graph over more executors ("
                    + GpuGraphConf.EXECUTORS.key()
                    + ")")
            + ", or close graphs that are not needed");
  }
}
