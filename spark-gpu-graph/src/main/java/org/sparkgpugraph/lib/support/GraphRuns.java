package org.sparkgpugraph.lib.support;

import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ProgramBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.algorithm.support.Observed;
import org.sparkgpugraph.algorithm.support.Sources;
import org.sparkgpugraph.algorithm.support.Weights;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.load.GraphView;

/** What runs on GraphX graphs have in common. */
public final class GraphRuns {
  private GraphRuns() {}

  /**
   * Runs a program that an algorithm has put together.
   *
   * @param program the builder that the algorithm was given, from {@link GpuPregel}
   */
  @SuppressWarnings("unchecked") // the result has the graph's own edges
  public static <R, ED> Graph<R, ED> run(ProgramBuilder<?, ?, ?, ?, R> program) {
    return (Graph<R, ED>) ((PregelBuilder<?, ?, ?, ?, R>) program).run();
  }

  /** As {@link #run}, with 1 / outDegree(source) as the edges' attributes. */
  public static Graph<Double, Double> runWeighted(ProgramBuilder<?, ?, ?, ?, Double> program) {
    return ((PregelBuilder<?, ?, ?, ?, Double>) program).runWeightedByOutDegree();
  }

  /**
   * Loads a GraphX graph for a program that runs next, after which it is closed.
   *
   * @param edgeClass class of the edge attributes; Object: they are not read
   */
  public static <E> ResidentGraph<Object, E> load(
      Graph<?, ?> graph, Class<E> edgeClass, RunOptions options) {
    return Internals.graph(
        GraphView.load(GraphXSource.of(graph, Object.class, edgeClass), options, true, true));
  }

  /**
   * Loads a GraphX graph for one program whose arguments are looked up in it.
   *
   * @param edgeClass class of the edge attributes; Object: they are not read
   * @param program made on the loaded graph; its options are those of {@link Sources#loaded}
   */
  public static <E, R, ED> Graph<R, ED> on(
      Graph<?, ED> graph,
      Class<E> edgeClass,
      RunOptions options,
      Function<ResidentGraph<Object, E>, ProgramBuilder<?, ?, ?, ?, R>> program) {
    try (ResidentGraph<Object, E> resident = load(graph, edgeClass, options)) {
      return run(program.apply(resident));
    }
  }

  /**
   * A result on a graph that was loaded of a GraphX graph, as such a graph.
   *
   * @param resident graph that the result is of
   * @param type class of the result's values
   */
  public static <R, ED> Graph<R, ED> graph(
      ResidentGraph<?, ?> resident, VertexResult<R> result, Class<R> type, RunOptions options) {
    try (ResidentGraph<R, ?> valued = resident.withVertices(result, type)) {
      return run(
          GpuPregel.on(valued)
              .initialMessage(0)
              .maxIterations(1)
              .activeWhen((id, before, after) -> false)
              .vertexProgram((id, value, message) -> value)
              .sendMessage(edge -> {})
              .mergeMessage(Integer::sum)
              .options(options));
    }
  }

  /** Checks a source by a look at the vertices of a graph that is not loaded. */
  public static void check(Graph<?, ?> graph, long source) {
    if (graph.vertices().toJavaRDD().filter(vertex -> source == (long) vertex._1()).isEmpty()) {
      throw Sources.stranger(source);
    }
  }

  /**
   * Runs a program that stops at a bad weight, for which the graph is loaded again then.
   *
   * @throws IllegalArgumentException as {@link Weights#checked(ResidentGraph, Supplier)}
   */
  public static <T> T checked(
      Weights weights, Graph<?, Double> graph, RunOptions options, Supplier<T> run) {
    return weights.checked(search -> loaded(graph, options, search), run);
  }

  /** What is found out on a GraphX graph, which is loaded again for that. */
  public static <T> T loaded(
      Graph<?, Double> graph, RunOptions options, Function<ResidentGraph<?, Double>, T> search) {
    try (ResidentGraph<Object, Double> loaded =
        GpuPregel.loadWithEdgeAttributes(
            graph,
            Object.class,
            Double.class,
            Weights.search(options.partitions(), options.executors()))) {
      return search.apply(loaded);
    }
  }

  /** As {@link Observed#checked(RunOptions, Function, Consumer, Consumer)}. */
  public static <R, ED> Graph<R, ED> observed(
      RunOptions options, Function<RunOptions, Graph<R, ED>> run, Consumer<RunReport> check) {
    return Observed.checked(options, run, check, result -> result.unpersist(false));
  }
}
