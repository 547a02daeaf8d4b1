package org.sparkgpugraph.runtime.observe;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.LaneUse;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.event.GraphResultCollected;
import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunStarted;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.ui.GraphUi;

/**
 * Follows a run on the driver: tells the user's observer, Spark's listeners and event log, the
 * driver's metrics and the console. Supersteps may come from several threads, one at a time.
 */
public final class RunWatch implements RunObserver, AutoCloseable {
  private static final Map<String, RunWatch> WATCHES = new ConcurrentHashMap<>();

  private final SparkContext sc;
  private final RunObserver user;
  private final String run;
  private final String program;
  private final long fullBytes;
  private final SuperstepEvents events;
  private final ConsoleProgress progress;
  private final RunMetrics.Meter meter = RunMetrics.driver().begin();
  private final long start = System.nanoTime();
  private final boolean spread;

  // Guarded by this.
  private long before = start;
  private SuperstepStats sum;
  private long fullExchangeBytes;
  private boolean ended;

  /**
   * What is known before a run.
   *
   * @param liftSeconds reading the program
   * @param loadSeconds loading the graph, or what it lacked
   * @param mostSupersteps bound on them; {@link Integer#MAX_VALUE}: none
   */
  public record Before(double liftSeconds, double loadSeconds, int mostSupersteps) {}

  /**
   * @param spread whether several executors work, each superstep being a stage of Spark
   */
  private RunWatch(
      SparkContext sc,
      RunObserver user,
      String run,
      String program,
      long fullBytes,
      boolean spread,
      int mostSupersteps) {
    this.sc = sc;
    this.user = user;
    this.run = run;
    this.program = program.substring(program.lastIndexOf('.') + 1);
    this.fullBytes = fullBytes;
    this.spread = spread;
    this.progress = ConsoleProgress.of(sc, program, mostSupersteps);
    this.events = new SuperstepEvents(run, this::post, System::nanoTime);
  }

  /**
   * A lifted program, or an operator, begins to run.
   *
   * @param name of it
   * @param engine that was asked for
   * @param run key of the run
   * @param rowBytes bytes of a vertex's values that partitions tell each other; 0: what an operator
   *     tells is no such row
   * @param before what is known before it
   */
  public static RunWatch begin(
      SparkContext sc,
      RunObserver user,
      String name,
      EngineChoice engine,
      String run,
      GraphHandle graph,
      int rowBytes,
      Before before) {
    RunWatch watch =
        new RunWatch(
            sc,
            user,
            run,
            name,
            FullExchange.bytes(graph.vertices(), graph.partitions(), rowBytes),
            graph.executors() > 1,
            before.mostSupersteps());
    watch.started(
        new GraphRunStarted(
            run,
            name,
            engine.name().toLowerCase(Locale.ROOT),
            graph.vertices(),
            graph.edges(),
            graph.bytes(),
            graph.executors(),
            graph.partitions(),
            rowBytes,
            System.currentTimeMillis(),
            before.liftSeconds(),
            before.loadSeconds()));
    return watch;
  }

  /**
   * A run on stock GraphX begins.
   *
   * @param name of the program
   * @param run key of the run
   */
  public static RunWatch beginOnGraphX(SparkContext sc, RunObserver user, String name, String run) {
    RunWatch watch = new RunWatch(sc, user, run, name, 0, false, Integer.MAX_VALUE);
    watch.started(
        new GraphRunStarted(
            run, name, "graphx", -1, -1, 0, 0, 0, 0, System.currentTimeMillis(), 0, 0));
    return watch;
  }

  private void started(GraphRunStarted event) {
    GraphUi.attach(sc);
    post(event);
    WATCHES.put(run, this);
  }

  /**
   * The result of a run left the executors.
   *
   * @param run key of the run
   */
  public static void collected(SparkContext sc, String run, double seconds) {
    sc.listenerBus().post(new GraphResultCollected(run, seconds, System.currentTimeMillis()));
  }

  /** The simple name of the class that the vertex program was written in. */
  public String program() {
    return program;
  }

  /** The class in which a function was written: of a lambda the one around it. */
  public static String programName(Object function) {
    String name = function.getClass().getName();
    int lambda = name.indexOf("$$Lambda");
    name = lambda < 0 ? name : name.substring(0, lambda);
    // Scala's objects, and its lambdas' classes.
    return name.endsWith("$") ? name.substring(0, name.length() - 1) : name;
  }

  private void post(SparkListenerEvent event) {
    sc.listenerBus().post(event);
  }

  /** What an executor says of a run that goes on there; shown on the console alone. */
  static void superstepOnExecutor(SuperstepMessage message) {
    RunWatch watch = WATCHES.get(message.run());
    if (watch != null && watch.progress != null) {
      watch.progress.superstepEnded(message.stats());
    }
  }

  @Override
  public void superstepEnded(SuperstepStats stats) {
    synchronized (this) {
      if (progress != null && !ended) {
        progress.superstepEnded(stats);
      }
      // Superstep 0 needs no exchange, whatever is exchanged later.
      long full = stats.superstep() == 0 ? 0 : fullBytes;
      sum = sum == null ? stats : sum.plus(stats);
      fullExchangeBytes += full;
      meter.superstep(stats, full, stats.nanos());
      events.add(stats, full, sparkNanos(stats));
    }
    user.superstepEnded(stats);
  }

  /** Time since the superstep before that executors know nothing of. */
  private long sparkNanos(SuperstepStats stats) {
    long now = System.nanoTime();
    long wall = now - before;
    before = now;
    return spread ? Math.max(0, wall - Math.max(stats.nanos(), stats.times().shardNanos())) : 0;
  }

  /** The run ended well. */
  public synchronized void ended(RunOutcome outcome) {
    RunSummary summary = outcome.summary();
    for (int shard = 0; shard < outcome.shards().size(); shard++) {
      post(outcome.shards().get(shard).event(run, shard));
    }
    end(summary.engine(), outcome.reason(), summary.stopped().name(), "", outcome.seconds());
  }

  /**
   * A run on stock GraphX ended well.
   *
   * @param summary null when GraphX's own Pregel ran, which does not tell
   */
  public synchronized void endedOnGraphX(RunSummary summary, String reason) {
    end(
        "graphx",
        reason,
        summary == null ? "ENDED" : summary.stopped().name(),
        "",
        EngineSeconds.NONE);
  }

  /** The run failed. */
  public synchronized void failed(Throwable error) {
    meter.fail();
    end("", "", "FAILED", String.valueOf(error), EngineSeconds.NONE);
  }

  private void end(
      String engine, String reason, String outcome, String error, EngineSeconds seconds) {
    if (ended) {
      return;
    }
    ended = true;
    events.flush();
    LaneUse lanes = sum == null ? LaneUse.NONE : sum.lanes();
    post(
        new GraphRunEnded(
            run,
            engine,
            reason,
            outcome,
            error,
            sum == null ? 0 : sum.superstep(),
            sum == null ? 0 : sum.edgesEvaluated(),
            sum == null ? 0 : sum.boundaryUpdates(),
            sum == null ? 0 : sum.boundaryBytes(),
            fullExchangeBytes,
            (System.nanoTime() - start) / 1e9,
            seconds.transfer(),
            seconds.kernel(),
            seconds.hub(),
            lanes.edgeLanes() == 0 ? 0 : lanes.efficiency(),
            lanes.rowLanes() == 0 ? 0 : lanes.packing(),
            System.currentTimeMillis()));
  }

  @Override
  public void close() {
    WATCHES.remove(run);
    meter.close();
    if (progress != null) {
      progress.close();
    }
  }
}
