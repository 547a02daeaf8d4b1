package io.sparkgpugraph.graph;

import io.sparkgpugraph.program.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Builds an executor graph from columnar blocks: dense ids, ranges with about equal numbers of
 * in-edges, in-edge CSR, ghosts and boundary lists. The result depends on the blocks and their
 * order only, never on the number of threads.
 *
 * <p>Extra memory while it runs: 4 bytes an edge without edge values, 8 with them, 4 bytes a
 * dictionary entry, and counters of at most 4 bytes an edge; {@link GlobalEdgeBlock}s, and more
 * than one partition, cost 8 bytes an edge more.
 */
public final class ExecutorGraphBuilder {
  private final Options options;

  /**
   * How to build.
   *
   * @param partitions number of partitions, at least 1; one per memory (a heap, a GPU)
   * @param threads worker threads, at least 1
   * @param edgeType type of the edge values to load now; null: none ({@link
   *     ExecutorGraph#loadEdgeValues} can do it later)
   */
  public record Options(int partitions, int threads, ValueType edgeType) {
    public Options {
      if (partitions < 1) {
        throw new IllegalArgumentException(partitions + " partitions; at least 1 is needed");
      }
      if (threads < 1) {
        throw new IllegalArgumentException(threads + " threads; at least 1 is needed");
      }
    }
  }

  private ExecutorGraphBuilder(Options options) {
    this.options = options;
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
    try (Workers workers = new Workers(options.threads())) {
      return new ExecutorGraphBuilder(options).build(List.copyOf(edges), vertices, workers);
    }
  }

  private CsrExecutorGraph build(
      List<EdgeBlock> edges, List<VertexBlock> vertices, Workers workers) {
    VertexIdsBuilder.Result found = new VertexIdsBuilder(edges, vertices, workers).build();
    VertexIds ids = found.ids();
    int size = Math.toIntExact(ids.size());
    List<DenseBlock> dense = DenseBlocks.of(edges, ids, workers);
    ValueCodec codec = options.edgeType() == null ? null : ValueCodec.of(options.edgeType());
    int[] outDegrees = new int[size];
    int[] bounds = bounds(dense, size, workers);
    List<CsrGraphPartition> partitions = new ArrayList<>();
    for (int p = 0; p < options.partitions(); p++) {
      int first = bounds[p];
      int stored = bounds[p + 1] - first;
      boolean single = options.partitions() == 1;
      PartitionSlice slice =
          single
              ? PartitionSlice.all(dense)
              : PartitionSlice.of(dense, first, first + stored, codec != null, workers);
      checkEdges(p, slice.edges());
      int[][] places = codec == null ? null : EdgeValueLoader.places(slice);
      Csr bySource = CsrSort.bySource(slice.blocks(), size, places, workers);
      addDegrees(bySource.offsets(), outDegrees);
      Csr inEdges = CsrSort.transpose(bySource, stored, codec != null, workers);
      Columns values =
          codec == null
              ? null
              : EdgeValueLoader.read(codec, slice, edges, places, bySource.neighbours(), workers);
      long[] ghosts = new long[0];
      if (!single) {
        RankedBitmap farEnds = farEnds(dense, first, first + stored, size, workers);
        ghosts = farEnds.members();
        toLocal(inEdges.neighbours(), first, stored, farEnds, workers);
      }
      partitions.add(
          new CsrGraphPartition(
              p,
              first,
              stored,
              ghosts,
              localPresent(found.present(), first, stored, ghosts),
              inEdges,
              values));
    }
    return new CsrExecutorGraph(
        ids,
        found.present(),
        partitions,
        boundaries(partitions),
        outDegrees,
        options.threads(),
        options.edgeType());
  }

  private void checkEdges(int partition, long edges) {
    if (edges > GraphPartition.MAX_EDGES) {
      throw new IllegalArgumentException(
          "partition "
              + partition
              + " would hold "
              + edges
              + " edges, at most "
              + GraphPartition.MAX_EDGES
              + " are possible: use more than "
              + options.partitions()
              + " partitions");
    }
  }

  private static void addDegrees(int[] offsets, int[] degrees) {
    for (int v = 0; v < degrees.length; v++) {
      degrees[v] += offsets[v + 1] - offsets[v];
    }
  }

