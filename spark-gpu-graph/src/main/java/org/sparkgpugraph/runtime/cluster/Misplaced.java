package org.sparkgpugraph.runtime.cluster;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskKilledException;
import org.apache.spark.storage.BlockManagerId;

/**
 * Tasks that Spark has started elsewhere than they belong. The first attempt of a task ends at
 * once. Later ones wait, so that other tasks of the stage which are where they belong need not
 * begin again, and now and then make room and let Spark place them anew.
 *
 * <p>Spark does so at once, and where their own executor is taken by a task that belongs here both
 * would find the same places again, for ever. So after some attempts a task ends: its job fails,
 * and {@link OwnerJob} submits it again after a pause, in which the other one finds its place.
 *
 * <p>With {@code spark.speculation} a later attempt may be a copy of a task that is at work where
 * it belongs: ended well it would have Spark kill that one half way, ended badly it would count as
 * a failure. There it waits until it is killed, since the other one has ended.
 */
public final class Misplaced {
  private static final Patience PATIENCE = new Patience(500, 10);
  private static final Patience OF_COPIES = new Patience(5_000, Integer.MAX_VALUE);
  private static final long PAUSE_MILLIS = 50;

  /** Longer than any task waits that is no copy, so that each looks for another place meanwhile. */
  static final long ROOM_MILLIS = 2 * PATIENCE.millis();

  /**
   * How tasks wait.
   *
   * @param millis before one is placed anew
   * @param attempts that wait
   */
  record Patience(long millis, int attempts) {}

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
      boolean copies = SparkEnv.get().conf().getBoolean("spark.speculation", false);
      await(
          context.attemptNumber(),
          copies ? OF_COPIES : PATIENCE,
          () -> isAlive(wanted),
          context::isInterrupted);
    }
  }

  /**
   * @param attempt number of the attempt within its stage attempt
   * @param owner whether the executor where the task belongs lives
   * @param killed whether the task was killed
   */
  static void await(int attempt, Patience patience, BooleanSupplier owner, BooleanSupplier killed) {
    if (attempt == 0 || attempt > patience.attempts()) {
      return;
    }
    long start = System.nanoTime();
    while (owner.getAsBoolean()) {
      if (killed.getAsBoolean()) {
        throw new TaskKilledException();
      }
      if (System.nanoTime() - start > TimeUnit.MILLISECONDS.toNanos(patience.millis())) {
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
