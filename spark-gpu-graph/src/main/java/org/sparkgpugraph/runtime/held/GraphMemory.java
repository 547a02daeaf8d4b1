package org.sparkgpugraph.runtime.held;

import java.util.Map;
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
    long limit = (long) (heap * fraction);
    boolean local = "driver".equals(env.executorId());
    throw new GraphMemoryException(
        ("%s%s does not fit executor %s: it needs at least %s bytes, and %s bytes are"
                + " free for graphs, of a heap of %s bytes (%s = %s%s): raise %s, or close graphs"
                + " that are not needed")
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
                local
                    ? "spark.driver.memory"
                    : "spark.executor.memory, spread the graph over more executors ("
                        + GpuGraphConf.EXECUTORS.key()
                        + ")"));
  }

  /** Whether {@link #check} accepts it. */
  static boolean fits(long bytes, long others) {
    SparkEnv env = SparkEnv.get();
    return env == null
        || bytes <= (long) (Runtime.getRuntime().maxMemory() * fraction(env)) - others;
  }

  private static double fraction(SparkEnv env) {
    return GpuGraphConf.of(env.conf(), Map.of()).get(GpuGraphConf.MEMORY_FRACTION);
  }
}
