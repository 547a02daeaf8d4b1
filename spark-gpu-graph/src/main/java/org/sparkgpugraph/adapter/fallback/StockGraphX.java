package org.sparkgpugraph.adapter.fallback;

import java.util.concurrent.Callable;
import org.sparkgpugraph.runtime.cluster.SparkFailures;

/**
 * Calls that are meant for GraphX's own code. In transparent mode GraphX's objects ask us first:
 * what this thread calls from in here they leave alone, so that a fallback does not come back.
 */
public final class StockGraphX {
  private static final ThreadLocal<StockGraphX> OF_THREAD =
      ThreadLocal.withInitial(StockGraphX::new);

  private int depth;
  private long calls;

  private StockGraphX() {}

  /** Makes a call that no one takes over. */
  public static <T> T call(Callable<T> stock) {
    StockGraphX state = OF_THREAD.get();
    state.depth++;
    state.calls++;
    try {
      return stock.call();
    } catch (Exception e) {
      // As GraphX throws it.
      throw SparkFailures.undeclared(e);
    } finally {
      state.depth--;
    }
  }

  /** Whether this thread is in such a call. */
  public static boolean isRunning() {
    return OF_THREAD.get().depth > 0;
  }

  /**
   * How many such calls this thread has begun: whoever compares two knows whether one fell back.
   */
  public static long calls() {
    return OF_THREAD.get().calls;
  }
}
