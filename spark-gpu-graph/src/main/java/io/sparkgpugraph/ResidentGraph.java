package io.sparkgpugraph;

import io.sparkgpugraph.spark.GraphSource;
import io.sparkgpugraph.spark.ResidentState;

/**
 * A graph that stays in the executors' memory: loaded once, run many times. Made by {@link
 * GpuPregel#load}.
 *
 * <p>Its structure never changes. Vertex attributes and edge values are loaded when a program first
 * reads them. Its bytes count against Spark's storage memory. It is freed by {@link #close}, and
 * with the SparkContext.
 *
 * @param <VD> vertex attribute
 * @param <ED> edge attribute
 */
public final class ResidentGraph<VD, ED> implements AutoCloseable {
  private final ResidentState state;
  private final boolean reversed;

  private ResidentGraph(ResidentState state, boolean reversed) {
    this.state = state;
    this.reversed = reversed;
  }

  /**
   * Loads a source.
   *
   * @param edgeValues whether to load edge values now rather than when a program first reads them
   */
  static <VD, ED> ResidentGraph<VD, ED> load(
      GraphSource source, RunOptions options, boolean edgeValues) {
    return new ResidentGraph<>(ResidentState.load(source, options, false, edgeValues), false);
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
    return new ResidentGraph<>(state, !reversed);
  }

  /** Whether edges are turned round against the source. */
  public boolean isReversed() {
    return reversed;
  }

  /** What jobs need to know; internal. */
  public ResidentState state() {
    return state;
  }

  /** Frees the executors' memory. Results that were made from it stay valid. */
  @Override
  public void close() {
    state.close();
  }
}
