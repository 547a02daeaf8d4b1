package io.sparkgpugraph.spark;

import io.sparkgpugraph.EngineChoice;
import io.sparkgpugraph.ResidentGraph;
import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.RunReport;
import io.sparkgpugraph.VertexResult;
import io.sparkgpugraph.engine.ActiveDirection;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.graph.PhaseTimes;
import io.sparkgpugraph.graph.graphx.GraphXResult;
import io.sparkgpugraph.graph.graphx.GraphXTags;
import io.sparkgpugraph.program.LiftedProgram;
import io.sparkgpugraph.program.ProgramInstance;
import io.sparkgpugraph.program.ValueType;
import io.sparkgpugraph.program.hoist.Hoisting;
import io.sparkgpugraph.program.ir.Role;
import io.sparkgpugraph.program.lift.NotLiftableException;
import io.sparkgpugraph.program.lift.ProgramLifter;
import io.sparkgpugraph.spark.fallback.FallbackSettings;
import io.sparkgpugraph.spark.fallback.GraphxFallback;
import io.sparkgpugraph.spark.fallback.GraphxRun;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.graphx.EdgeDirection;
import org.apache.spark.graphx.Graph;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Carries out one run on the driver: lift, load, run, collect; or fall back. */
public final class PregelJob {
  private static final Logger LOG = LoggerFactory.getLogger(PregelJob.class);

  private final GraphSource source;
  private final ResidentGraph<?, ?> resident;
  private final PregelRequest request;
  private final RunConf conf;
  private double liftSeconds;

  /**
   * @param resident the graph when it is already held, else null
   */
  public PregelJob(GraphSource source, ResidentGraph<?, ?> resident, PregelRequest request) {
    this.source = source;
    this.resident = resident;
    this.request = request;
    this.conf = RunConf.of(source.sc(), request.options());
    RecordSerialization.checkKryo(
        source.sc(), source.vertexClass(), source.edgeClass(), messageClass(request));
    if (resident != null && request.options().executors() != null) {
      throw new IllegalArgumentException(
          "a resident graph was spread over "
              + resident.state().handle().executors()
              + " executor(s) when it was loaded; pass executors to load(...), not to run(...)");
    }
    if (resident != null && request.options().partitions() != null) {
      throw new IllegalArgumentException(
          "a resident graph was cut into "
              + resident.state().handle().partitions()
              + " partitions when it was loaded; pass partitions to load(...), not to run(...)");
    }
  }

  /**
   * Refuses options that would run on stock GraphX what has no functions.
   *
   * @param name of the algorithm
   */
  public static void refuseGraphX(SparkContext sc, String name, RunOptions options) {
    RunConf conf = RunConf.of(sc, options);
    if (conf.engine() == EngineChoice.GRAPHX || conf.fallback() == RunOptions.Fallback.ALWAYS) {
      throw new IllegalArgumentException(
          name + " has no functions that stock GraphX could run: unset engine and fallback");
    }
  }

  private static Class<?> messageClass(PregelRequest request) {
    return request.anyMessage().getClass();
  }

  /** Runs and makes a GraphX graph of the result, with the input's edges. */
  public <R, ED> Graph<R, ED> run() {
    return run(this::runOnGraphX);
  }

  /**
   * As {@link #run()}.
   *
   * @param stock what to run when the program falls back to stock GraphX
   */
  <R, ED> Graph<R, ED> run(Supplier<Graph<R, ED>> stock) {
    ProgramInstance program = programOrNull();
    return program == null
        ? stock.get()
        : collect(
            program,
            (graph, values, tag, held) ->
                GraphXResult.withVertexValues(PregelJob.<ED>typed(graph), values, tag));
  }

