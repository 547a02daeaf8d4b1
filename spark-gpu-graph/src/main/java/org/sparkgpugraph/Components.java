package org.sparkgpugraph;

import org.apache.spark.graphx.Graph;
import org.sparkgpugraph.adapter.run.GraphXRuns;
import org.sparkgpugraph.adapter.run.GraphXSource;
import org.sparkgpugraph.engine.operator.ConnectedComponentsOperator;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.run.OperatorJob;

/**
 * Connected components by sampled union-find: each vertex gets the smallest id of its component,
 * edge directions left out. An operator, not a vertex program: it has no supersteps in which labels
 * flood the graph, looks at every edge once or twice, and takes about as long on a lattice as on a
 * random graph. The result is that of GraphX's {@code ConnectedComponents}, to the bit, on every
 * engine and however the graph is held.
 *
 * <p><b>How.</b> Vertices are in trees whose root is the smallest member. Every vertex is hung
 * under its smallest in-neighbour, then linked with a second one; that puts most of a graph into
 * one tree, which a sample of 1024 vertices finds. Of the edges that are left, only those with an
 * end outside of it cost more than a look at a bitmap. Threads and lanes hang roots under smaller
 * vertices by compare and set: whoever is faster, the same root is left. On a GPU that has the
 * whole graph the largest tree grows from a hub instead, where there is one, as a bitmap: its
 * neighbours, then whoever has one of them among its first neighbours. (Sutton, Ben-Nun, Barak
 * 2018, "Optimizing parallel graph connectivity computation via subgraph sampling"; there the rows
 * of the largest tree are skipped, which needs each edge at both of its ends, here one end has it.)
 *
 * <p><b>Cost.</b> Four bytes and a bit per vertex beside the in-edges. Several GPUs of an executor
 * find the trees of their partitions each, and the first joins them: four bytes per vertex and GPU
 * travel. Several executors tell each other labels of boundary vertices (about a bit each where
 * most are of one component) and then links between components of different executors, each once,
 * by way of one of them; four rounds, whatever the diameter.
 *
 * <p>An edge of which an end is not a vertex joins nothing. With supersteps to observe, or a bound
 * on them, run the vertex program {@link org.sparkgpugraph.lib.ConnectedComponents#runProgram}. The
 * operator does not run on stock GraphX.
 */
public final class Components {
  private Components() {}

  /** Components of a GraphX graph; edges keep their attributes. */
  public static <ED> Graph<Long, ED> of(Graph<?, ED> graph) {
    return of(graph, RunOptions.DEFAULT);
  }

  /**
   * As {@link #of(Graph)}, with options.
   *
   * @throws IllegalArgumentException when they ask for stock GraphX
   */
  public static <ED> Graph<Long, ED> of(Graph<?, ED> graph, RunOptions options) {
    GraphSource source = GraphXSource.of(graph, Object.class, Object.class);
    return GraphXRuns.run(OperatorJob.on(source, new ConnectedComponentsOperator(), options));
  }

  /**
   * Components of a graph that executors hold, loaded from a GraphX graph or files.
   *
   * @throws IllegalArgumentException when the options ask for stock GraphX, or say how to spread or
   *     cut the graph
   */
  public static VertexResult<Long> of(ResidentGraph<?, ?> graph, RunOptions options) {
    return new VertexResult<>(
        OperatorJob.on(graph.view().forward(), new ConnectedComponentsOperator(), options)
            .runVertices());
  }

  /** Tells what {@link #of(ResidentGraph, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, RunOptions options) {
    return OperatorJob.on(graph.view().forward(), new ConnectedComponentsOperator(), options)
        .explain();
  }
}
