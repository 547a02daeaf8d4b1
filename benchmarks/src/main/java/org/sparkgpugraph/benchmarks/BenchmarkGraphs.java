package org.sparkgpugraph.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.sparkgpugraph.files.generate.GeneratedGraph;
import org.sparkgpugraph.files.generate.LatticeGraph;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.build.ExecutorGraphBuilder;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.RowsMade;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;

/** The graphs of the engine benchmarks, made in memory by all cores, without Spark. */
public final class BenchmarkGraphs {
  /** The seed of all of them. */
  public static final long SEED = 42;

  /** Edges of a block: large, because the builder goes through blocks with values one by one. */
  private static final long BLOCK = 1 << 22;

  private static final int VERTEX_BLOCK = 1 << 20;

  private BenchmarkGraphs() {}

  /** R-MAT (a = .57, b = c = .19) with scrambled ids, weights 1 … 255 as doubles. */
  public static ExecutorGraph rmat(int scale, int edgeFactor, int partitions, boolean weighted) {
    return build(
        new RmatGraph(scale, edgeFactor, SEED), weighted ? Kind.DOUBLE : null, false, partitions);
  }

  /** A lattice of side² vertices, edges both ways between neighbours, equal weights 1 … 255. */
  public static ExecutorGraph lattice(int side, int partitions) {
    return build(new LatticeGraph(side, side, SEED), Kind.DOUBLE, false, partitions);
  }

  /**
   * Generates and builds a graph.
   *
   * @param weights kind of the edge values, INT, FLOAT or DOUBLE: uniform integers 1 … 255; null:
   *     none
   * @param isolated whether all ids are vertices, those without an edge too; otherwise the ends of
   *     the edges are
   */
  public static ExecutorGraph build(
      GeneratedGraph generated, Kind weights, boolean isolated, int partitions) {
    return build(
        edges(generated, weights),
        isolated ? vertices(generated.vertices()) : null,
        weights,
        partitions);
  }

  /**
   * Generates edges.
   *
   * @param weights as above
   */
  public static List<EdgeBlock> edges(GeneratedGraph generated, Kind weights) {
    int slices = (int) Math.max(1, generated.edges() / BLOCK);
    return IntStream.range(0, slices)
        .parallel()
        .mapToObj(slice -> block(generated.slice(slice, slices, weights != null, false), weights))
        .toList();
  }

  /**
   * The same edges between other vertices.
   *
   * @param added to both ids; 0: the block itself
   */
  static IntEdgeBlock shifted(IntEdgeBlock block, int added) {
    if (added == 0) {
      return block;
    }
    int[] sources = Arrays.copyOf(block.sources(), block.size());
    int[] destinations = Arrays.copyOf(block.destinations(), block.size());
    for (int e = 0; e < block.size(); e++) {
      sources[e] += added;
      destinations[e] += added;
    }
    return new IntEdgeBlock(block.size(), sources, destinations, block.values());
  }

  /**
   * Builds a graph of edges.
   *
   * @param vertices ids that are vertices even without an edge, or null
   * @param weights kind of the edges' values; null: none
   */
  public static ExecutorGraph build(
      List<EdgeBlock> edges, List<VertexBlock> vertices, Kind weights, int partitions) {
    return build(edges, vertices, weights, partitions, BuildMemory.UNBOUNDED);
  }

  /**
   * The same.
   *
   * @param memory where it is built
   */
  public static ExecutorGraph build(
      List<EdgeBlock> edges,
      List<VertexBlock> vertices,
      Kind weights,
      int partitions,
      BuildMemory memory) {
    return ExecutorGraphBuilder.build(
        edges,
        vertices,
        new ExecutorGraphBuilder.Options(
            partitions,
            Runtime.getRuntime().availableProcessors(),
            weights == null ? null : new ValueType.Scalar(weights),
            RowsMade.NOW,
            memory));
  }

  /** Vertices without attributes: ids 0 to {@code count} − 1. */
  public static List<VertexBlock> vertices(long count) {
    return IntStream.range(0, (int) ((count + VERTEX_BLOCK - 1) / VERTEX_BLOCK))
        .parallel()
        .mapToObj(
            b -> {
              long first = (long) b * VERTEX_BLOCK;
              long[] ids = new long[(int) Math.min(VERTEX_BLOCK, count - first)];
              for (int i = 0; i < ids.length; i++) {
                ids[i] = first + i;
              }
              return new VertexBlock(ids, null);
            })
        .toList();
  }

  /** Joins small blocks, with their weights as the kind asks for. */
  private static EdgeBlock block(Iterator<EdgeBlock> pieces, Kind weights) {
    List<IntEdgeBlock> parts = new ArrayList<>();
    int size = 0;
    while (pieces.hasNext()) {
      if (!(pieces.next() instanceof IntEdgeBlock part)) {
        throw new IllegalArgumentException("the graph has ids of 2^31 or more");
      }
      parts.add(part);
      size = Math.addExact(size, part.size());
    }
    int[] sources = new int[size];
    int[] destinations = new int[size];
    Object values = weights == null ? null : newArray(weights, size);
    int at = 0;
    for (IntEdgeBlock part : parts) {
      System.arraycopy(part.sources(), 0, sources, at, part.size());
      System.arraycopy(part.destinations(), 0, destinations, at, part.size());
      if (values != null) {
        copy((double[]) part.values(), part.size(), values, at);
      }
      at += part.size();
    }
    return new IntEdgeBlock(size, sources, destinations, values);
  }

  static Object newArray(Kind kind, int size) {
    return switch (kind) {
      case INT -> new int[size];
      case FLOAT -> new float[size];
      case DOUBLE -> new double[size];
      case LONG, BOOLEAN -> throw new IllegalArgumentException("weights are not made as " + kind);
    };
  }

  private static void copy(double[] from, int count, Object to, int at) {
    if (to instanceof int[] ints) {
      for (int i = 0; i < count; i++) {
        ints[at + i] = (int) from[i];
      }
    } else if (to instanceof float[] floats) {
      for (int i = 0; i < count; i++) {
        floats[at + i] = (float) from[i];
      }
    } else {
      System.arraycopy(from, 0, to, at, count);
    }
  }
}
