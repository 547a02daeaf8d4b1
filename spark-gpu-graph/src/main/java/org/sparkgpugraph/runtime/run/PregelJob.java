package org.sparkgpugraph.runtime.run;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ValueMismatchException;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.analysis.ResidualProof;
import org.sparkgpugraph.program.delta.Deltas;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.jvm.CodeGenerationException;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.conf.HoistMode;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.observe.ApplicationCalls;
import org.sparkgpugraph.runtime.observe.ApplicationCalls.Instead;
import org.sparkgpugraph.runtime.observe.RunWatch;
import org.sparkgpugraph.runtime.serial.RecordSerialization;
import scala.Function3;

/**
 * One run of a vertex program, seen from the driver: lifts it and leaves the rest to an {@link
 * Execution}, or falls back to stock GraphX.
 */
public final class PregelJob {
  private static final Logger LOG = LoggerFactory.getLogger(PregelJob.class);

  private JobInput input;
  private final PregelRequest request;

  /**
   * @param resident the graph when it is already held, else null
   */
  public PregelJob(GraphSource source, GraphView resident, PregelRequest request) {
    this.request = request;
    RecordSerialization.checkKryo(
        source.sc(), source.vertexClass(), source.edgeClass(), request.anyMessage().getClass());
    input = JobInput.of(source, resident, request.options);
  }

  /**
   * Refuses options that would run on stock GraphX what has no functions.
   *
   * @param name of the algorithm
   */
  public static void refuseGraphX(SparkContext sc, String name, RunOptions options) {
    if (RunConf.of(sc, options).asksForStock()) {
      throw new IllegalArgumentException(
          name + " has no functions that stock GraphX could run: unset engine and fallback");
    }
  }

  /** What was asked for. */
  public PregelRequest request() {
    return request;
  }

  /** The graph, and what is in force. */
  public JobInput input() {
    return input;
  }

  /**
   * Runs and collects the result as a graph of the library that the input is of.
   *
   * @param stock what to run when the program falls back to stock GraphX
   * @throws IllegalStateException when the input is of no such library
   */
  public <T> T run(ResultCollector<T> collector, Supplier<T> stock) {
    try (ApplicationCalls.Call call = call()) {
      return run(call, collector, stock);
    }
  }

  private ApplicationCalls.Call call() {
    return ApplicationCalls.begin(input.sc(), input.conf().explain() != ExplainMode.NONE);
  }

  private <T> T run(ApplicationCalls.Call call, ResultCollector<T> collector, Supplier<T> stock) {
    Execution execution = executionOrNull(call);
    if (execution == null) {
      return onGraphX(call, stock);
    }
    try {
      T result = execution.collect(collector);
      call.ranOn(execution.engine());
      return result;
    } catch (CodeGenerationException e) {
      // An executor found what this process had not: that a GPU does not take the program either.
      logOrThrow(refused(e), call);
      return onGraphX(call, stock);
    } catch (ValueMismatchException | ProgramFault e) {
      if (!canGoOn(e)) {
        throw e;
      }
      logOrThrow(refused("graph", e), call);
      return onGraphX(call, stock);
    }
  }

  /** Whether GraphX may go on, or throws what it throws, where an engine had to stop. */
  private boolean canGoOn(RuntimeException e) {
    if (e instanceof ProgramFault fault && fault.code() == FaultCode.NOT_LIFTABLE) {
      return true;
    }
    // Scala's tuples and generic case classes hold what they like, and arrays are of any length:
    // one vertex told what all have.
    return isGraphXs()
        && (e instanceof ValueMismatchException
            || ((ProgramFault) e).code() == FaultCode.NULL_VALUE);
  }

  /** Whether the program was written for GraphX, which takes any values. */
  private boolean isGraphXs() {
    return request.vertexProgram instanceof Function3<?, ?, ?, ?>;
  }

  private static <T> T onGraphX(ApplicationCalls.Call call, Supplier<T> stock) {
    T result = stock.get();
    call.ranOnGraphX();
    return result;
  }

  private Execution executionOrNull(ApplicationCalls.Call call) {
    Explanation.logIfAsked(input.conf(), this::explain);
    input.checkGraphX();
    if (request.deltas != null && input.conf().asksForStock()) {
      throw new IllegalArgumentException(
          "deltas(…) does not run on stock GraphX: leave it out, or unset engine and fallback");
    }
    Execution execution = input.conf().asksForStock() ? null : liftOrNull(call);
    if (execution == null) {
      input.checkStockAttributes();
    }
    return execution;
  }

  private Execution liftOrNull(ApplicationCalls.Call call) {
    try {
      return lift();
    } catch (NotLiftableException e) {
      logOrThrow(e, call);
      return null;
    }
  }

  /** Stock GraphX knows no differences, and might never end without. */
  private void logOrThrow(NotLiftableException refused, ApplicationCalls.Call call) {
    if (request.deltas != null) {
      call.refused(refused.refusals().stream().map(Refusal::toString).toList(), Instead.ERROR);
      throw refused;
    }
    logOrThrow(input.conf(), refused, call);
  }

  /** Logs why the program runs on stock GraphX, or throws that where it may not. */
  public static void logOrThrow(
      RunConf conf, NotLiftableException refused, ApplicationCalls.Call call) {
    boolean never = conf.fallback() == RunOptions.Fallback.NEVER;
    call.refused(
        refused.refusals().stream().map(Refusal::toString).toList(),
        never ? Instead.ERROR : Instead.GRAPHX);
    if (never) {
      throw refused;
    }
    for (Refusal refusal : refused.refusals()) {
      LOG.warn("! {}; the program runs on stock GraphX (spark.gpugraph.fallback)", refusal);
    }
  }

