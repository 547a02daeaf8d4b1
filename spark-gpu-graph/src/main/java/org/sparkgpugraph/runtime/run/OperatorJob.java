package org.sparkgpugraph.runtime.run;

import org.apache.spark.SparkContext;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.run.ExplainMode;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.observe.ApplicationCalls;
import org.sparkgpugraph.runtime.stage.Computation;

/**
 * One run of an operator, seen from the driver. What {@link PregelJob} is for vertex programs;
 * stock GraphX does not run operators.
 */
public final class OperatorJob {
  private final JobInput input;
  private final OperatorComputation computation;

  private OperatorJob(JobInput input, GraphOperator operator) {
    this.input = input;
    computation = new OperatorComputation(operator, input.conf().threads());
  }

  /**
   * Whether options and configuration ask for what only a vertex program can do: to run on stock
   * GraphX, or supersteps that walk the graph in a certain way ({@code spark.gpugraph.kernel}).
   */
  public static boolean asksForProgram(SparkContext sc, RunOptions options) {
    RunConf conf = RunConf.of(sc, options);
    return conf.asksForStock() || conf.kernel() != KernelChoice.AUTO;
  }

  /** Whether the options, or the configuration, ask for stock GraphX. */
  public static boolean asksForStock(SparkContext sc, RunOptions options) {
    return RunConf.of(sc, options).asksForStock();
  }

  /** An operator on a graph that is not loaded, which is neither changed nor unpersisted. */
  public static OperatorJob on(GraphSource source, GraphOperator operator, RunOptions options) {
    return new OperatorJob(JobInput.of(source, null, options), operator);
  }

  /**
   * An operator on a graph that executors hold.
   *
   * @throws IllegalArgumentException when the options say how to spread or cut it
   */
  public static OperatorJob on(GraphView graph, GraphOperator operator, RunOptions options) {
    return new OperatorJob(JobInput.of(graph.state().source(), graph, options), operator);
  }

  /**
   * Runs and collects the result as a graph of the library that the input is of.
   *
   * @throws IllegalArgumentException when stock GraphX was asked for
   */
  public <T> T run(ResultCollector<T> collector) {
    try (ApplicationCalls.Call call = call()) {
      Execution execution = execution();
      input.checkGraphX();
      T result = execution.collect(collector);
      call.ranOn(execution.engine());
      return result;
    }
  }

  private ApplicationCalls.Call call() {
    return ApplicationCalls.begin(input.sc(), input.conf().explain() != ExplainMode.NONE);
  }

  /**
   * Runs and leaves the result with the executors.
   *
   * @throws IllegalArgumentException when stock GraphX was asked for
   */
  public RunResult runVertices() {
    try (ApplicationCalls.Call call = call()) {
      Execution execution = execution();
      RunResult result = execution.runVertices();
      call.ranOn(execution.engine());
      return result;
    }
  }

  private Execution execution() {
    Explanation.logIfAsked(input.conf(), this::explain);
    if (input.conf().asksForStock()) {
      throw new IllegalArgumentException(
          computation.name() + " does not run on stock GraphX; unset engine and fallback");
    }
    return executed();
  }

  private Execution executed() {
    ClassLoader loader = computation.operator().getClass().getClassLoader();
    return new Execution(input, computation, loader, 0);
  }

  /**
   * Explains without running. There is no CUDA source to add: none is generated from an operator.
   */
  public String explain() {
    Explanation lines = new Explanation(input, "the operator");
    String operator = "operator: " + computation.name() + ", no vertex program";
    if (input.conf().asksForStock()) {
      lines.add("engine: none: the configuration asks for stock GraphX");
      lines.add(operator);
      lines.add(
          "! the operator cannot run on stock GraphX because it is no vertex program; unset engine"
              + " and fallback");
      return lines.text();
    }
    Computation.Description description = lines.describe(executed(), false);
    lines.add(operator);
    lines.graph(description);
    lines.columns(computation.result());
    lines.type("result", computation.result());
    return lines.text();
  }
}
