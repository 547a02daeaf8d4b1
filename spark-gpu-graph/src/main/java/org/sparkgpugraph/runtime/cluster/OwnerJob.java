package org.sparkgpugraph.runtime.cluster;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.serial.TaskResult;

/**
 * Runs jobs whose tasks must run on the executors that hold a graph ({@link PinnedRdd}): waits for
 * an owner that is busy, reports one that is gone.
 */
public final class OwnerJob {
  private static final Logger LOG = LoggerFactory.getLogger(OwnerJob.class);

  private OwnerJob() {}

  /**
   * Runs a job whose tasks may run anywhere.
   *
   * @param key of what it is for, for messages
   * @throws IllegalStateException when the thread is interrupted; the job is cancelled then
   */
  public static <T> T anywhere(SparkContext sc, String key, Callable<T> job) {
    return run(sc, key, List.of(), job);
  }

  /**
   * Runs a job until its tasks have run where they belong.
   *
   * @param key of the graph or result, for messages
   * @param locations of its owners; null with a local master
   * @param job submits the job; may be called again when a task of it was misplaced
   * @throws GraphLostException when an owner does not live any more, or an executor that holds what
   *     the job reads
   * @throws IllegalStateException when the thread is interrupted; the job is cancelled then
   */
  public static <T> T run(SparkContext sc, String key, List<String> locations, Callable<T> job) {
    while (true) {
      try {
        return cancellable(sc, "in a job on " + key, job);
      } catch (Exception | Error e) {
        RuntimeException thrown = SparkFailures.unwrap(e);
        if (!(thrown instanceof MisplacedTaskException misplaced)) {
          throw thrown;
        }
        for (String location : locations) {
          if (location != null && !Executors.isAlive(sc, location)) {
            throw new GraphLostException(key, location, thrown);
          }
        }
        if (!Executors.isAlive(sc, misplaced.wanted())) {
          throw GraphLostException.forGood(
              key,
              "it is made of a graph or a result that "
                  + misplaced.wanted()
                  + " held, which is lost; make that and all that was made of it again");
        }
        LOG.info("{}; waiting for it, since it holds {}", thrown.getMessage(), key);
        pause();
      }
    }
  }

  /**
   * Runs one task where something is held.
   *
   * @param key of it, for messages
   * @param location {@code executor_<host>_<id>} of its owner; null for anywhere
   * @param engine whose devices the task asks for
   * @param work gives one of the library's own objects
   */
  public static <T extends Serializable> T at(
      SparkContext sc,
      String key,
      String location,
      EngineChoice engine,
      Class<T> type,
      PinnedRdd.Work<T> work) {
    List<String> locations = Collections.singletonList(location);
    PinnedRdd.Work<byte[]> packed = part -> TaskResult.pack(work.at(part));
    return TaskResult.unpack(
        run(
            sc,
            key,
            locations,
            () -> PinnedRdd.only(GpuProfile.ask(sc, PinnedRdd.of(sc, locations, packed), engine))),
        type);
  }

  /**
   * Runs jobs that are cancelled when the thread is interrupted: Spark stops to wait then, but lets
   * them go on.
   *
   * @param where the thread is, for the message
   * @throws IllegalStateException when it is interrupted
   */
  public static <T> T cancellable(SparkContext sc, String where, Callable<T> jobs)
      throws Exception {
    String tag = "gpugraph-" + UUID.randomUUID();
    sc.addJobTag(tag);
    try {
      return jobs.call();
    } catch (InterruptedException e) {
      sc.cancelJobsWithTag(tag);
      throw SparkFailures.interrupted(where, e);
    } finally {
      sc.removeJobTag(tag);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(Misplaced.ROOM_MILLIS);
    } catch (InterruptedException e) {
      throw SparkFailures.interrupted("while waiting for a busy executor", e);
    }
  }
}
