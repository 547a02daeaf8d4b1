package io.sparkgpugraph.spark;

import io.sparkgpugraph.engine.KernelShape;
import io.sparkgpugraph.engine.ProgressListener;
import io.sparkgpugraph.engine.RunSummary;
import io.sparkgpugraph.engine.SuperstepLoop;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.program.Aggregate;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.spark.ShardStages.Exchange;
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

/**
 * A run on a graph that several executors hold, seen from the driver: one map stage per superstep,
 * in which every shard reads what the others have told it, gathers, runs the vertex program, and
 * tells what changed on its boundary. State stays with the executors ({@link HeldRun}). When some
 * of it is lost all shards go back to the last checkpoint, or to superstep 0, in a new generation.
 */
final class DistributedRun {
  private static final Logger LOG = LoggerFactory.getLogger(DistributedRun.class);

  /** Applications that were told that they have no checkpoint directory. */
  private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

  /** How often in a row a run is set back without getting further than before. */
  private static final int MOST_LOSSES = 8;

  /** How often in a row something may fail, such as memory, without getting further. */
  private static final int MOST_FAILURES = 1;

  /** Finds new places for shards whose executors are gone. */
  @FunctionalInterface
  interface Recovery {
    /**
     * Rebuilds what is lost on executors that live.
     *
     * @return the graph with the places of all shards
     */
    GraphHandle recover();
  }

  /**
   * How the driver runs it.
   *
   * @param name of the program, for Spark's UI
   * @param localSupersteps most supersteps between two exchanges, for programs that allow it
   * @param checkpointInterval exchanges between two checkpoints; 0: none
   */
  record Options(String name, int localSupersteps, int checkpointInterval) {}

  private final SparkContext sc;
  private final RunTask task;
  private final Options options;
  private final Recovery recovery;
  private final ProgressListener listener;
  private final FencedStages stages;
  private final LiftedProgram program;
  private final int shards;
  private final int localSupersteps;
  private final List<SuperstepStats> supersteps = new ArrayList<>();
  private final Map<Integer, FencedStages.Chosen> engines = new TreeMap<>();
  private GraphHandle graph;
  private Checkpoints checkpoints;
  private int generation;
  private int epoch;
  private Exchange exchange;
  private Exchange before;
  private Saved saved;
  private int farthest = -1;
  private int losses;
  private int failures;

  /** What the driver keeps of a checkpoint. */
  private record Saved(CheckpointFolder folder, int superstep, int entries) {}

  /**
   * @param graph held by several executors
   * @param listener hears of every superstep on the calling thread; after a loss, of those since
   *     the last checkpoint again
   */
  DistributedRun(
      SparkContext sc,
      GraphHandle graph,
      RunTask task,
      Options options,
      Recovery recovery,
      ProgressListener listener,
      ShardStages stages) {
    this.sc = sc;
    this.graph = graph;
    this.task = task;
    this.options = options;
    this.recovery = recovery;
    this.listener = listener;
    this.stages = new FencedStages(sc, stages, graph.locations());
    program = task.program().program();
    shards = graph.executors();
    boolean inPlace = KernelShape.of(program, task.settings(), false, true).inPlace();
    localSupersteps = inPlace ? options.localSupersteps() : 1;
  }

  /** What the run did, and where the graph and its result are now. */
  record Ended(Running.Ran ran, GraphHandle graph) {}

