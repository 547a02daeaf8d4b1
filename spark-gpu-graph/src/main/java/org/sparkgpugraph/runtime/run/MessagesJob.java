package org.sparkgpugraph.runtime.run;

import java.util.List;
import java.util.function.Supplier;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.cpu.CpuEngine;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ValueMismatchException;
import org.sparkgpugraph.program.LiftedMessages;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramSource;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.Refusal;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.hoist.Hoisting;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.jvm.CodeGenerationException;
import org.sparkgpugraph.program.messages.MessageAggregation;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.conf.HoistMode;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.observe.ApplicationCalls;
import org.sparkgpugraph.runtime.observe.RunWatch;
import org.sparkgpugraph.runtime.serial.RecordSerialization;
import org.sparkgpugraph.runtime.stage.Computation;

/**
 * One {@code aggregateMessages}, seen from the driver: lifted and run as a vertex program of one
 * superstep, or left to stock GraphX. What {@link PregelJob} is for vertex programs.
 */
public final class MessagesJob {
  private final JobInput input;
  private final MessagesRequest request;

  /**
   * @param resident the graph when it is already held, else null
   */
  public MessagesJob(GraphSource source, GraphView resident, MessagesRequest request) {
    this.request = request;
    RecordSerialization.checkKryo(source.sc(), source.vertexClass(), source.edgeClass());
    input = JobInput.of(source, resident, request.options());
  }

  /**
   * Runs.
   *
   * @param collector collects the merged messages of the vertices to which one was sent; the values
   *     of what it gets are {@link MessageAggregation}'s
   * @param stock GraphX's own {@code aggregateMessages}, for what cannot be lifted
   * @throws NotLiftableException under {@code fallback = never}
   */
  public <T> T run(ResultCollector<T> collector, Supplier<T> stock) {
    Explanation.logIfAsked(input.conf(), this::explain);
    input.checkGraphX();
    try (ApplicationCalls.Call call =
        ApplicationCalls.begin(input.sc(), input.conf().explain() != ExplainMode.NONE)) {
      T result = input.conf().asksForStock() ? null : lifted(call, collector);
      if (result == null) {
        input.checkStockAttributes();
        result = stock.get();
        call.ranOnGraphX();
      }
      return result;
    }
  }

  /** The result of an engine; null where none takes the functions or the graph. */
  private <T> T lifted(ApplicationCalls.Call call, ResultCollector<T> collector) {
    try {
      Execution execution = lift().execution;
      T result = execution.collect(collector);
      call.ranOn(execution.engine());
      return result;
    } catch (NotLiftableException e) {
      PregelJob.logOrThrow(input.conf(), e, call);
    } catch (CodeGenerationException e) {
      PregelJob.logOrThrow(input.conf(), PregelJob.refused(e), call);
    } catch (ProgramFault e) {
      if (e.code() != FaultCode.NOT_LIFTABLE) {
        throw e;
      }
      PregelJob.logOrThrow(
          input.conf(),
          refused("graph", input.source().vertexClass().getName(), e.getMessage()),
          call);
    } catch (ValueMismatchException e) {
      // A null, or a tuple that holds something else than the others: GraphX takes them.
      String where = input.source().vertexClass().getName();
      PregelJob.logOrThrow(input.conf(), refused("graph", where, e.getMessage()), call);
    }
    return null;
  }

  private static NotLiftableException refused(String function, String where, String reason) {
    return new NotLiftableException(
        List.of(new Refusal(function, new SourcePosition(where, "", -1), reason)));
  }