  /**
   * Runs a program whose result is a Double and makes a GraphX graph of it whose edges have the
   * attribute 1 / outDegree(source).
   */
  public Graph<Double, Double> runWeighted() {
    ProgramInstance program = programOrNull();
    if (program == null) {
      return OutDegreeWeights.joined(this.<Double, Object>runOnGraphX(), edgeTag());
    }
    if (!source.sc().isLocal()) {
      Graph<Double, Object> ranks = run();
      return OutDegreeWeights.joined(ranks, edgeTag());
    }
    return this.<Double, Double>collect(
        program,
        (graph, values, tag, held) ->
            GraphXResult.withValues(
                PregelJob.<Object>typed(graph),
                values,
                tag,
                OutDegreeWeights.held(held, conf.threads(), graph.edges().getNumPartitions()),
                OutDegreeWeights.DOUBLE));
  }

  /** Makes the result graph of the input and the value arrays. */
  private interface Assembly<R, E> {
    Graph<R, E> graph(Graph<?, ?> input, JavaRDD<Object> values, ClassTag<R> tag, GraphHandle held);
  }

  private <R, E> Graph<R, E> collect(ProgramInstance program, Assembly<R, E> assembly) {
    checkResult(program.program().result());
    Needs needs = Needs.of(program.program(), isReversed());
    ResidentState state = state(program, needs);
    try {
      // A result that is lost before it is collected is made again.
      return state.recovering(held -> collect(program, assembly, state, needs));
    } finally {
      release(state);
    }
  }

  private <R, E> Graph<R, E> collect(
      ProgramInstance program, Assembly<R, E> assembly, ResidentState state, Needs needs) {
    FinishedRun finished = execute(program, state, needs);
    try (HeldBlocks blocks = finished.blocks()) {
      long start = System.nanoTime();
      Graph<R, E> result =
          assembly.graph(
              source.graph(),
              blocks.slotArrays(),
              ValueClasses.tag(program.program().result(), userLoader()),
              finished.graph());
      double seconds = (PhaseTimes.ended("collect", start) - start) / 1e9;
      try {
        request.options().observer().finished(finished.report(seconds));
      } catch (Exception | Error e) {
        result.unpersist(false);
        throw e;
      }
      return result;
    }
  }

  /** Refuses results that no RDD could carry, before anything runs. */
  private void checkResult(ValueType type) {
    RecordSerialization.checkResult(source.sc(), type, userLoader());
  }

  /** The class loader that knows the program's classes. */
  private ClassLoader userLoader() {
    return request.vertexProgram().getClass().getClassLoader();
  }

  @SuppressWarnings("unchecked")
  private static <ED> Graph<Object, ED> typed(Graph<?, ?> graph) {
    return (Graph<Object, ED>) graph;
  }

  @SuppressWarnings("unchecked")
  private ClassTag<Object> edgeTag() {
    return (ClassTag<Object>) (Object) GraphXTags.edge(source.graph());
  }

  private boolean isReversed() {
    return resident != null && resident.isReversed();
  }

  private void explainIfAsked() {
    if (conf.explain() != ExplainMode.NONE) {
      LOG.info("{}", explain(conf.explain()));
    }
  }

  private ProgramInstance programOrNull() {
    explainIfAsked();
    if (source.graph() == null) {
      throw new IllegalStateException(
          "this resident graph was not made from a GraphX graph: call runVertices()");
    }
    if (isReversed()) {
      throw new IllegalStateException(
          "a GraphX graph cannot be made from a reversed view: call runVertices(), or load"
              + " graph.reverse()");
    }
    ProgramInstance program =
        conf.engine() == EngineChoice.GRAPHX || conf.fallback() == RunOptions.Fallback.ALWAYS
            ? null
            : liftOrNull();
    if (program == null && resident != null && !resident.state().hasAttributesOfSource()) {
      throw new IllegalStateException(
          "stock GraphX does not see the vertex attributes that withVertices(...) gave: unset"
              + " engine and fallback, or join them to the GraphX graph");
    }
    return program;
  }

