package org.sparkgpugraph.runtime.stage;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import org.apache.spark.FutureAction;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.Executors;
import org.sparkgpugraph.runtime.cluster.GpuProfile;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.serial.PartitionNumbers;
import org.sparkgpugraph.runtime.serial.ShardSerializer;
import scala.Option;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Submits {@link StepRdd}s as map stages: a Spark job of one stage, about a third of what an empty
 * job with a shuffle takes.
 */
public final class ShardStages {
  private static final String GROUP = "spark.jobGroup.id";
  private static final ClassTag<Integer> INTEGER = ClassTag$.MODULE$.apply(Integer.class);
  private static final ClassTag<byte[]> BYTES = ClassTag$.MODULE$.apply(byte[].class);

  private final SparkContext sc;
  private final EngineChoice engine;
  private final String group;
  private final boolean compress;
  private final Lanes lanes;
  private final StandingTimes times;

  /**
   * @param engine whose devices the tasks ask for
   * @param group job group of the jobs, unless the caller has set one
   * @param compress whether Spark compresses what shards say, as it does what others shuffle
   * @param lanes into which what shards say is divided where Spark does nothing to it
   * @param times how long the tasks of a stage may stay for the work that follows
   */
  public ShardStages(
      SparkContext sc,
      EngineChoice engine,
      String group,
      boolean compress,
      Lanes lanes,
      StandingTimes times) {
    this.sc = sc;
    this.engine = engine;
    this.group = group;
    this.compress = compress;
    this.lanes = lanes;
    this.times = times;
  }

  /**
   * What a stage has left: its reports, and what its shards have said.
   *
   * @param dependency for the stage that reads it
   */
  record Exchange(StepRdd rdd, ShuffleDependency<Integer, byte[], byte[]> dependency) {
    Map<ShardReport.Key, ShardReport> reports() {
      return rdd.reports().value();
    }
  }

  /**
   * Runs a stage and waits for it. When the thread is interrupted its job is cancelled.
   *
   * @param description for Spark's UI
   * @param locations of the shards
   * @param before the previous exchange; null: none
   * @throws InterruptedException when interrupted
   */
  Exchange run(String description, List<String> locations, Exchange before, ShardWork work)
      throws Exception {
    Exchange exchange = exchange(locations, before, work);
    try {
      await(submitted(description, exchange));
    } catch (Exception | Error e) {
      remove(exchange);
      throw e;
    }
    return exchange;
  }

  /**
   * Submits a stage whose tasks stay for what follows.
   *
   * @param description for Spark's UI
   * @param locations of the shards
   * @param before the previous exchange; null: none
   * @param work what they do first
   * @param alive whether the executors of all shards live
   */
  StandingStage stand(
      String description,
      List<String> locations,
      Exchange before,
      ShardWork work,
      BooleanSupplier alive)
      throws Exception {
    Exchange exchange = exchange(locations, before, work);
    StandingStage stage = new StandingStage(sc, exchange, locations.size(), work, alive, times);
    try {
      exchange.rdd().stand(stage.name(), exchange.dependency());
      stage.runs(submitted(description, exchange));
    } catch (Exception | Error e) {
      stage.dismiss();
      remove(exchange);
      throw e;
    }
    return stage;
  }

  /**
   * Whether tasks of a stage may stay: where all of them can be at work at the same time, and what
   * they say passes as it is.
   *
   * @param locations of the shards
   */
  boolean mayStand(List<String> locations) {
    if (times.standingMillis() == 0 || !isPlain(locations.size())) {
      return false;
    }
    if (locations.contains(null)) {
      int slots = Executors.cores(sc) / sc.getConf().getInt("spark.task.cpus", 1);
      return locations.size() <= slots;
    }
    return locations.stream().distinct().count() == locations.size();
  }

  private Exchange exchange(List<String> locations, Exchange before, ShardWork work) {
    ShardReports reports = new ShardReports();
    sc.register(reports);
    if (before != null) {
      // What was said before that will never be read again.
      before.rdd().dropParent();
    }
    StepRdd rdd =
        new StepRdd(sc, locations, before == null ? null : before.dependency(), work, reports);
    GpuProfile.ask(sc, new JavaRDD<>(rdd, rdd.elementClassTag()), engine);
    return new Exchange(rdd, dependency(rdd, locations.size()));
  }

  private FutureAction<?> submitted(String description, Exchange exchange) throws Exception {
    return described(description, () -> sc.submitMapStage(exchange.dependency()));
  }

  private boolean isPlain(int shards) {
    return !compress && PlainShuffle.fits(sc.getConf(), shards);
  }

  private ShuffleDependency<Integer, byte[], byte[]> dependency(StepRdd rdd, int shards) {
    boolean plain = isPlain(shards);
    Lanes divided = lanes.within(sc.getConf(), shards);
    return new ShuffleDependency<>(
        rdd,
        new PartitionNumbers(plain ? divided.firstBlock(shards) : shards),
        new ShardSerializer(),
        Option.empty(),
        Option.empty(),
        false,
        plain ? new PlainShuffle(divided) : new ShuffleWriteProcessor(),
        INTEGER,
        BYTES,
        BYTES);
  }

  /** With the description, and a group where the caller has none; both as they were afterwards. */
  private <T> T described(String description, Callable<T> submission) throws Exception {
    String groupBefore = sc.getLocalProperty(GROUP);
    if (groupBefore == null) {
      sc.setLocalProperty(GROUP, group);
    }
    try {
      return JobDescription.with(sc, description, submission);
    } finally {
      sc.setLocalProperty(GROUP, groupBefore);
    }
  }

  /** Waits for a job; cancels it when the thread is interrupted. */
  static void await(FutureAction<?> job) throws Exception {
    try {
      Await.result(job, Duration.Inf());
    } catch (InterruptedException e) {
      job.cancel();
      throw e;
    }
  }

  /** Removes the files of an exchange everywhere; Spark does not wait for it. */
  void remove(Exchange exchange) {
    if (exchange == null || sc.isStopped()) {
      return;
    }
    int id = exchange.dependency().shuffleId();
    exchange.rdd().dropParent();
    if (sc.cleaner().isDefined()) {
      sc.cleaner().get().doCleanupShuffle(id, false);
    } else {
      sc.shuffleDriverComponents().removeShuffle(id, false);
      ((MapOutputTrackerMaster) sc.env().mapOutputTracker()).unregisterShuffle(id);
    }
  }
}
