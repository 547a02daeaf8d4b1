package org.sparkgpugraph.graphs.build;

import java.util.List;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;
import org.sparkgpugraph.graphs.model.NullValueException;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.rows.EdgeSides;
import org.sparkgpugraph.graphs.rows.UnsortedEdges;
import org.sparkgpugraph.graphs.rows.VertexIdsBuilder;
import org.sparkgpugraph.program.ValueType;

/**
 * Builds an executor graph from columnar blocks: dense ids, ranges with about equal numbers of
 * in-edges, in-edge CSR, ghosts and boundary lists. The result depends on the blocks and their
 * order only, never on the number of threads.
 *
 * <p>Extra memory while it runs: 8 bytes an edge and 4 bytes a dictionary entry; with edge values
 * counters of at most 4 bytes an edge beside, and 12 bytes an edge more where there are several
 * partitions. Blocks whose sources ascend take 4 bytes an edge instead of 8, and counters of at
 * most 8 bytes an edge. {@link GlobalEdgeBlock}s cost 8 bytes an edge more.
 */
public final class ExecutorGraphBuilder {
  private ExecutorGraphBuilder() {}

  /**
   * How to build.
   *
   * @param partitions number of partitions, at least 1; one per memory (a heap, a GPU). There are
   *     no more of them than vertices
   * @param threads worker threads, at least 1
   * @param edgeType type of the edge values to load now; null: none ({@link
   *     ExecutorGraph#loadEdgeValues} can do it later)
   * @param rows when rows are made
   * @param memory where the build, and what is made of the graph later, reserves heap; the edges
   *     given are not counted there, nor is the graph once it is built
   */
  public record Options(
      int partitions, int threads, ValueType edgeType, RowsMade rows, BuildMemory memory) {
    public Options {
      if (partitions < 1) {
        throw new IllegalArgumentException(partitions + " partitions; at least 1 is needed");
      }
      if (threads < 1) {
        throw new IllegalArgumentException(threads + " threads; at least 1 is needed");
      }
    }

    /** Without a bound on memory. */
    public Options(int partitions, int threads, ValueType edgeType, RowsMade rows) {
      this(partitions, threads, edgeType, rows, BuildMemory.UNBOUNDED);
    }

    /** Rows are made at once. */
    public Options(int partitions, int threads, ValueType edgeType) {
      this(partitions, threads, edgeType, RowsMade.NOW);
    }
  }

  /**
   * Builds a graph.
   *
   * @param edges the edges; their order is part of the result
   * @param vertices the vertices; null: the ends of the edges. Attributes are not read
   * @throws IllegalArgumentException when a partition would have 2³¹ edges or more, or the graph
   *     2³¹ vertices or more
   * @throws NullValueException when edge values are loaded and one is null
   */
  public static ExecutorGraph build(
      List<? extends EdgeBlock> edges, List<VertexBlock> vertices, Options options) {
    return build(edges, vertices, List.of(), options);
  }

  /**
   * As {@link #build(List, List, Options)}, of the ends of the edges and further vertices.
   *
   * @param further ids of vertices, whether edges touch them or not
   */
  public static ExecutorGraph buildWith(
      List<? extends EdgeBlock> edges, List<VertexBlock> further, Options options) {
    return build(edges, null, VertexIdsBuilder.ids(further), options);
  }

  /**
   * A whole graph of one partition whose rows were made elsewhere.
   *
   * @param ids of its vertices
   * @param rows of all edges
   * @param options of which partitions and rows mean nothing
   */
  public static ExecutorGraph of(VertexIds ids, UnsortedEdges rows, Options options) {
    return GraphAssembly.unsorted(ids, rows, options);
  }

  /**
   * A shard of one partition whose rows were made elsewhere.
   *
   * @param place which part of the graph it is, of several
   * @param options of which partitions and rows mean nothing
   */
  public static ExecutorGraph of(ShardPlace place, ShardRows rows, Options options) {
    return GraphAssembly.elsewhere(place, rows, options);
  }

  private static ExecutorGraph build(
      List<? extends EdgeBlock> edges,
      List<VertexBlock> vertices,
      List<long[]> further,
      Options options) {
    try (Workers workers = new Workers(options.threads(), options.memory())) {
      long start = System.nanoTime();
      List<EdgeBlock> blocks = List.copyOf(edges);
      VertexIdsBuilder.Result found = VertexIdsBuilder.of(blocks, vertices, further, workers);
      PhaseTimes.ended("build: ids", start);
      return new GraphAssembly(EdgeSides.inEdges(blocks), found, null, options, workers).build();
    }
  }
}