  /** Runs and leaves the result with the executors. */
  public <R> VertexResult<R> runVertices() {
    explainIfAsked();
    if (conf.engine() == EngineChoice.GRAPHX || conf.fallback() == RunOptions.Fallback.ALWAYS) {
      throw new IllegalArgumentException(
          "runVertices() does not run on stock GraphX; call run(), or unset engine and fallback");
    }
    ProgramInstance program = lift();
    checkResult(program.program().result());
    Needs needs = Needs.of(program.program(), isReversed());
    ResidentState state = state(program, needs);
    try {
      FinishedRun finished = execute(program, state, needs);
      RunReport report = finished.report(0);
      try {
        request.options().observer().finished(report);
      } catch (Exception | Error e) {
        finished.blocks().close();
        throw e;
      }
      return new VertexResult<>(finished.blocks(), program.program().result(), report);
    } finally {
      release(state);
    }
  }

  /** Explains without running. */
  public String explain() {
    return explain(conf.explain() == ExplainMode.SOURCE ? ExplainMode.SOURCE : ExplainMode.ALL);
  }

  /**
   * Explains without running.
   *
   * @param mode SOURCE adds the CUDA source
   */
  public String explain(ExplainMode mode) {
    return new Explanation(this, source, resident, request, conf, mode).text();
  }

  private ProgramInstance lift() {
    long start = System.nanoTime();
    ProgramInstance program = hoisted(unhoisted());
    liftSeconds = (System.nanoTime() - start) / 1e9;
    return program;
  }

  /** The program as it was written, by whoever wrote it. */
  ProgramInstance unhoisted() {
    return request.written() != null
        ? request.written()
        : ProgramLifter.lift(ProgramSources.of(source, request));
  }

  /** The lifted program as it will run. */
  ProgramInstance hoisted(ProgramInstance lifted) {
    return conf.hoist() == HoistMode.OFF
        ? lifted
        : Hoisting.apply(lifted, inPlace(lifted.program()));
  }

  private ProgramInstance liftOrNull() {
    try {
      return lift();
    } catch (NotLiftableException e) {
      if (conf.fallback() == RunOptions.Fallback.NEVER || conf.engine() != EngineChoice.AUTO) {
        throw e;
      }
      GraphxFallback.logReasons(e.refusals());
      return null;
    }
  }

