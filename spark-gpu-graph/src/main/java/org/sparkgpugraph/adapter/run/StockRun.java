package org.sparkgpugraph.adapter.run;

import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.adapter.fallback.FallbackSettings;
import org.sparkgpugraph.adapter.fallback.GraphxFallback;
import org.sparkgpugraph.adapter.fallback.GraphxRun;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.observe.ConsoleProgress;
import org.sparkgpugraph.runtime.observe.RunWatch;
import org.sparkgpugraph.runtime.run.JobInput;
import org.sparkgpugraph.runtime.run.PregelRequest;
import org.sparkgpugraph.runtime.run.ProgramSources;
import org.sparkgpugraph.runtime.serial.RecordSerialization;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A run of a request's functions on stock GraphX, watched as others are.
 *
 * @param input with a GraphX graph
 */
record StockRun(JobInput input, PregelRequest request) {
  /** Runs; edges keep their attributes. */
  @SuppressWarnings("unchecked") // the request's objects have the graph's types
  <R, ED> Graph<R, ED> run() {
    long start = System.nanoTime();
    SparkContext sc = input.sc();
    GraphSource source = input.source();
    RecordSerialization.check(
        sc, source.vertexClass(), source.edgeClass(), request.anyMessage().getClass());
    Graph<Object, ED> graph = (Graph<Object, ED>) GraphXSource.graph(source);
    GraphxRun<Object, ED> run;
    String name = RunWatch.programName(request.vertexProgram);
    try (RunWatch watch =
        RunWatch.beginOnGraphX(sc, request.options.observer(), name, RegistryKey.ofResult(sc))) {
      try {
        run = OwnerJob.cancellable(sc, "in a run on stock GraphX", () -> run(graph, watch));
        watch.endedOnGraphX(run.summary(), reason());
      } catch (Exception | Error e) {
        watch.failed(e);
        // As GraphX throws it.
        throw SparkFailures.undeclared(e);
      }
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    RunReport report =
        new RunReport(
            "graphx",
            reason(),
            run.summary(),
            0,
            0,
            seconds,
            0,
            seconds,
            0,
            run.graph().ops().numVertices(),
            run.graph().ops().numEdges(),
            0,
            List.of(),
            List.of());
    ConsoleProgress console = ConsoleProgress.of(sc, name, Integer.MAX_VALUE);
    if (console != null) {
      console.ended(report);
    }
    request.options.observer().finished(report);
    return (Graph<R, ED>) run.graph();
  }

  private <ED> GraphxRun<Object, ED> run(Graph<Object, ED> graph, RunWatch watch) {
    ClassTag<Object> any = ClassTag$.MODULE$.Object();
    return GraphxFallback.run(
        graph,
        ProgramSources.of(input.source(), request),
        new FallbackSettings<>(
            request.initialMessage,
            request.emptyMessage,
            request.activeDirection,
            request.gather,
            request.maxIterations,
            request.stopWhen),
        watch::superstepEnded,
        any,
        any);
  }

  private String reason() {
    return input.conf().asksForStock()
        ? "the configuration asks for it"
        : "the program cannot be lifted; the log has a line for each reason";
  }
}