  /** Tells what {@link #run} would do, without running. */
  public String explain() {
    Explanation lines = new Explanation(input, "the aggregateMessages");
    if (input.conf().asksForStock()) {
      lines.add("engine: stock GraphX, because the configuration asks for it");
      return lines.text();
    }
    try {
      Lifted lifted = lift();
      Computation.Description description =
          lines.describe(lifted.execution, input.conf().explain() == ExplainMode.SOURCE);
      lines.graph(description);
      lines.type("message", lifted.messages.message());
      lifted.traits.notes().stream()
          .filter(note -> !note.startsWith(ProgramTraits.NOT_MONOTONE))
          .forEach(note -> lines.add("note: " + note));
      if (description != null && !description.source().isEmpty()) {
        lines.add("CUDA source:");
        lines.add(description.source().stripTrailing());
      }
    } catch (NotLiftableException e) {
      refusals(lines, e);
    } catch (CodeGenerationException e) {
      refusals(lines, PregelJob.refused(e));
    }
    return lines.text();
  }

  private void refusals(Explanation lines, NotLiftableException refused) {
    lines.add(
        input.conf().fallback() == RunOptions.Fallback.NEVER
            ? "engine: none, the functions cannot be lifted and spark.gpugraph.fallback = never"
            : "engine: stock GraphX, because the functions cannot be lifted");
    for (Refusal refusal : refused.refusals()) {
      lines.add(
          "! %s at %s cannot run on an engine because %s"
              .formatted(refusal.function(), refusal.where(), refusal.reason()));
    }
  }

  /** What is lifted, and its execution. */
  private record Lifted(LiftedMessages messages, ProgramTraits traits, Execution execution) {}

  private Lifted lift() {
    long start = System.nanoTime();
    GraphSource source = input.source();
    LiftedMessages messages =
        GraphMaps.liftMessages(
            source,
            new ProgramSource(
                source.vertexType(),
                source.edgeType(),
                null,
                null,
                null,
                request.send(),
                request.merge(),
                null,
                List.of(),
                List.of(),
                null));
    requireFields(messages.send());
    JobInput completed = CarriedComponents.completed(input, messages.attribute());
    RecordSerialization.checkResult(source.sc(), messages.message(), loader());
    ProgramInstance program = MessageAggregation.program(messages);
    RunConf conf = input.conf();
    if (conf.hoist() != HoistMode.OFF) {
      program = Hoisting.apply(program, false);
    }
    RunSettings settings = settings(messages.message());
    if (conf.engine() == EngineChoice.CPU || conf.engine() == EngineChoice.AUTO) {
      CpuEngine.check(program.program(), settings);
    }
    ProgramComputation computation =
        new ProgramComputation(
            RunWatch.programName(request.send()), program, settings, conf.exchange().format());
    double seconds = (PhaseTimes.ended("lift", start) - start) / 1e9;
    return new Lifted(
        messages,
        program.program().traits(),
        new Execution(completed, computation, loader(), seconds));
  }

  private ClassLoader loader() {
    return request.send().getClass().getClassLoader();
  }

  /** GraphX gives null, or 0, for the attribute of an end that is left out. */
  private void requireFields(IrFunction send) {
    requireField(send, Role.SOURCE, request.readsSource(), "srcAttr");
    requireField(send, Role.DESTINATION, request.readsDestination(), "dstAttr");
  }

  private void requireField(IrFunction send, Role role, boolean selected, String name) {
    if (send.reads(role) && !selected) {
      throw refused(
          "sendMessage",
          request.send().getClass().getName(),
          "it reads "
              + name
              + ", which its TripletFields leave out, so that GraphX gives null or 0 for it; pass"
              + " TripletFields that select it");
    }
  }

  /** Superstep 0, in which nothing happens, makes all vertices active. */
  private RunSettings settings(ValueType message) {
    RunConf conf = input.conf();
    List<ColumnType> kinds = message.columns();
    Columns zeros = Columns.allocate(kinds, 1);
    Object[] nothing = new Object[kinds.size()];
    for (int column = 0; column < nothing.length; column++) {
      nothing[column] = zeros.get(column, 0);
    }
    return new RunSettings(
        nothing,
        null,
        ActiveDirection.EITHER,
        Gather.ACTIVE,
        1,
        false,
        conf.kernel(),
        conf.threads(),
        null,
        conf.exchange().mode());
  }
}