  @SuppressWarnings("unchecked") // the request's objects have the graph's types
  private <R, ED> Graph<R, ED> runOnGraphX() {
    long start = System.nanoTime();
    RecordSerialization.check(
        source.sc(), source.vertexClass(), source.edgeClass(), messageClass(request));
    Graph<Object, ED> graph = typed(source.graph());
    GraphxRun<Object, ED> run;
    try (RunWatch watch =
        RunWatch.beginOnGraphX(source.sc(), request, ResidentState.newKey(source.sc(), "result"))) {
      try {
        run = runOnGraphX(graph, watch);
        watch.endedOnGraphX(run.summary(), graphxReason());
      } catch (Exception | Error e) {
        watch.failed(e);
        throw e;
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    request
        .options()
        .observer()
        .finished(
            new RunReport(
                "graphx",
                graphxReason(),
                run.summary(),
                0,
                0,
                seconds,
                0,
                seconds,
                0,
                run.graph().ops().numVertices(),
                run.graph().ops().numEdges()));
    return (Graph<R, ED>) run.graph();
  }

  @SuppressWarnings("unchecked") // the request's objects have the graph's types
  private <ED> GraphxRun<Object, ED> runOnGraphX(Graph<Object, ED> graph, RunWatch watch) {
    ClassTag<Object> any = ClassTag$.MODULE$.Object();
    return GraphxFallback.run(
        graph,
        ProgramSources.of(source, request),
        new FallbackSettings<>(
            request.initialMessage(),
            request.emptyMessage(),
            direction(request.activeDirection()),
            request.gather(),
            request.maxIterations(),
            request.stopWhen()),
        watch::superstepEnded,
        graph.vertices().vdTag(),
        (ClassTag<ED>) GraphXTags.edge(graph),
        any,
        any);
  }

  private String graphxReason() {
    return conf.engine() == EngineChoice.GRAPHX || conf.fallback() == RunOptions.Fallback.ALWAYS
        ? "the configuration asks for it"
        : "the program cannot be lifted; the log has a line for each reason";
  }

  private ResidentState state(ProgramInstance program, Needs needs) {
    if (resident != null) {
      return resident.state();
    }
    if (!source.sc().isLocal() || conf.executors() > 1) {
      return ResidentState.load(source, request.options(), needs);
    }
    try (Preparation started =
        Preparation.start(task(program, "", ""), Math.max(1, conf.partitions()))) {
      return ResidentState.load(source, request.options(), needs);
    }
  }

  private void release(ResidentState state) {
    if (resident == null) {
      long start = System.nanoTime();
      state.close();
      PhaseTimes.ended("free the graph", start);
    }
    // A graph that nobody else holds must not be taken for abandoned while it runs.
    Reference.reachabilityFence(state);
  }

  private FinishedRun execute(ProgramInstance program, ResidentState state, Needs needs) {
    return state.using(() -> loadAndExecute(program, state, needs));
  }

  private FinishedRun loadAndExecute(ProgramInstance program, ResidentState state, Needs needs) {
    SparkContext sc = source.sc();
    double before = resident == null ? 0 : state.loadSeconds();
    GraphHandle graph = state.ensure(needs);
    double load = state.loadSeconds() - before;
    long start = System.nanoTime();
    String resultKey = ResidentState.newKey(sc, "result");
    try (RunWatch watch =
        RunWatch.begin(sc, request, conf.engine(), resultKey, graph, program.program())) {
      try {
        FinishedRun finished = execute(program, state, graph, resultKey, watch, load, start);
        watch.ended(finished.ran());
        return finished;
      } catch (Exception | Error e) {
        // Also Spark's own exceptions, which are checked though its methods do not declare them.
        watch.failed(e);
        throw e;
      }
    }
  }

  private FinishedRun execute(
      ProgramInstance program,
      ResidentState state,
      GraphHandle graph,
      String resultKey,
      RunWatch watch,
      double load,
      long start) {
    SparkContext sc = source.sc();
    RunTask task = task(program, graph.key(), resultKey);
    if (graph.executors() > 1) {
      FencedStages.Ended ended = distributed(graph, task, state, watch).run();
      return finished(task, ended.ran(), ended.graph(), load, start);
    }
    if (sc.isLocal()) {
      ExecutorRegistry.observe(resultKey, watch);
    }
    try {
      return state.recovering(
          held -> finished(task, onOneExecutor(task.on(held), held, watch), held, load, start));
    } finally {
      ExecutorRegistry.unobserve(resultKey);
    }
  }

  /** Runs the whole loop in one task, on the executor that holds the graph. */
  private Running.Ran onOneExecutor(RunTask task, GraphHandle graph, RunWatch watch) {
    SparkContext sc = source.sc();
    long start = System.nanoTime();
    try {
      byte[] packed =
          OwnerJob.run(
              sc,
              graph.key(),
              graph.locations(),
              () ->
                  GpuProfile.ask(sc, PinnedRdd.of(sc, 1, graph.location()), conf.engine())
                      .map(part -> TaskResult.pack(Running.run(task)))
                      .first());
      Running.Ran ran = TaskResult.unpack(packed, Running.Ran.class);
      PhaseTimes.ended("run: job", start);
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

  private FinishedRun finished(
      RunTask task, Running.Ran ran, GraphHandle graph, double load, long start) {
    HeldBlocks blocks =
        new HeldBlocks(
            source.sc(),
            task.resultKey(),
            graph,
            task.program().program().result(),
            Math.max(1, source.edges().getNumPartitions()));
    return new FinishedRun(
        blocks, ran, graph, liftSeconds, load, (System.nanoTime() - start) / 1e9);
  }

  private DistributedRun distributed(
      GraphHandle graph, RunTask task, ResidentState state, RunWatch watch) {
    SparkContext sc = source.sc();
    return new DistributedRun(
        sc,
        graph,
        task,
        new DistributedRun.Options(
            watch.program(), conf.localSupersteps(), conf.checkpointInterval()),
        state::recover,
        watch::superstepEnded,
        new ShardStages(sc, conf.engine(), task.resultKey()));
  }

  /**
   * What a run would take: said by the executor that holds the graph, else by any.
   *
   * @param cudaSource whether to generate the CUDA source too
   * @throws io.sparkgpugraph.engine.device.DeviceException when the engine that was asked for is
   *     not there
   */
  Running.Description describe(ProgramInstance program, boolean cudaSource) {
    return resident == null
        ? described(program, cudaSource)
        : resident.state().using(() -> described(program, cudaSource));
  }

  private Running.Description described(ProgramInstance program, boolean cudaSource) {
    SparkContext sc = source.sc();
    GraphHandle graph = resident == null ? null : resident.state().handle();
    RunTask task = task(program, graph == null ? "" : graph.key(0), "");
    if (graph == null && sc.isLocal()) {
      return Running.describe(task, cudaSource);
    }
    // Where there are several executor graphs, the first speaks for all.
    String location = graph == null ? null : graph.locations().get(0);
    byte[] packed =
        OwnerJob.run(
            sc,
            task.graphKey(),
            Collections.singletonList(location),
            () ->
                GpuProfile.ask(sc, PinnedRdd.of(sc, 1, location), conf.engine())
                    .map(part -> TaskResult.pack(Running.describe(task, cudaSource)))
                    .first());
    return TaskResult.unpack(packed, Running.Description.class);
  }

  private RunTask task(ProgramInstance program, String graphKey, String resultKey) {
    return new RunTask(
        graphKey,
        resultKey,
        isReversed(),
        conf.engine(),
        conf.device(),
        program,
        settings(program.program()),
        conf.encoding());
  }

  /** How a program would be run. */
  RunSettings settings(LiftedProgram program) {
    return new RunSettings(
        Messages.columns(program.message(), request.initialMessage()),
        Messages.columns(program.message(), request.emptyMessage()),
        direction(request.activeDirection()),
        request.gather(),
        request.maxIterations(),
        inPlace(program),
        conf.kernel(),
        conf.threads(),
        request.stopWhen(),
        conf.exchange());
  }

  private boolean inPlace(LiftedProgram program) {
    return whyNotInPlace(program).isEmpty();
  }

  /**
   * Why values may not be updated in place; empty when they may: the program is monotone and
   * nothing looks at single supersteps.
   */
  List<String> whyNotInPlace(LiftedProgram program) {
    EdgeDirection direction = request.activeDirection();
    boolean either = direction.equals(EdgeDirection.Either());
    List<String> reasons = new ArrayList<>();
    if (!request.declaredMonotone() && !program.traits().monotone()) {
      reasons.add("the program is not known to be monotone");
    }
    if (!either && !direction.equals(EdgeDirection.Out())) {
      reasons.add("the active direction is " + direction(direction));
    } else if (!either && program.traits().sendsToSource()) {
      reasons.add("messages go to the source under active direction OUT");
    }
    if (request.emptyMessage() != null) {
      reasons.add("everyVertex is set");
    }
    if (request.maxIterations() != Integer.MAX_VALUE) {
      reasons.add("maxIterations counts supersteps");
    }
    if (request.activeWhen() != null) {
      reasons.add("activeWhen is set");
    }
    if (request.stopWhen() != null) {
      reasons.add("stopWhen is set");
    }
    if (!program.aggregates().isEmpty()) {
      reasons.add("aggregates are taken in every superstep");
    }
    if (Stream.of(program.vertexProgram(), program.send(), program.resultFunction())
        .anyMatch(f -> f != null && f.reads(Role.SUPERSTEP))) {
      reasons.add("the superstep's number is read");
    }
    return reasons;
  }

  static ActiveDirection direction(EdgeDirection direction) {
    if (direction.equals(EdgeDirection.Out())) {
      return ActiveDirection.OUT;
    }
    if (direction.equals(EdgeDirection.In())) {
      return ActiveDirection.IN;
    }
    return direction.equals(EdgeDirection.Both()) ? ActiveDirection.BOTH : ActiveDirection.EITHER;
  }
}