  /** What an engine does not take of the graph or the program. */
  private NotLiftableException refused(String what, RuntimeException e) {
    SourcePosition where = new SourcePosition(input.source().vertexClass().getName(), "", -1);
    return new NotLiftableException(List.of(new Refusal(what, where, e.getMessage())));
  }

  static NotLiftableException refused(CodeGenerationException e) {
    NotLiftableException refused =
        new NotLiftableException(List.of(new Refusal(e.function(), e.where(), e.getMessage())));
    refused.initCause(e);
    return refused;
  }

  /** Runs and leaves the result with the executors. */
  public RunResult runVertices() {
    Explanation.logIfAsked(input.conf(), this::explain);
    if (input.conf().asksForStock()) {
      throw new IllegalArgumentException(
          "runVertices() does not run on stock GraphX; call run(), or unset engine and fallback");
    }
    try (ApplicationCalls.Call call = call()) {
      Execution execution = lifted(call);
      CarriedComponents.refuse(execution.result(), "the result stays with the executors");
      RunResult result = execution.runVertices();
      call.ranOn(execution.engine());
      return result;
    }
  }

  private Execution lifted(ApplicationCalls.Call call) {
    try {
      return lift();
    } catch (NotLiftableException e) {
      call.refused(e.refusals().stream().map(Refusal::toString).toList(), Instead.ERROR);
      throw e;
    }
  }

  /** Explains without running. */
  public String explain() {
    return explain(
        input.conf().explain() == ExplainMode.SOURCE ? ExplainMode.SOURCE : ExplainMode.ALL);
  }

  /**
   * Explains without running.
   *
   * @param mode SOURCE adds the CUDA source
   */
  public String explain(ExplainMode mode) {
    return new ProgramExplanation(this, input, mode).text();
  }

  private Execution lift() {
    long start = System.nanoTime();
    ProgramInstance lifted = unhoisted();
    if (request.written == null) {
      input = CarriedComponents.completed(input, lifted.program().attribute());
    }
    if (request.steps != null) {
      request.steps.folded(input.source()).phases().forEach(phase -> LOG.info("steps: {}", phase));
    }
    ProgramInstance program = hoisted(lifted);
    CarriedComponents.check(program.program().result(), input);
    return execution(program, (PhaseTimes.ended("lift", start) - start) / 1e9);
  }

  /** The program as it was written, by whoever wrote it. */
  ProgramInstance unhoisted() {
    if (request.written != null) {
      return request.written;
    } else if (request.steps != null) {
      return request.steps.folded(input.source()).program();
    }
    ProgramInstance lifted = GraphMaps.lift(input.source(), programSource(), request.anyMessage());
    return request.deltas == null ? lifted : Deltas.apply(lifted, request.deltas);
  }

  private ProgramSource programSource() {
    try {
      return ProgramSources.of(input.source(), request);
    } catch (IllegalArgumentException e) {
      throw isGraphXs() ? refused("program", e) : e;
    }
  }

  /**
   * The lifted program as it will run.
   *
   * @throws NotLiftableException when no code can be made of it for the engine that would run it
   */
  public ProgramInstance hoisted(ProgramInstance lifted) {
    ProgramInstance program =
        input.conf().hoist() == HoistMode.OFF || relaxesResiduals(lifted.program())
            ? lifted
            : Hoisting.apply(lifted, settings().whyNotInPlace(lifted.program()).isEmpty());
    EngineChoice engine = input.conf().engine();
    if (engine == EngineChoice.CPU || engine == EngineChoice.AUTO) {
      try {
        CpuEngine.check(program.program(), settings().of(program.program()));
      } catch (CodeGenerationException e) {
        if (engine == EngineChoice.CPU || runsOnCpu(program)) {
          throw refused(e);
        }
      }
    }
    return program;
  }

  /** Whether it may run without supersteps as it was written: what is hoisted hides that. */
  private boolean relaxesResiduals(LiftedProgram program) {
    return input.conf().kernel() == KernelChoice.ASYNC
        && settings().of(program).maxIterations() == Integer.MAX_VALUE
        && ResidualProof.of(program).isPresent();
  }

  /** Whether executors have no GPU for a program; asks one of them. */
  private boolean runsOnCpu(ProgramInstance program) {
    try {
      return execution(program, 0).describe(false).engine().equals(CpuEngine.NAME);
    } catch (CodeGenerationException e) {
      // Only the CPU engine says how much memory its code takes.
      return true;
    }
  }

  /** The program's execution. */
  Execution execution(ProgramInstance hoisted, double liftSeconds) {
    ProgramComputation computation =
        new ProgramComputation(
            RunWatch.programName(request.vertexProgram),
            hoisted,
            settings().of(hoisted.program()),
            input.conf().exchange().format());
    ClassLoader loader = request.vertexProgram.getClass().getClassLoader();
    return new Execution(input, computation, loader, liftSeconds);
  }

  /** How the program would be run. */
  public ProgramSettings settings() {
    return new ProgramSettings(
        request, request.steps == null ? null : request.steps.folded(input.source()), input.conf());
  }
}
