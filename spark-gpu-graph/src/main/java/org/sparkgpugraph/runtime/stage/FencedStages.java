package org.sparkgpugraph.runtime.stage;

import java.util.List;
import java.util.Map;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import org.sparkgpugraph.runtime.cluster.MisplacedTaskException;
import org.sparkgpugraph.runtime.device.ChosenEngines;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.load.ResidentState;
import org.sparkgpugraph.runtime.observe.RunOutcome;
import org.sparkgpugraph.runtime.observe.ShardAccount;
import org.sparkgpugraph.runtime.stage.ShardStages.Exchange;

/**
 * Stages of {@link FencedShard}s on all shards of a graph, seen from the driver. What is lost
 * begins a new generation, in which what is left of the old one is refused.
 */
public final class FencedStages {
  private static final Logger LOG = LoggerFactory.getLogger(FencedStages.class);

  private static final long PAUSE_MILLIS = 200;

  /** How often shards may be lost before it {@linkplain #gotFurther gets further}. */
  private static final int MOST_LOSSES = 8;

  /** How often something may fail before it gets further, such as memory. */
  private static final int MOST_FAILURES = 1;

  /** Finds new places for shards whose executors, or whose edges there, are gone. */
  @FunctionalInterface
  public interface Recovery {
    /**
     * Rebuilds what is lost on executors that live.
     *
     * @param lost the graph as it was
     * @param again shards that are to be loaded again though their executors live
     * @return the graph with the places of all shards
     */
    GraphHandle recover(GraphHandle lost, List<Integer> again);
  }

  /** What was done to the end, and where the graph and the result are now. */
  public record Ended(RunOutcome outcome, GraphHandle graph) {}

  private final SparkContext sc;
  private final ShardStages stages;
  private final String name;
  private final String resultKey;
  private final Recovery recovery;
  private final ChosenEngines engines = new ChosenEngines();
  private GraphHandle graph;
  private int generation;
  private Exchange exchange;
  private Exchange before;

  /** Whose tasks have stayed, and write the exchange; null: none. */
  private StandingStage standing;

  private final StandingAttempts attempts = new StandingAttempts();
  private int losses;
  private int failures;

  /**
   * @param name of what runs, for messages
   * @param resultKey key that the result will have
   * @param graph held by several executors
   */
  public FencedStages(
      SparkContext sc,
      ShardStages stages,
      String name,
      String resultKey,
      GraphHandle graph,
      Recovery recovery) {
    this.sc = sc;
    this.stages = stages;
    this.name = name;
    this.resultKey = resultKey;
    this.graph = graph;
    this.recovery = recovery;
  }

  /** The graph, where it is now. */
  public GraphHandle graph() {
    return graph;
  }

  /** How often everything was set back. */
  public int generation() {
    return generation;
  }

  // ---- stages ---------------------------------------------------------------------------------

  /**
   * Begins on all shards, or begins again.
   *
   * @param what is begun; the name follows
   * @return what each shard says, in their order
   */
  public List<ShardReport> begin(String what, ShardWork work)
      throws ShardsLostException, InterruptedException {
    return step(what, generation == 0 ? "" : ", again", work);
  }

  /**
   * Runs a piece of work on all shards that reads the exchange of the step before and writes the
   * next.
   *
   * @param what it is; the name follows
   * @return what each shard says, in their order
   */
  public List<ShardReport> step(String what, ShardWork work)
      throws ShardsLostException, InterruptedException {
    return step(what, "", work);
  }

  private List<ShardReport> step(String what, String suffix, ShardWork work)
      throws ShardsLostException, InterruptedException {
    List<ShardReport> ordered = ordered(work, true);
    if (ordered != null) {
      return ordered;
    }
    Stage stage = stage(what + " of " + name + suffix, work, exchange, true);
    // Of older exchanges the last stays.
    stages.remove(before);
    before = exchange;
    exchange = stage.exchange();
    return stage.reports();
  }

  /**
   * Runs a piece of work on all shards that sends no messages between them.
   *
   * @param what it is; the name follows
   * @return what each shard says, in their order
   */
  public List<ShardReport> aside(String what, ShardWork work)
      throws ShardsLostException, InterruptedException {
    List<ShardReport> ordered = ordered(work, false);
    if (ordered != null) {
      return ordered;
    }
    Stage stage = stage(what + " of " + name, work, null, false);
    stages.remove(stage.exchange());
    return stage.reports();
  }

  /** What shards were done with, in their order. */
  public static <T> List<T> data(List<ShardReport> reports, Class<T> type) {
    return reports.stream().map(report -> report.data(type)).toList();
  }

  /** What a stage has done, on all shards. */
  private record Stage(Exchange exchange, List<ShardReport> reports) {}