  /** First dense id of every partition, and the number of ids: each has as many in-edges. */
  private int[] bounds(List<DenseBlock> blocks, int size, Workers workers) {
    int partitions = options.partitions();
    int[] bounds = new int[partitions + 1];
    bounds[partitions] = size;
    if (partitions == 1) {
      return bounds;
    }
    AtomicIntegerArray inDegrees = new AtomicIntegerArray(size);
    workers.run(
        blocks.size(),
        b -> {
          DenseBlock block = blocks.get(b);
          for (int i = 0; i < block.size(); i++) {
            inDegrees.getAndIncrement(block.destination(i));
          }
        });
    long[] before = new long[size + 1];
    for (int v = 0; v < size; v++) {
      before[v + 1] = before[v] + inDegrees.getPlain(v);
    }
    long edges = before[size];
    for (int p = 1; p < partitions; p++) {
      if (edges == 0) {
        bounds[p] = (int) ((long) size * p / partitions);
      } else {
        long share = edges / partitions * p + edges % partitions * p / partitions;
        int at = Arrays.binarySearch(before, share);
        bounds[p] = Math.max(bounds[p - 1], Math.min(size, at >= 0 ? at : -at - 1));
      }
    }
    return bounds;
  }

  /** The ends outside {@code [from, to)} of the edges that have the other end in it. */
  private static RankedBitmap farEnds(
      List<DenseBlock> blocks, int from, int to, int size, Workers workers) {
    AtomicBitmap ends = new AtomicBitmap((size + 63) >>> 6);
    workers.run(
        blocks.size(),
        b -> {
          DenseBlock block = blocks.get(b);
          for (int i = 0; i < block.size(); i++) {
            int source = block.source(i);
            int destination = block.destination(i);
            boolean sourceHeld = source >= from && source < to;
            boolean destinationHeld = destination >= from && destination < to;
            if (sourceHeld && !destinationHeld) {
              ends.set(destination);
            } else if (destinationHeld && !sourceHeld) {
              ends.set(source);
            }
          }
        });
    return ends.ranked();
  }

  private static void toLocal(
      int[] neighbours, int first, int stored, RankedBitmap ghosts, Workers workers) {
    workers.forEachChunk(
        neighbours.length,
        (from, to) -> {
          for (int e = from; e < to; e++) {
            int held = neighbours[e] - first;
            neighbours[e] = held >= 0 && held < stored ? held : stored + ghosts.rank(neighbours[e]);
          }
        });
  }

  /** The bits of a partition's held vertices and ghosts; null when all are set. */
  static long[] localPresent(long[] present, int first, int stored, long[] ghosts) {
    if (present == null) {
      return null;
    }
    int size = stored + ghosts.length;
    long[] local = new long[(size + 63) >>> 6];
    boolean all = true;
    for (int i = 0; i < size; i++) {
      long dense = i < stored ? first + i : ghosts[i - stored];
      if ((present[(int) (dense >>> 6)] >>> dense & 1) != 0) {
        local[i >>> 6] |= 1L << i;
      } else {
        all = false;
      }
    }
    return all ? null : local;
  }

  private static List<BoundaryList> boundaries(List<CsrGraphPartition> partitions) {
    List<BoundaryList> lists = new ArrayList<>();
    for (CsrGraphPartition home : partitions) {
      long end = home.firstVertex() + home.stored();
      for (CsrGraphPartition reader : partitions) {
        long[] ghosts = reader.ghostIds();
        int from = insertionPoint(ghosts, home.firstVertex());
        int to = insertionPoint(ghosts, end);
        if (from < to) {
          int[] vertices = new int[to - from];
          for (int i = 0; i < vertices.length; i++) {
            vertices[i] = (int) (ghosts[from + i] - home.firstVertex());
          }
          lists.add(
              new BoundaryList(home.index(), reader.index(), vertices, reader.stored() + from));
        }
      }
    }
    return lists;
  }

  private static int insertionPoint(long[] sorted, long value) {
    int at = Arrays.binarySearch(sorted, value);
    return at >= 0 ? at : -at - 1;
  }
}
