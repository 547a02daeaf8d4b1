package io.sparkgpugraph.spark;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.RunReport;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.operator.GraphOperator;
import io.sparkgpugraph.graph.PhaseTimes;
import io.sparkgpugraph.graph.graphx.GraphXResult;
import java.lang.ref.Reference;
import java.util.Collections;
import org.apache.spark.SparkContext;
import org.apache.spark.graphx.Graph;

/**
 * Carries out one run of an operator on the driver: load, run, collect. What {@link PregelJob} is
 * for vertex programs; stock GraphX does not run operators.
 */
public final class OperatorJob {
  private final GraphSource source;
  private final ResidentGraph<?, ?> resident;
  private final GraphOperator operator;
  private final RunOptions options;
  private final RunConf conf;

  private OperatorJob(
      GraphSource source,
      ResidentGraph<?, ?> resident,
      GraphOperator operator,
      RunOptions options) {
    this.source = source;
    this.resident = resident;
    this.operator = operator;
    this.options = options;
    conf = RunConf.of(source.sc(), options);
    if (asksForStock(conf)) {
      throw new IllegalArgumentException(
          operator.name() + " does not run on stock GraphX; unset engine and fallback");
    }
  }

  /**
   * Whether options and configuration ask for what only a vertex program can do: to run on stock
   * GraphX, or supersteps that walk the graph in a certain way ({@code spark.gpugraph.kernel}).
   */
  public static boolean asksForProgram(SparkContext sc, RunOptions options) {
    RunConf conf = RunConf.of(sc, options);
    return asksForStock(conf) || conf.kernel() != KernelChoice.AUTO;
  }

  /** Whether the options, or the configuration, ask for stock GraphX. */
  public static boolean asksForStock(SparkContext sc, RunOptions options) {
    return asksForStock(RunConf.of(sc, options));
  }

  private static boolean asksForStock(RunConf conf) {
    return conf.engine() == EngineChoice.GRAPHX || conf.fallback() == RunOptions.Fallback.ALWAYS;
  }

  /** An operator on a GraphX graph, which is neither changed nor unpersisted. */
  public static OperatorJob on(GraphSource source, GraphOperator operator, RunOptions options) {
    return new OperatorJob(source, null, operator, options);
  }

  /**
   * An operator on a graph that executors hold.
   *
   * @throws IllegalArgumentException when the options say how to spread or cut it
   */
  public static OperatorJob on(
      ResidentGraph<?, ?> graph, GraphOperator operator, RunOptions options) {
    if (options.executors() != null || options.partitions() != null) {
      throw new IllegalArgumentException(
          "a resident graph was spread and cut when it was loaded; pass executors and partitions to"
              + " load(...), not to run(...)");
    }
    return new OperatorJob(graph.state().source(), graph, operator, options);
  }

  /** Runs and makes a GraphX graph of the result, with the input's edges. */
  @SuppressWarnings("unchecked") // the edges keep their attributes
  public <R, ED> Graph<R, ED> run() {
    if (source.graph() == null || resident != null && resident.isReversed()) {
      throw new IllegalStateException(
          "this resident graph is not a GraphX graph, or the other way round of one: call"
              + " runVertices()");
    }
    checkResult();
    ResidentState state = state();
    try {
      // A result that is lost before it is collected is made again.
      return state.recovering(
          held -> {
            FinishedRun finished = execute(state);
            try (HeldBlocks blocks = finished.blocks()) {
              long start = System.nanoTime();
              Graph<R, ED> result =
                  GraphXResult.withVertexValues(
                      (Graph<Object, ED>) source.graph(),
                      blocks.slotArrays(),
                      ValueClasses.tag(operator.result(), operatorLoader()));
              double seconds = (PhaseTimes.ended("collect", start) - start) / 1e9;
              try {
                options.observer().finished(finished.report(seconds));
              } catch (Exception | Error e) {
                result.unpersist(false);
                throw e;
              }
              return result;
            }
          });
    } finally {
      release(state);
    }
  }

  /** Runs and leaves the result with the executors. */
  public <R> VertexResult<R> runVertices() {
    checkResult();
    ResidentState state = state();
    try {
      FinishedRun finished = execute(state);
      RunReport report = finished.report(0);
      try {
        options.observer().finished(report);
      } catch (Exception | Error e) {
        finished.blocks().close();
        throw e;
      }
      return new VertexResult<>(finished.blocks(), operator.result(), report);
    } finally {
      release(state);
    }
  }

  /** Refuses results that no RDD could carry, before anything runs. */
  private void checkResult() {
    RecordSerialization.checkResult(source.sc(), operator.result(), operatorLoader());
  }

  /** The class loader that knows the operator's classes. */
  private ClassLoader operatorLoader() {
    return operator.getClass().getClassLoader();
  }

  private Needs needs() {
    return new Needs(
        operator.readsAttributes(),
        operator.readsEdgeValues(),
        operator.readsOutEdges() || resident != null && resident.isReversed());
  }

  private ResidentState state() {
    return resident != null ? resident.state() : ResidentState.load(source, options, needs());
  }

