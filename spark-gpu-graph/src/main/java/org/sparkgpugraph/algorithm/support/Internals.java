package org.sparkgpugraph.algorithm.support;

import java.lang.invoke.MethodHandles;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.engine.operator.GraphOperator;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.load.HeldBlocks;
import org.sparkgpugraph.runtime.load.ResidentState;
import org.sparkgpugraph.runtime.run.OperatorJob;
import org.sparkgpugraph.runtime.run.RootAccess;
import org.sparkgpugraph.runtime.run.RunResult;

/** Gets behind the classes that users see, for what the library itself runs on them. */
public final class Internals {
  private static final RootAccess ROOT = root();

  private Internals() {}

  private static RootAccess root() {
    try {
      MethodHandles.lookup().ensureInitialized(ResidentGraph.class);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
    return RootAccess.get();
  }

  /** What is behind a graph. */
  public static GraphView view(ResidentGraph<?, ?> graph) {
    return ROOT.view(graph);
  }

  /** How a graph is held. */
  public static ResidentState state(ResidentGraph<?, ?> graph) {
    return view(graph).state();
  }

  /** The graph of a view. */
  @SuppressWarnings("unchecked") // the source has these types
  public static <VD, ED> ResidentGraph<VD, ED> graph(GraphView view) {
    return (ResidentGraph<VD, ED>) ROOT.graph(view);
  }

  /** What a user sees of a result. */
  @SuppressWarnings("unchecked") // the run has this type
  public static <R> VertexResult<R> result(RunResult result) {
    return (VertexResult<R>) ROOT.result(result);
  }

  /** Where the values of a result are. */
  public static HeldBlocks held(VertexResult<?> result) {
    return ROOT.held(result);
  }

  /**
   * A result as what another run has come to.
   *
   * @param report of that run
   */
  @SuppressWarnings("unchecked") // the values are the same
  public static <R> VertexResult<R> reporting(VertexResult<R> result, RunReport report) {
    return (VertexResult<R>) ROOT.reporting(result, report);
  }

  /**
   * Whether an operator that takes a graph in one piece can run: one executor has it, in one
   * partition, and nothing is asked for that only a program can do.
   */
  public static boolean isInOnePiece(ResidentGraph<?, ?> graph, RunOptions options) {
    GraphHandle held = state(graph).handle();
    return held.executors() == 1
        && held.partitions() == 1
        && !OperatorJob.asksForProgram(graph.sparkContext(), options);
  }

  /** What {@code explain()} says of a program that runs because {@link #isInOnePiece} is not so. */
  public static String whyProgram(ResidentGraph<?, ?> graph, RunOptions options) {
    return OperatorJob.asksForProgram(graph.sparkContext(), options)
        ? "choice: a vertex program, not the operator: the configuration asks for it\n"
        : "choice: a vertex program, not the operator, which takes a graph in one piece, on one"
            + " executor and one GPU\n";
  }

  /** Runs an operator and leaves the result with the executors. */
  public static <R> VertexResult<R> run(
      ResidentGraph<?, ?> graph, GraphOperator operator, RunOptions options) {
    return result(OperatorJob.on(view(graph), operator, options).runVertices());
  }

  /** Tells what {@link #run} would do. */
  public static String explain(
      ResidentGraph<?, ?> graph, GraphOperator operator, RunOptions options) {
    return OperatorJob.on(view(graph), operator, options).explain();
  }
}
