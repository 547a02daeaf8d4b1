package org.sparkgpugraph.runtime.warm;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.VertexLayout;

/**
 * A graph in the form in which GraphX's come: edges in the order of their sources over dictionaries
 * of ids, vertices in the slots of hash tables. Always the same, and so large that the JVM compiles
 * the loops over its vertices and edges: it does after some hundred thousand rounds.
 */
final class SampleGraph {
  private static final int VERTICES = 1 << 16;
  private static final int DEGREE = 4;

  /** Lists of one or two are of another class than those of more. */
  private static final int BLOCKS = 4;

  /** Of the multiplicative generator of Lewis, Goodman and Miller (1969). */
  private static final long MULTIPLIER = 16807;

  private static final long MODULUS = Integer.MAX_VALUE;

  private SampleGraph() {}

  /**
   * Loads it as an executor does.
   *
   * @param holes whether not all ids below the largest are in use: code that looks them up is
   *     another then, and what the JVM has compiled for one alone it throws away when it meets the
   *     other
   */
  static HeldGraph load(boolean holes, int threads) {
    int spread = holes ? 2 : 1;
    List<EdgeBlock> edges = new ArrayList<>();
    List<VertexBlock> vertices = new ArrayList<>();
    SampleVertices partitions = partitions();
    for (int block = 0; block < BLOCKS; block++) {
      edges.add(edges(block, spread));
      vertices.add(partitions.block(ids(block, spread)));
    }
    vertices = List.copyOf(vertices);
    ExecutorGraph graph =
        ExecutorGraphBuilder.build(
            edges,
            vertices,
            new ExecutorGraphBuilder.Options(1, threads, null, RowsMade.LATER_ON_HOST));
    edges.forEach(block -> partitions.edgeValues(block, graph, threads));
    try (Workers workers = new Workers(threads)) {
      List<VertexLayout> layouts = VertexLayout.of(vertices, graph.ids(), workers);
      return new HeldGraph(graph, layouts, null, true, 0);
    }
  }

  /** Those of GraphX, where its jar is there. */
  private static SampleVertices partitions() {
    try {
      for (SampleVertices found :
          ServiceLoader.load(SampleVertices.class, SampleGraph.class.getClassLoader())) {
        found.block(new long[] {0});
        return found;
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      // Without it nobody needs them.
    }
    return new SampleVertices() {
      @Override
      public VertexBlock block(long[] ids) {
        return new VertexBlock(ids, null);
      }

      @Override
      public void edgeValues(EdgeBlock edges, ExecutorGraph graph, int threads) {
        // No result has any.
      }
    };
  }

  /** A dictionary of all ids; few vertices have most of the edges' ends. */
  private static EdgeBlock edges(int block, int spread) {
    long[] ids = new long[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
      ids[i] = (i * MULTIPLIER + block) % VERTICES * spread;
    }
    int[] sources = new int[VERTICES * DEGREE];
    int[] destinations = new int[sources.length];
    long draw = block + 1;
    for (int e = 0; e < sources.length; e++) {
      sources[e] = e / DEGREE;
      draw = draw * MULTIPLIER % MODULUS;
      double uniform = (double) draw / MODULUS;
      destinations[e] = (int) (uniform * uniform * uniform * VERTICES);
    }
    return new LocalEdgeBlock(sources.length, sources, destinations, ids, null);
  }

  private static long[] ids(int block, int spread) {
    long[] ids = new long[VERTICES / BLOCKS];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = ((long) i * BLOCKS + block) * spread;
    }
    return ids;
  }
}