  /**
   * Runs to the end; the result is then kept under the task's result key by the executors. When it
   * fails nothing is left of it.
   */
  Ended run() {
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
      Ended ended = loop(start);
      done = true;
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(
          "interrupted in superstep " + supersteps.size() + " of " + name(), e);
    } finally {
      end(done);
    }
  }

  private String name() {
    return options.name();
  }

  private Ended loop(long start) throws InterruptedException {
    boolean begun = false;
    while (true) {
      try {
        if (!begun) {
          restart();
          begun = true;
        }
        RunSummary.Stopped stopped = stopped();
        if (stopped != null) {
          HeldRun.Finished finished = finish(finalAggregates());
          RunSummary summary =
              new RunSummary(
                  FencedStages.engines(engines), supersteps, stopped, System.nanoTime() - start);
          return new Ended(
              new Running.Ran(
                  summary,
                  stages.reason(engines),
                  finished.transferSeconds(),
                  finished.kernelSeconds(),
                  finished.hubSeconds()),
              graph);
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
        graph.vertices(),
        program.aggregates());
  }

  private void ended(SuperstepStats stats) {
    supersteps.add(stats);
    if (epoch > farthest) {
      farthest = epoch;
      losses = 0;
      failures = 0;
    }
    listener.superstepEnded(stats);
  }

  // ---- pieces of work -------------------------------------------------------------------------

  private RunWork.Begin begin() {
    return new RunWork.Begin(
        task.on(graph),
        generation,
        saved == null ? 0 : saved.folder().epoch(),
        saved == null ? null : saved.folder());
  }

  /** Opens the run on all shards, or takes them back to the last checkpoint. */
  private void restart() throws ShardsLostException, InterruptedException {
    RunWork.Begin work = begin();
    String what = (saved == null ? "superstep 0" : "superstep " + saved.superstep()) + " of ";
    FencedStages.Stage stage =
        stages.stage(what + name() + (generation == 0 ? "" : ", again"), work, null);
    keep(stage);
    epoch = work.epoch();
    engines.clear();
    List<SuperstepStats> firsts = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      HeldRun.Begun begun = stage.reports().get(shard).data(HeldRun.Begun.class);
      engines.put(shard, new FencedStages.Chosen(begun.engine(), begun.reason()));
      firsts.add(begun.stats());
    }
    supersteps.subList(saved == null ? 0 : saved.entries(), supersteps.size()).clear();
    if (saved == null) {
      ended(total(0, firsts));
    }
  }

  private void superstep() throws ShardsLostException, InterruptedException {
    SuperstepStats previous = last();
    FencedStages.Stage stage =
        stages.stage(
            "superstep " + (previous.superstep() + 1) + " of " + name(),
            new RunWork.Step(
                task.resultKey(), generation, epoch + 1, previous.aggregates(), localSupersteps),
            exchange);
    keep(stage);
    epoch++;
    List<SuperstepStats> parts = new ArrayList<>();
    int most = 0;
    long told = 0;
    for (int shard = 0; shard < shards; shard++) {
      HeldRun.Stepped stepped = stage.reports().get(shard).data(HeldRun.Stepped.class);
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
    FencedStages.Stage stage =
        stages.stage(
            "final aggregates of " + name(),
            new RunWork.Aggregates(task.resultKey(), generation, epoch),
            null);
    stages.remove(stage.exchange());
    List<double[]> parts = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      parts.add(stage.reports().get(shard).data(double[].class));
    }
    return combined(program.finalAggregates(), parts);
  }

  private HeldRun.Finished finish(double[] aggregates)
      throws ShardsLostException, InterruptedException {
    FencedStages.Stage stage =
        stages.stage(
            "result of " + name(),
            new RunWork.Finish(task.resultKey(), generation, epoch, aggregates),
            null);
    stages.remove(stage.exchange());
    double transfer = 0;
    double kernel = 0;
    double hub = 0;
    for (ShardReport report : stage.reports().values()) {
      HeldRun.Finished finished = report.data(HeldRun.Finished.class);
      transfer = Math.max(transfer, finished.transferSeconds());
      kernel = Math.max(kernel, finished.kernelSeconds());
      hub = Math.max(hub, finished.hubSeconds());
    }
    return new HeldRun.Finished(transfer, kernel, hub);
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
      FencedStages.Stage stage =
          stages.stage(
              "checkpoint behind superstep " + superstep + " of " + name(),
              new RunWork.Save(task.resultKey(), generation, epoch, superstep, folder),
              null);
      stages.remove(stage.exchange());
      complete(folder, superstep, stage);
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

  private void complete(CheckpointFolder folder, int superstep, FencedStages.Stage stage)
      throws IOException {
    Map<Integer, Long> lengths = new TreeMap<>();
    for (ShardReport report : stage.reports().values()) {
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

  /** An exchange becomes the current one; of older ones the last stays. */
  private void keep(FencedStages.Stage stage) {
    stages.remove(before);
    before = exchange;
    exchange = stage.exchange();
  }

  // ---- losses ---------------------------------------------------------------------------------

  private void setBack(ShardsLostException lost) {
    int superstep = supersteps.isEmpty() ? 0 : last().superstep();
    if (lost.isFailure() ? ++failures > MOST_FAILURES : ++losses > MOST_LOSSES) {
      Throwable cause = lost.getCause() == null ? lost : lost.getCause();
      if (cause instanceof OutOfMemoryError e) {
        throw e;
      }
      throw new IllegalStateException(
          name()
              + " was set back "
              + (lost.isFailure() ? failures : losses)
              + " times in a row without getting further than superstep "
              + superstep
              + "; the last time: "
              + lost.getMessage(),
          cause);
    }
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
    generation++;
    stages.remove(before);
    stages.remove(exchange);
    before = null;
    exchange = null;
    graph = recovered();
    stages.moved(graph.locations());
  }

  /** More executors may be lost while the graph is restored. */
  private GraphHandle recovered() {
    while (true) {
      try {
        return recovery.recover();
      } catch (GraphLostException e) {
        boolean another = e.getCause() instanceof MisplacedTaskException;
        if (!another || ++losses > MOST_LOSSES) {
          throw e;
        }
        LOG.warn("{}; restoring the graph once more", e.getMessage());
      }
    }
  }

  // ---- the end --------------------------------------------------------------------------------

  private void end(boolean done) {
    // What cleans up must not be interrupted.
    boolean interrupted = Thread.interrupted();
    try {
      stages.remove(before);
      stages.remove(exchange);
      if (checkpoints != null) {
        checkpoints.close();
      }
      if (!done) {
        ResidentState.forget(sc, task.resultKey(), graph.locations());
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
