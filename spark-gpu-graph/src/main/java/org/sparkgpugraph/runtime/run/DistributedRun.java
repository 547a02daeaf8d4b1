package org.sparkgpugraph.runtime.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.device.ChosenEngines;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.CheckpointFolder;
import org.sparkgpugraph.runtime.stage.Checkpoints;
import org.sparkgpugraph.runtime.stage.Computation;
import org.sparkgpugraph.runtime.stage.FencedShard;
import org.sparkgpugraph.runtime.stage.FencedStages;
import org.sparkgpugraph.runtime.stage.RunTask;
import org.sparkgpugraph.runtime.stage.ShardComputation.Progress;
import org.sparkgpugraph.runtime.stage.ShardReport;
import org.sparkgpugraph.runtime.stage.ShardStages;
import org.sparkgpugraph.runtime.stage.ShardWork;
import org.sparkgpugraph.runtime.stage.ShardsLostException;

/**
 * A run on a graph that several executors hold, seen from the driver: one map stage per superstep
 * or round, in which every shard reads what the others have told it, goes on, and tells what
 * changed on its boundary. State stays with the executors ({@link FencedShard}). When some of it is
 * lost all shards go back to the last checkpoint, or to superstep 0, in a new generation.
 */
public final class DistributedRun {
  private static final Logger LOG = LoggerFactory.getLogger(DistributedRun.class);

  /** Applications that were told that they have no checkpoint directory. */
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  /**
   * How the driver runs it.
   *
   * @param name of what runs, for Spark's UI
   * @param localSupersteps most supersteps between two exchanges, for programs that allow it; 0:
   *     chosen by every shard
   * @param checkpointInterval exchanges between two checkpoints, for what can be restored; 0: none
   */
  public record Options(String name, int localSupersteps, int checkpointInterval) {}

  private final SparkContext sc;
  private final RunTask task;
  private final Options options;
  private final ProgressListener listener;
  private final FencedStages stages;
  private final Computation computation;
  private final int localSupersteps;
  private final List<SuperstepStats> supersteps = new ArrayList<>();
  private Checkpoints checkpoints;
  private int epoch;
  private boolean more;

  /** Whether hubs are told partial messages: all shards can. */
  private boolean tellsHubs;

  private Saved saved;
  private int farthest = -1;

  /** What the driver keeps of a checkpoint. */
  private record Saved(CheckpointFolder folder, int superstep, int entries) {}

  /**
   * @param graph held by several executors
   * @param listener hears of every superstep on the calling thread; after a loss, of those since
   *     the last checkpoint again
   */
  public DistributedRun(
      SparkContext sc,
      GraphHandle graph,
      RunTask task,
      Options options,
      FencedStages.Recovery recovery,
      ProgressListener listener,
      ShardStages stages) {
    this.sc = sc;
    this.task = task;
    this.options = options;
    this.listener = listener;
    this.stages = new FencedStages(sc, stages, name(), task.resultKey(), graph, recovery);
    computation = task.computation();
    localSupersteps = computation.runsInPlace() ? options.localSupersteps() : 1;
  }

  /**
   * Runs to the end; the result is then kept under the task's result key by the executors. When it
   * fails nothing is left of it.
   */
  public FencedStages.Ended run() {
    long start = System.nanoTime();
    boolean done = false;
    try {
      if (options.checkpointInterval() > 0 && computation.isRestorable()) {
        checkpoints = Checkpoints.of(sc, begin().runNumber());
        if (checkpoints == null && SAID.add(sc.applicationId())) {
          LOG.info(
              "no checkpoint directory: when an executor is lost, a run starts again from superstep"
                  + " 0; SparkContext.setCheckpointDir gives one");
        }
      }
      FencedStages.Ended ended = loop(start);
      done = true;
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted in " + step(supersteps.size()) + " of " + name(), e);
    } finally {
      stages.close(
          done,
          () -> {
            if (checkpoints != null) {
              checkpoints.close();
            }
          });
    }
  }

  private String name() {
    return options.name();
  }

  private String step(int number) {
    return computation.step() + " " + number;
  }

  private FencedStages.Ended loop(long start) throws InterruptedException {
    boolean begun = false;
    while (true) {
      try {
        if (!begun) {
          restart();
          begun = true;
        }
        RunSummary.Stopped stopped = stopped();
        if (stopped != null) {
          return stages.ended(supersteps, stopped, start, finish(finalAggregates()));
        }
        superstep();
        if (checkpoints != null && epoch % options.checkpointInterval() == 0) {
          save();
        }
      } catch (ShardsLostException lost) {
        begun = false;
        saved = lost.isUnreadable() ? null : saved;
        setBack(lost);
      }
    }
  }

  private SuperstepStats last() {
    return supersteps.get(supersteps.size() - 1);
  }

  private RunSummary.Stopped stopped() {
    return computation.stopped(supersteps, more, stages.graph().vertices());
  }

  private void ended(SuperstepStats stats, List<Progress> shards) {
    supersteps.add(stats);
    more = shards.stream().anyMatch(Progress::more);
    if (epoch > farthest) {
      farthest = epoch;
      stages.gotFurther();
    }
    listener.superstepEnded(stats);
  }

  // ---- pieces of work -------------------------------------------------------------------------

  private ShardWork.Begin begin() {
    return new ShardWork.Begin(
        task.on(stages.graph()),
        stages.generation(),
        saved == null ? 0 : saved.folder().epoch(),
        saved == null ? null : saved.folder());
  }

