package io.sparkgpugraph.graph;

import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.ValueType;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * A whole graph on one executor, in compressed sparse rows. Made by {@link ExecutorGraphBuilder}.
 *
 * <p>Everything that a partition derives on first use comes from the in-edges, so the blocks that
 * the graph was built from may be dropped.
 */
final class CsrExecutorGraph implements ExecutorGraph {
  private final VertexIds ids;
  private final long[] present;
  private final long vertexCount;
  private final long edgeCount;
  private final List<CsrGraphPartition> partitions;
  private final List<BoundaryList> boundaries;
  private final int[] outDegrees;
  private final int threads;
  private ValueType edgeType;
  private ExecutorGraph reversed;

  /**
   * @param present bitmap over dense ids of those that are vertices; null: all
   * @param outDegrees by dense id
   * @param threads used to derive parts later
   */
  CsrExecutorGraph(
      VertexIds ids,
      long[] present,
      List<CsrGraphPartition> partitions,
      List<BoundaryList> boundaries,
      int[] outDegrees,
      int threads,
      ValueType edgeType) {
    this.ids = ids;
    this.present = present;
    this.vertexCount = present == null ? ids.size() : cardinality(present);
    this.edgeCount = partitions.stream().mapToLong(p -> p.inEdges().edges()).sum();
    this.partitions = List.copyOf(partitions);
    this.boundaries = List.copyOf(boundaries);
    this.outDegrees = outDegrees;
    this.threads = threads;
    this.edgeType = edgeType;
    partitions.forEach(p -> p.attach(this));
  }

  private static long cardinality(long[] bitmap) {
    long count = 0;
    for (long word : bitmap) {
      count += Long.bitCount(word);
    }
    return count;
  }

  @Override
  public VertexIds ids() {
    return ids;
  }

  @Override
  public long vertexCount() {
    return vertexCount;
  }

  @Override
  public long edgeCount() {
    return edgeCount;
  }

  @Override
  public List<CsrGraphPartition> partitions() {
    return partitions;
  }

  @Override
  public int partitionOf(long dense) {
    int low = 0;
    int high = partitions.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      CsrGraphPartition partition = partitions.get(middle);
      if (dense < partition.firstVertex() + partition.stored()) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  @Override
  public List<BoundaryList> boundaries() {
    return boundaries;
  }

  @Override
  public synchronized ValueType edgeType() {
    return edgeType;
  }

  @Override
  public synchronized void loadEdgeValues(ValueType type, List<? extends EdgeBlock> blocks) {
    List<Columns> values = withWorkers(w -> EdgeValueLoader.load(this, type, blocks, w));
    for (int p = 0; p < values.size(); p++) {
      partitions.get(p).setInEdgeValues(values.get(p));
    }
    edgeType = type;
  }

  /** The same object every time: devices keep what they derive from it as long as it lives. */
  @Override
  public synchronized ExecutorGraph reversed() {
    if (reversed == null) {
      reversed = new ReversedExecutorGraph(this);
    }
    return reversed;
  }

  @Override
  public ExecutorGraph masked(LongPredicate vertices, EdgePredicate edges) {
    return new GraphMask(this, present, vertices, edges, threads).apply();
  }

  /** Out-degree of a dense id. */
  int outDegree(int dense) {
    return outDegrees[dense];
  }

  /** Runs something that uses threads. */
  <T> T withWorkers(Function<Workers, T> work) {
    try (Workers workers = new Workers(threads)) {
      return work.apply(workers);
    }
  }

  /**
   * Out-edges of a partition, and their values when asked for.
   *
   * @param values null when not asked for
   */
  record OutEdges(Csr csr, Columns values) {}

  /**
   * Derives a partition's out-edges from the in-edges of all partitions.
   *
   * @param kinds kinds of the values to bring along; null: none
   */
  OutEdges makeOutEdges(CsrGraphPartition partition, List<Kind> kinds) {
    if (partitions.size() > 1) {
      return collectOutEdges(partition, kinds);
    }
    Csr in = partition.inEdges();
    if (kinds == null) {
      return new OutEdges(
          withWorkers(w -> CsrSort.transpose(in, partition.stored(), false, w)), null);
    }
    Csr places = new Csr(in.offsets(), in.neighbours().clone());
    Csr out = withWorkers(w -> CsrSort.transpose(places, partition.stored(), true, w));
    Columns from = partition.inEdgeValues();
    Columns to = Columns.allocate(kinds, in.edges());
    withWorkers(
        w -> {
          w.forEachChunk(
              in.edges(),
              (a, b) -> {
                for (int c = 0; c < to.width(); c++) {
                  ColumnCopy.copy(from.array(c), null, a, b, to.array(c), places.neighbours());
                }
              });
          return null;
        });
    return new OutEdges(out, to);
  }

  /**
   * Destinations ascend because partitions, and rows in them, are visited in the order of their
   * dense ids.
   */
  private OutEdges collectOutEdges(CsrGraphPartition partition, List<Kind> kinds) {
    int first = (int) partition.firstVertex();
    int stored = partition.stored();
    int[] offsets = new int[stored + 1];
    long edges = 0;
    for (int r = 0; r < stored; r++) {
      edges += outDegrees[first + r];
      if (edges > GraphPartition.MAX_EDGES) {
        throw new IllegalArgumentException(
            "partition "
                + partition.index()
                + " has more than "
                + GraphPartition.MAX_EDGES
                + " out-edges: use more partitions");
      }
      offsets[r + 1] = (int) edges;
    }
    int[] next = offsets.clone();
    int[] neighbours = new int[(int) edges];
    Columns values = kinds == null ? null : Columns.allocate(kinds, (int) edges);
    for (CsrGraphPartition other : partitions) {
      int[] rows = other.inEdges().offsets();
      int[] sources = other.inEdges().neighbours();
      for (int row = 0; row < other.stored(); row++) {
        int destination = -1;
        for (int e = rows[row]; e < rows[row + 1]; e++) {
          int source = other.dense(sources[e]) - first;
          if (source < 0 || source >= stored) {
            continue;
          }
          if (destination < 0) {
            destination = partition.local(other.dense(row));
          }
          int place = next[source]++;
          neighbours[place] = destination;
          if (values != null) {
            values.copyFrom(other.inEdgeValues(), e, place, 1);
          }
        }
      }
    }
    return new OutEdges(new Csr(offsets, neighbours), values);
  }

  @Override
  public long bytes() {
    return ids.bytes()
        + (present == null ? 0 : 8L * present.length)
        + 4L * outDegrees.length
        + partitions.stream().mapToLong(CsrGraphPartition::bytes).sum()
        + boundaries.stream().mapToLong(b -> 4L * b.size()).sum();
  }
}
