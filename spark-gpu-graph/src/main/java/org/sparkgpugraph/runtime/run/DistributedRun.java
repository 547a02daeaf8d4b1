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
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.ProgressListener;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.program.Aggregate;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.device.ChosenEngines;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.stage.CheckpointFolder;
import org.sparkgpugraph.runtime.stage.Checkpoints;
import org.sparkgpugraph.runtime.stage.FencedStages;
import org.sparkgpugraph.runtime.stage.ShardReport;
import org.sparkgpugraph.runtime.stage.ShardStages;
import org.sparkgpugraph.runtime.stage.ShardsLostException;

/**
 * A run on a graph that several executors hold, seen from the driver: one map stage per superstep,
 * in which every shard reads what the others have told it, gathers, runs the vertex program, and
 * tells what changed on its boundary. State stays with the executors ({@link HeldRun}). When some
 * of it is lost all shards go back to the last checkpoint, or to superstep 0, in a new generation.
 */
public final class DistributedRun {
  private static final Logger LOG = LoggerFactory.getLogger(DistributedRun.class);

  /** Applications that were told that they have no checkpoint directory. */
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  /**
   * How the driver runs it.
   *
   * @param name of the program, for Spark's UI
   * @param localSupersteps most supersteps between two exchanges, for programs that allow it
   * @param checkpointInterval exchanges between two checkpoints; 0: none
   */
  public record Options(String name, int localSupersteps, int checkpointInterval) {}

  private final SparkContext sc;
  private final RunTask task;
  private final Options options;
  private final ProgressListener listener;
  private final FencedStages stages;
  private final LiftedProgram program;
  private final int localSupersteps;
  private final List<SuperstepStats> supersteps = new ArrayList<>();
  private Checkpoints checkpoints;
  private int epoch;
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
    program = task.program().program();
    boolean inPlace = KernelShape.of(program, task.settings(), false, true).inPlace();
    localSupersteps = inPlace ? options.localSupersteps() : 1;
  }

  /**
   * Runs to the end; the result is then kept under the task's result key by the executors. When it
   * fails nothing is left of it.
   */
  public FencedStages.Ended run() {
    long start = System.nanoTime();
    boolean done = false;
    try {
      if (options.checkpointInterval() > 0) {
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
          "interrupted in superstep " + supersteps.size() + " of " + name(), e);
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
    return SuperstepLoop.stopped(
        task.settings(),
        last(),
        task.settings().initialMessage() != null || supersteps.size() > 1,
        stages.graph().vertices(),
        program.aggregates());
  }

  private void ended(SuperstepStats stats) {
    supersteps.add(stats);
    if (epoch > farthest) {
      farthest = epoch;
      stages.gotFurther();
    }
    listener.superstepEnded(stats);
  }

  // ---- pieces of work -------------------------------------------------------------------------

  private RunWork.Begin begin() {
    return new RunWork.Begin(
        task.on(stages.graph()),
        stages.generation(),
        saved == null ? 0 : saved.folder().epoch(),
        saved == null ? null : saved.folder());
  }

  /** Opens the run on all shards, or takes them back to the last checkpoint. */
  private void restart() throws ShardsLostException, InterruptedException {
    RunWork.Begin work = begin();
    List<HeldRun.Begun> begun =
        FencedStages.data(
            stages.begin("superstep " + (saved == null ? 0 : saved.superstep()), work),
            HeldRun.Begun.class);
    epoch = work.epoch();
    stages.chose(
        begun.stream().map(b -> new ChosenEngines.Chosen(b.engine(), b.reason())).toList());
    supersteps.subList(saved == null ? 0 : saved.entries(), supersteps.size()).clear();
    if (saved == null) {
      ended(total(0, begun.stream().map(HeldRun.Begun::stats).toList()));
    }
  }

  private void superstep() throws ShardsLostException, InterruptedException {
    SuperstepStats previous = last();
    List<ShardReport> reports =
        stages.step(
            "superstep " + (previous.superstep() + 1),
            new RunWork.Step(
                task.resultKey(),
                stages.generation(),
                epoch + 1,
                previous.aggregates(),
                localSupersteps));
    epoch++;
    List<SuperstepStats> parts = new ArrayList<>();
    int most = 0;
    long told = 0;
    for (HeldRun.Stepped stepped : FencedStages.data(reports, HeldRun.Stepped.class)) {
      parts.add(stepped.stats());
      most = Math.max(most, stepped.supersteps());
      told += stepped.told();
    }
    SuperstepStats stats = total(previous.superstep() + most, parts);
    if (localSupersteps > 1 && stats.activeVertices() == 0) {
      // What changed in an earlier local superstep is active for those who are told only now.
      stats = stats.active(told);
    }
    ended(stats);
  }

  /** The sum over the shards, in their order; of times the longest. */
  private SuperstepStats total(int superstep, List<SuperstepStats> parts) {
    return SuperstepStats.beside(
        superstep,
        parts,
        combined(program.aggregates(), parts.stream().map(SuperstepStats::aggregates).toList()));
  }

  private static double[] combined(List<Aggregate> aggregates, List<double[]> parts) {
    double[] sums = new double[aggregates.size()];
    for (int i = 0; i < sums.length; i++) {
      Aggregate.Operation operation = aggregates.get(i).operation();
      sums[i] = operation.neutral();
      for (double[] part : parts) {
        sums[i] = operation.combine(sums[i], part[i]);
      }
    }
    return sums;
  }

  private double[] finalAggregates() throws ShardsLostException, InterruptedException {
    if (program.finalAggregates().isEmpty()) {
      return new double[0];
    }
    List<ShardReport> reports =
        stages.aside(
            "final aggregates",
            new RunWork.Aggregates(task.resultKey(), stages.generation(), epoch));
    return combined(program.finalAggregates(), FencedStages.data(reports, double[].class));
  }

  private List<ShardReport> finish(double[] aggregates)
      throws ShardsLostException, InterruptedException {
    return stages.aside(
        "result", new RunWork.Finish(task.resultKey(), stages.generation(), epoch, aggregates));
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
              new RunWork.Save(task.resultKey(), stages.generation(), epoch, superstep, folder)));
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
    return saved == null ? "superstep 0" : "the checkpoint behind superstep " + saved.superstep();
  }

  // ---- losses ---------------------------------------------------------------------------------

  private void setBack(ShardsLostException lost) {
    int superstep = supersteps.isEmpty() ? 0 : last().superstep();
    stages.count(lost, " in a row without getting further than superstep " + superstep);
    if (saved != null && !checkpoints.isComplete(saved.folder())) {
      LOG.warn("the checkpoint {} is gone", saved.folder().path());
      saved = null;
    }
    LOG.warn(
        "{}; {} goes on from {} (superstep {} was reached)",
        lost.getMessage(),
        name(),
        goesBackTo() + (checkpoints == null ? ", since there are no checkpoints" : ""),
        superstep);
    stages.restore();
  }
}