  /** Opens the run on all shards, or takes them back to the last checkpoint. */
  private void restart() throws ShardsLostException, InterruptedException {
    ShardWork.Begin work = begin();
    List<FencedShard.Begun> begun =
        FencedStages.data(
            stages.begin(step(saved == null ? 0 : saved.superstep()), work),
            FencedShard.Begun.class);
    epoch = work.epoch();
    tellsHubs = begun.stream().allMatch(FencedShard.Begun::tellsHubs);
    stages.chose(
        begun.stream().map(b -> new ChosenEngines.Chosen(b.engine(), b.reason())).toList());
    supersteps.subList(saved == null ? 0 : saved.entries(), supersteps.size()).clear();
    if (saved == null) {
      List<Progress> first = begun.stream().map(FencedShard.Begun::progress).toList();
      ended(total(0, first), first);
    }
  }

  private void superstep() throws ShardsLostException, InterruptedException {
    SuperstepStats previous = last();
    List<ShardReport> reports =
        stages.step(
            step(previous.superstep() + 1),
            new ShardWork.Step(
                task.resultKey(),
                stages.generation(),
                epoch + 1,
                previous.aggregates(),
                localSupersteps,
                tellsHubs));
    epoch++;
    List<Progress> shards = FencedStages.data(reports, Progress.class);
    int most = shards.stream().mapToInt(Progress::supersteps).max().orElse(0);
    SuperstepStats stats = total(previous.superstep() + most, shards);
    if (localSupersteps != 1 && stats.activeVertices() == 0) {
      // What changed in an earlier local superstep is active for those who are told only now.
      stats = stats.active(shards.stream().mapToLong(Progress::waking).sum());
    }
    ended(stats, shards);
  }

  /** The sum over the shards, in their order; of times the longest. */
  private SuperstepStats total(int superstep, List<Progress> shards) {
    List<SuperstepStats> parts = shards.stream().map(Progress::stats).toList();
    return SuperstepStats.beside(
        superstep,
        parts,
        computation.aggregates(parts.stream().map(SuperstepStats::aggregates).toList()));
  }

  private double[] finalAggregates() throws ShardsLostException, InterruptedException {
    if (!computation.hasFinalAggregates()) {
      return new double[0];
    }
    List<ShardReport> reports =
        stages.aside(
            "final aggregates",
            new ShardWork.Aggregates(task.resultKey(), stages.generation(), epoch));
    return computation.finalAggregates(FencedStages.data(reports, double[].class));
  }

  private List<ShardReport> finish(double[] aggregates)
      throws ShardsLostException, InterruptedException {
    return stages.aside(
        "result", new ShardWork.Finish(task.resultKey(), stages.generation(), epoch, aggregates));
  }

  /**
   * Writes a checkpoint. One that cannot be written is left out: the run goes on, and what it would
   * go back to is what it was before.
   */
  private void save() throws ShardsLostException, InterruptedException {
    CheckpointFolder folder = checkpoints.folder(epoch);
    int superstep = last().superstep();
    boolean complete = false;
    try {
      complete(
          folder,
          superstep,
          stages.aside(
              "checkpoint behind superstep " + superstep,
              new ShardWork.Save(task.resultKey(), stages.generation(), epoch, superstep, folder)));
      complete = true;
    } catch (IOException e) {
      LOG.warn(
          "the checkpoint behind superstep {} of {} is left out: {}. The run goes on; should an"
              + " executor be lost it goes back to {}. Make the directory writable and see that"
              + " there is room in it, or give another one to SparkContext.setCheckpointDir before"
              + " the next run, or set {} = 0",
          superstep,
          name(),
          e.getMessage(),
          goesBackTo(),
          GpuGraphConf.CHECKPOINT_INTERVAL.key());
    } finally {
      if (!complete) {
        checkpoints.remove(folder);
      }
    }
  }

  private void complete(CheckpointFolder folder, int superstep, List<ShardReport> reports)
      throws IOException {
    Map<Integer, Long> lengths = new TreeMap<>();
    for (ShardReport report : reports) {
      if (report.outcome() == ShardReport.Outcome.CHECKPOINT_UNWRITABLE) {
        throw new IOException(report.why());
      }
      lengths.put(report.shard(), report.data(Long.class));
    }
    checkpoints.complete(folder, superstep, lengths);
    Saved old = saved;
    saved = new Saved(folder, superstep, supersteps.size());
    if (old != null) {
      checkpoints.remove(old.folder());
    }
  }

  /** Where the run would begin again. */
  private String goesBackTo() {
    return saved == null ? step(0) : "the checkpoint behind " + step(saved.superstep());
  }

  // ---- losses ---------------------------------------------------------------------------------

  private void setBack(ShardsLostException lost) {
    int superstep = supersteps.isEmpty() ? 0 : last().superstep();
    stages.count(lost, " in a row without getting further than " + step(superstep));
    if (saved != null && !checkpoints.isComplete(saved.folder())) {
      LOG.warn("the checkpoint {} is gone", saved.folder().path());
      saved = null;
    }
    LOG.warn(
        "{}; {} goes on from {} ({} was reached)",
        lost.getMessage(),
        name(),
        goesBackTo()
            + (checkpoints == null && computation.isRestorable()
                ? ", since there are no checkpoints"
                : ""),
        step(superstep));
    stages.restore(lost.edgesLost());
  }
}