  private void release(ResidentState state) {
    if (resident == null) {
      state.close();
    }
    // A graph that nobody else holds must not be taken for abandoned while it runs.
    Reference.reachabilityFence(state);
  }

  private FinishedRun execute(ResidentState state) {
    return state.using(() -> loadAndExecute(state));
  }

  private FinishedRun loadAndExecute(ResidentState state) {
    SparkContext sc = source.sc();
    double before = resident == null ? 0 : state.loadSeconds();
    GraphHandle graph = state.ensure(needs());
    double load = state.loadSeconds() - before;
    long start = System.nanoTime();
    String resultKey = ResidentState.newKey(sc, "result");
    OperatorTask task = task(graph.key(), resultKey, graph.executors());
    try (RunWatch watch =
        RunWatch.begin(
            sc, options.observer(), operator.name(), conf.engine(), resultKey, graph, 0)) {
      try {
        FencedStages.Ended ended = execute(task, graph, state, watch);
        watch.ended(ended.ran());
        HeldBlocks blocks =
            new HeldBlocks(
                sc,
                resultKey,
                ended.graph(),
                operator.result(),
                Math.max(1, source.edges().getNumPartitions()));
        return new FinishedRun(
            blocks, ended.ran(), ended.graph(), 0, load, (System.nanoTime() - start) / 1e9);
      } catch (Exception | Error e) {
        // Also Spark's own exceptions, which are checked though its methods do not declare them.
        watch.failed(e);
        throw e;
      }
    }
  }

  private OperatorTask task(String graphKey, String resultKey, int shards) {
    return new OperatorTask(
        graphKey,
        resultKey,
        resident != null && resident.isReversed(),
        conf.engine(),
        conf.device(),
        operator,
        conf.threads(),
        shards);
  }

  /**
   * Tells how it would run, without running: said by the executor that holds the graph, or the
   * first of it.
   *
   * @throws IllegalStateException when the graph is not resident
   * @throws io.sparkgpugraph.engine.device.DeviceException when the engine that was asked for is
   *     not there
   */
  public String explain() {
    if (resident == null) {
      throw new IllegalStateException("load the graph first: GpuPregel.load(...)");
    }
    return resident.state().using(this::explained);
  }

  private String explained() {
    SparkContext sc = source.sc();
    GraphHandle graph = resident.state().handle();
    String location = graph.locations().get(0);
    OperatorTask task = task(graph.key(0), "", graph.executors());
    byte[] packed =
        OwnerJob.run(
            sc,
            graph.key(),
            Collections.singletonList(location),
            () ->
                GpuProfile.ask(sc, PinnedRdd.of(sc, 1, location), conf.engine())
                    .map(part -> TaskResult.pack(OperatorRunning.describe(task)))
                    .first());
    Running.Description described = TaskResult.unpack(packed, Running.Description.class);
    return "engine: "
        + described.engine()
        + " ("
        + described.reason()
        + ")\noperator: "
        + described.kernel()
        + ", no vertex program\ngraph: "
        + graph.vertices()
        + " vertices, "
        + graph.edges()
        + " edges, "
        + graph.executors()
        + " executor graph(s), "
        + graph.partitions()
        + " partition(s)\nmemory: "
        + described.memory()
        + (graph.executors() > 1 ? ", on the first executor" : "")
        + "\n";
  }

  private FencedStages.Ended execute(
      OperatorTask task, GraphHandle graph, ResidentState state, RunWatch watch) {
    SparkContext sc = source.sc();
    if (graph.executors() > 1) {
      ShardStages stages = new ShardStages(sc, conf.engine(), task.resultKey());
      return new DistributedOperator(sc, graph, task, state::recover, watch::superstepEnded, stages)
          .run();
    }
    if (sc.isLocal()) {
      ExecutorRegistry.observe(task.resultKey(), watch);
    }
    try {
      return state.recovering(
          held -> new FencedStages.Ended(onOneExecutor(task.on(held), held, watch), held));
    } finally {
      ExecutorRegistry.unobserve(task.resultKey());
    }
  }

  /** Runs the operator in one task, on the executor that holds the graph. */
  private Running.Ran onOneExecutor(OperatorTask task, GraphHandle graph, RunWatch watch) {
    SparkContext sc = source.sc();
    try {
      byte[] packed =
          OwnerJob.run(
              sc,
              graph.key(),
              graph.locations(),
              () ->
                  GpuProfile.ask(sc, PinnedRdd.of(sc, 1, graph.location()), conf.engine())
                      .map(part -> TaskResult.pack(OperatorRunning.run(task)))
                      .first());
      Running.Ran ran = TaskResult.unpack(packed, Running.Ran.class);
      if (!sc.isLocal()) {
        ran.summary().supersteps().forEach(watch::superstepEnded);
      }
      return ran;
    } catch (GraphLostException e) {
      // What is tried again must not be forgotten.
      throw e;
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      ResidentState.forget(sc, task.resultKey(), graph.locations());
      throw e;
    }
  }
}
