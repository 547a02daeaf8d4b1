package org.sparkgpugraph;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.function.VertexPredicate;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.load.GraphSource;
import org.sparkgpugraph.runtime.load.GraphView;
import org.sparkgpugraph.runtime.load.HeldBlocks;
import org.sparkgpugraph.runtime.load.ResidentState;
import org.sparkgpugraph.runtime.run.RootAccess;
import org.sparkgpugraph.runtime.run.RunResult;

/**
 * A graph that stays in the executors' memory: loaded once, run many times. Made by {@link #load},
 * and of GraphX graphs by {@link GpuPregel#load}.
 *
 * <p>Its structure never changes. Vertex attributes and edge values are loaded when a program first
 * reads them. Its bytes count against Spark's storage memory. It is freed by {@link #close}, and
 * with the SparkContext.
 *
 * <p>Thread-safe. Programs on it, and on the graphs made of it by {@link #reversed}, {@link
 * #withVertices} and {@link #masked}, may run side by side, while others of these are made or
 * closed. Where several executors hold it, what changes their parts runs alone: a program that is
 * the first to need edge values, vertex attributes or out-edges waits until the programs of other
 * threads have ended, and programs that begin meanwhile wait for it. When an executor is lost all
 * programs stop, the first brings back what was lost, and all go on. A thread never waits for
 * itself: an observer may run a program of its own. Who is interrupted while waiting gets an {@link
 * IllegalStateException}.
 *
 * @param <VD> vertex attribute
 * @param <ED> edge attribute
 */
public final class ResidentGraph<VD, ED> implements AutoCloseable {
  static {
    RootAccess.register(
        new RootAccess() {
          @Override
          public GraphView view(Object graph) {
            return ((ResidentGraph<?, ?>) graph).view;
          }

          @Override
          public Object graph(GraphView view) {
            return new ResidentGraph<>(view, true);
          }

          @Override
          public Object result(RunResult result) {
            return new VertexResult<>(result);
          }

          @Override
          public Object reporting(Object result, RunReport report) {
            VertexResult<?> values = (VertexResult<?>) result;
            return new VertexResult<>(new RunResult(values.held(), values.type(), report));
          }

          @Override
          public HeldBlocks held(Object result) {
            return ((VertexResult<?>) result).held();
          }
        });
  }

  private final GraphView view;
  private final ResidentState state;

  /** False for a view that another object of this class frees. */
  private final boolean owner;

  ResidentGraph(GraphView view, boolean owner) {
    this.view = view;
    this.state = view.state();
    this.owner = owner;
  }

  private <T> ResidentGraph<T, ED> derived(ResidentState other) {
    return new ResidentGraph<>(new GraphView(other, view.reversed()), true);
  }

  /**
   * Loads edges that never were a GraphX graph, from a loader or generator of {@code
   * org.sparkgpugraph.files}. The vertices are the ends of the edges; they have no attributes.
   * Close the graph when done.
   *
   * @param edges read once into one executor; before that once to be counted and sampled where
   *     there are several; and again if an executor is lost
   * @param edgeClass class of the edge values, which are loaded at the same time: {@code
   *     Double.class} for the weights of the loaders, {@code double[].class} for arrays of them;
   *     {@code Object.class} leaves values out
   */
  public static <ED> ResidentGraph<Object, ED> load(
      JavaRDD<EdgeBlock> edges, Class<ED> edgeClass, RunOptions options) {
    GraphSource source =
        new GraphSource(edges.context(), Object.class, edgeClass, edges, null, null, false)
            .withEdgeTypeOfFirst();
    return new ResidentGraph<>(GraphView.load(source, options, true, false), true);
  }

  /**
   * As {@link #load(JavaRDD, Class, RunOptions)}, with further vertices: the ends of the edges are
   * vertices, and so are these, whether edges touch them or not.
   *
   * @param vertices ids; an id may occur several times
   */
  public static <ED> ResidentGraph<Object, ED> load(
      JavaRDD<EdgeBlock> edges,
      JavaRDD<VertexBlock> vertices,
      Class<ED> edgeClass,
      RunOptions options) {
    GraphSource source = GraphSource.of(edges, vertices, edgeClass).withEdgeTypeOfFirst();
    return new ResidentGraph<>(GraphView.load(source, options, true, false), true);
  }

