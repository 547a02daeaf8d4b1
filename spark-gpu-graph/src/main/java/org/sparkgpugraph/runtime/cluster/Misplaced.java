package org.sparkgpugraph.runtime.cluster;

import java.util.function.BooleanSupplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.storage.BlockManagerId;

/**
 * Tasks that Spark has started elsewhere than they belong. The first attempt of a task may end at
 * once. A later one may be a speculative copy ({@code spark.speculation}) of a task that is at work
 * where it belongs: ended well it would have Spark kill that one half way, ended badly it would
 * count as a failure. So it waits until it is killed, since the other one has ended, and from time
 * to time makes room and lets Spark place it anew.
 */
public final class Misplaced {
  private static final long PATIENCE_NANOS = 5_000_000_000L;
  private static final long PAUSE_MILLIS = 50;

  private Misplaced() {}

  /**
   * To be called in a misplaced task; returns when it may end.
   *
   * @param wanted {@code executor_<host>_<id>}: where it belongs
   * @param context of the task; null outside of one
   * @throws TaskKilledException when it was killed, or Spark is to place it anew
   */
  public static void await(String wanted, TaskContext context) {
    if (context != null) {
      await(context.attemptNumber(), () -> isAlive(wanted), context::isInterrupted, PATIENCE_NANOS);
    }
  }

  /**
   * @param attempt number of the attempt within its stage attempt
   * @param owner whether the executor where the task belongs lives
   * @param killed whether the task was killed
   */
  public static void await(
      int attempt, BooleanSupplier owner, BooleanSupplier killed, long patienceNanos) {
    if (attempt == 0) {
      return;
    }
    long start = System.nanoTime();
    while (owner.getAsBoolean()) {
      if (killed.getAsBoolean()) {
        throw new TaskKilledException();
      }
      if (System.nanoTime() - start > patienceNanos) {
        throw new TaskKilledException("the task belongs to another executor");
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TaskKilledException();
      }
    }
  }

  /** As the driver knows it: this may be asked for in an executor too. */
  private static boolean isAlive(String location) {
    BlockManagerId here = SparkEnv.get().blockManager().blockManagerId();
    return SparkEnv.get()
        .blockManager()
        .master()
        .getPeers(here)
        .exists(other -> Executors.location(other).equals(location));
  }
}