  /**
   * Runs a piece of work on all shards, again as long as a busy owner lets a task start elsewhere.
   *
   * @param read the exchange that it reads; null: none
   * @param stands whether its tasks may stay for what follows
   * @throws ShardsLostException when state is lost
   */
  private Stage stage(String description, ShardWork work, Exchange read, boolean stands)
      throws ShardsLostException, InterruptedException {
    boolean told = false;
    while (true) {
      Exchange written;
      Map<ShardReport.Key, ShardReport> reports = null;
      try {
        if (stands && attempts.isDue() && stages.mayStand(graph.locations())) {
          standing =
              stages.stand(
                  description + " and what follows",
                  graph.locations(),
                  read,
                  work,
                  new StageVerdict(sc, graph)::areAlive);
          reports = standing.first();
          written = reports == null ? settled() : standing.exchange();
        } else {
          written = stages.run(description, graph.locations(), read, work);
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        throw new StageVerdict(sc, graph).broken(work, e);
      }
      boolean kept = false;
      try {
        StageVerdict.checkRead(read);
        List<ShardReport> done =
            new StageVerdict(sc, graph).done(work, reports == null ? written.reports() : reports);
        if (done.size() == graph.executors()) {
          kept = true;
          return new Stage(written, done);
        }
      } finally {
        if (!kept) {
          dismiss();
          stages.remove(written);
        }
      }
      if (!told) {
        LOG.info("an executor is busy; waiting for it: {}", description);
        told = true;
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  // ---- tasks that stay ------------------------------------------------------------------------

  /**
   * Has the tasks that have stayed do something.
   *
   * @param writes whether it is the next exchange
   * @return null: none have stayed, or not to the end; the last exchange is then one like others
   */
  private List<ShardReport> ordered(ShardWork work, boolean writes)
      throws ShardsLostException, InterruptedException {
    if (standing == null) {
      return null;
    }
    Map<ShardReport.Key, ShardReport> reports = standing.order(work, writes);
    if (reports != null) {
      return new StageVerdict(sc, graph).done(work, reports);
    }
    if (work.isLast()) {
      // What was said is read no more, and shards that have done the work have let it go.
      dismiss();
      return null;
    }
    ShardWork said = standing.said();
    try {
      exchange = settled();
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      throw new StageVerdict(sc, graph).broken(work, e);
    }
    int again = new StageVerdict(sc, graph).done(said, exchange.reports()).size();
    if (again < graph.executors()) {
      // Some were started elsewhere, or say what others had no time to do; all have what they said.
      stages.remove(exchange);
      exchange = null;
      exchange = stage("what was said last of " + name, said, null, false).exchange();
    }
    return null;
  }

  /** Waits for the output of the stage whose tasks have stayed. */
  private Exchange settled() throws Exception {
    Exchange settled = standing.settle();
    attempts.ended(standing.orders());
    standing = null;
    return settled;
  }

  /** Lets the tasks that have stayed go, without output. */
  private void dismiss() {
    if (standing != null) {
      standing.dismiss();
      stages.remove(standing.exchange());
      standing = null;
    }
  }

  // ---- the end --------------------------------------------------------------------------------

  /** The engines that the shards run on, and why; replaces what was known. */
  public void chose(List<ChosenEngines.Chosen> byShard) {
    engines.set(byShard);
  }

  /**
   * All is done.
   *
   * @param start when it began
   * @param reports of the shards that have kept the result
   */
  public Ended ended(
      List<SuperstepStats> supersteps,
      RunSummary.Stopped stopped,
      long start,
      List<ShardReport> reports) {
    RunSummary summary =
        new RunSummary(engines.names(), supersteps, stopped, System.nanoTime() - start);
    return new Ended(
        new RunOutcome(
            summary,
            engines.reason(new StageVerdict(sc, graph)::place),
            data(reports, ShardAccount.class)),
        graph);
  }

  /**
   * Removes what is not needed any more, whether it went well or not.
   *
   * @param done whether the result is to be kept
   * @param more what else is to be removed
   */
  public void close(boolean done, Runnable more) {
    // What cleans up must not be interrupted.
    boolean interrupted = Thread.interrupted();
    try {
      removeExchanges();
      more.run();
      if (!done) {
        ResidentState.forget(sc, resultKey, graph.locations());
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void removeExchanges() {
    dismiss();
    stages.remove(before);
    stages.remove(exchange);
    before = null;
    exchange = null;
  }

  // ---- losses ---------------------------------------------------------------------------------

  /** It got further than ever: losses count from here. */
  public void gotFurther() {
    losses = 0;
    failures = 0;
  }

  /**
   * Something is lost.
   *
   * @param stuck behind the number of times in the message: how far it did not get, or nothing
   * @throws IllegalStateException when that was so too often
   */
  public void count(ShardsLostException lost, String stuck) {
    if (lost.isFailure() ? ++failures <= MOST_FAILURES : ++losses <= MOST_LOSSES) {
      return;
    }
    Throwable cause = lost.getCause() == null ? lost : lost.getCause();
    if (cause instanceof OutOfMemoryError e) {
      throw e;
    }
    if (cause instanceof OffHeapMemoryException e) {
      throw e;
    }
    throw new IllegalStateException(
        "%s was set back %s times%s; the last time: %s"
            .formatted(name, lost.isFailure() ? failures : losses, stuck, lost.getMessage()),
        cause);
  }

  /**
   * Restores the graph; what was run on it begins again in a new generation.
   *
   * @param again shards that are to be loaded again though their executors live
   */
  public void restore(List<Integer> again) {
    generation++;
    removeExchanges();
    graph = recovered(again);
  }

  /** More executors may be lost while the graph is restored. */
  private GraphHandle recovered(List<Integer> again) {
    while (true) {
      try {
        return recovery.recover(graph, again);
      } catch (GraphLostException e) {
        boolean another = e.getCause() instanceof MisplacedTaskException;
        if (!another || ++losses > MOST_LOSSES) {
          throw e;
        }
        LOG.warn("{}; restoring the graph once more", e.getMessage());
      }
    }
  }
}