  /** What jobs run on. */
  GraphView view() {
    return view;
  }

  /** The context that the graph was loaded in. */
  public SparkContext sparkContext() {
    return state.source().sc();
  }

  /** Number of vertices, isolated ones too. */
  public long vertexCount() {
    return state.handle().vertices();
  }

  /** Number of edges. */
  public long edgeCount() {
    return state.handle().edges();
  }

  /** Bytes that the structure takes in the executors. */
  public long bytes() {
    return state.handle().bytes();
  }

  /** Seconds that loading took. */
  public double loadSeconds() {
    return state.loadSeconds();
  }

  /** Whether there is a vertex with this id. */
  public boolean containsVertex(long id) {
    return state.containsVertex(id);
  }

  /**
   * The same graph with every edge turned round. It shares this graph's memory and lives as long:
   * closing it does nothing.
   */
  public ResidentGraph<VD, ED> reversed() {
    return new ResidentGraph<>(new GraphView(state, !view.reversed()), false);
  }

  /**
   * The same structure with a result as its vertex attributes, so that programs can follow one
   * another. It shares this graph's memory; close it as well as this one, in any order. The result
   * may be closed.
   *
   * @param type class of the result's values
   * @throws IllegalArgumentException when the result is of another class, or of another graph
   */
  public <T> ResidentGraph<T, ED> withVertices(VertexResult<T> values, Class<T> type) {
    // Of arrays the class says no length.
    if (!values.type().equals(ValueType.of(type))
        && !values.type().className().equals(type.getName())) {
      throw new IllegalArgumentException(
          "the result's values are " + values.type().className() + ", not " + type.getName());
    }
    return derived(state.withAttributes(values.held(), type, values.type()));
  }

  /**
   * The same structure with other vertex attributes; shares this graph's memory, close both.
   *
   * @param values by vertex id
   * @param type class of the values
   * @param missing attribute of the vertices that {@code values} does not name; all arrays are as
   *     long as its own
   * @throws IllegalArgumentException when an id is not a vertex, or comes several times
   */
  public <T> ResidentGraph<T, ED> withVertices(
      JavaPairRDD<Long, T> values, Class<T> type, T missing) {
    Objects.requireNonNull(missing, "missing");
    JavaRDD<VertexBlock> blocks =
        values.mapPartitions(
            pairs -> {
              List<Long> ids = new ArrayList<>();
              List<Object> objects = new ArrayList<>();
              pairs.forEachRemaining(
                  pair -> {
                    ids.add(pair._1());
                    objects.add(pair._2());
                  });
              return List.of(
                      new VertexBlock(
                          ids.stream().mapToLong(Long::longValue).toArray(), objects.toArray()))
                  .iterator();
            });
    return derived(state.withAttributes(blocks, type, missing));
  }

  /**
   * A graph with some vertices and edges left out, in memory of its own; close both.
   *
   * @param vertices which ids stay; null: all
   * @param edges which edges stay, of those whose two ends stay, as this graph sees them; null: all
   */
  public ResidentGraph<VD, ED> masked(VertexPredicate vertices, EdgePredicate edges) {
    EdgePredicate asLoaded =
        edges == null || !view.reversed()
            ? edges
            : (source, destination) -> edges.test(destination, source);
    return derived(state.masked(vertices, asLoaded));
  }

  /** Whether edges are turned round against the source. */
  public boolean isReversed() {
    return view.reversed();
  }

  /**
   * Frees the executors' memory; does nothing on a {@link #reversed} view. Results that were made
   * from it stay valid. A program that runs on it may go on to its end, but ends with an error that
   * says so when an executor is lost on the way, as do programs that begin now. Where an executor
   * stays busy with other work this returns after some seconds, and its part is freed when it can
   * be.
   */
  @Override
  public void close() {
    if (owner) {
      state.close();
    }
  }
}
