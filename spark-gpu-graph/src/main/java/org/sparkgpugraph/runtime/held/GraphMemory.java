package org.sparkgpugraph.runtime.held;

import org.apache.spark.SparkEnv;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;

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
    if (fits(bytes, others)) {
      return;
    }
    double fraction = fraction(env);
    long heap = Runtime.getRuntime().maxMemory();
    long limit = limit(env);
    throw new GraphMemoryException(
        ("%s%s does not fit executor %s: it needs at least %s bytes, and %s bytes are"
                + " free for graphs, of a heap of %s bytes (%s = %s%s): %s")
            .formatted(
                RegistryKey.isResult(key) ? "the state and result of run " : "graph ",
                key,
                env.executorId(),
                bytes,
                Math.max(0, limit - others),
                heap,
                GpuGraphConf.MEMORY_FRACTION.key(),
                fraction,
                others > 0 ? ", and other graphs, runs and results hold " + others + " bytes" : "",
                remedy(env)));
  }

  /**
   * That the JVM had no memory for a part of a graph, although the bound was kept: arrays want it
   * in one piece, which other objects may have left none of. There is no cause: what looks for the
   * class of the error in a log would take it for an executor that ended.
   *
   * @param bytes reserved for the graph
   */
  static GraphMemoryException exhausted(String key, long bytes, OutOfMemoryError error) {
    SparkEnv env = SparkEnv.get();
    return new GraphMemoryException(
        ("graph %s does not fit executor %s: the JVM has no piece of memory for another array of it"
                + " (%s), with %s bytes reserved for it of a heap of %s bytes: %s")
            .formatted(
                key,
                env.executorId(),
                error.getMessage(),
                bytes,
                Runtime.getRuntime().maxMemory(),
                remedy(env)));
  }

  private static String remedy(SparkEnv env) {
    String memory =
        "driver".equals(env.executorId())
            ? "spark.driver.memory"
            : "spark.executor.memory, spread the graph over more executors ("
                + GpuGraphConf.EXECUTORS.key()
                + ")";
    return "raise " + memory + ", or close graphs that are not needed";
  }

  /** Whether {@link #check} accepts it. */
  static boolean fits(long bytes, long others) {
    SparkEnv env = SparkEnv.get();
    return env == null || bytes <= limit(env) - others;
  }

  /** Bytes of the heap that all graphs, runs and results may take together. */
  static long limit(SparkEnv env) {
    long heap = Runtime.getRuntime().maxMemory();
    return env == null ? heap : (long) (heap * fraction(env));
  }

  private static double fraction(SparkEnv env) {
    return GpuGraphConf.of(env.conf(), GpuGraphConf.MEMORY_FRACTION);
  }
}
