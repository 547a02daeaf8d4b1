package io.sparkgpugraph.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;

/** Leaves vertices and edges out of a graph; see {@link ExecutorGraph#masked}. */
final class GraphMask {
  private final CsrExecutorGraph graph;
  private final long[] present;
  private final LongPredicate vertices;
  private final EdgePredicate edges;
  private final int threads;
  private long[] originals;

  GraphMask(
      CsrExecutorGraph graph,
      long[] present,
      LongPredicate vertices,
      EdgePredicate edges,
      int threads) {
    this.graph = graph;
    this.present = present;
    this.vertices = vertices;
    this.edges = edges;
    this.threads = threads;
  }

  CsrExecutorGraph apply() {
    int size = Math.toIntExact(graph.ids().size());
    long[] stay = stay(size);
    int[] outDegrees = new int[size];
    List<CsrGraphPartition> partitions = new ArrayList<>();
    for (CsrGraphPartition partition : graph.partitions()) {
      partitions.add(mask(partition, stay, outDegrees));
    }
    return new CsrExecutorGraph(
        graph.ids(),
        vertices == null ? present : stay,
        partitions,
        graph.boundaries(),
        outDegrees,
        threads,
        graph.edgeType());
  }

  private long[] stay(int size) {
    originals = new long[size];
    graph.ids().originals(0, originals);
    long[] stay = new long[(size + 63) >>> 6];
    for (int v = 0; v < size; v++) {
      boolean exists = present == null || (present[v >>> 6] >>> v & 1) != 0;
      if (exists && (vertices == null || vertices.test(originals[v]))) {
        stay[v >>> 6] |= 1L << v;
      }
    }
    return stay;
  }

  /** An end that never was a vertex does not take its edges away: only the mask does. */
  private boolean stays(long[] stay, int dense) {
    if (vertices == null) {
      return true;
    }
    return (stay[dense >>> 6] >>> dense & 1) != 0
        || (present != null
            && (present[dense >>> 6] >>> dense & 1) == 0
            && vertices.test(originals[dense]));
  }

  private CsrGraphPartition mask(CsrGraphPartition partition, long[] stay, int[] outDegrees) {
    Csr in = partition.inEdges();
    int[] offsets = new int[in.rows() + 1];
    int[] kept = new int[in.edges()];
    int size = 0;
    for (int row = 0; row < in.rows(); row++) {
      int destination = partition.dense(row);
      boolean rowStays = stays(stay, destination);
      for (int e = in.offsets()[row]; rowStays && e < in.offsets()[row + 1]; e++) {
        int source = partition.dense(in.neighbours()[e]);
        if (stays(stay, source) && edgeStays(source, destination)) {
          kept[size++] = e;
          outDegrees[source]++;
        }
      }
      offsets[row + 1] = size;
    }
    kept = Arrays.copyOf(kept, size);
    int[] neighbours = new int[size];
    ColumnCopy.copy(in.neighbours(), kept, 0, size, neighbours, null);
    Columns values = null;
    if (partition.inEdgeValues() != null) {
      values = Columns.allocate(partition.inEdgeValues().kinds(), size);
      for (int c = 0; c < values.width(); c++) {
        ColumnCopy.copy(partition.inEdgeValues().array(c), kept, 0, size, values.array(c), null);
      }
    }
    int first = (int) partition.firstVertex();
    return new CsrGraphPartition(
        partition.index(),
        first,
        partition.stored(),
        partition.ghostIds(),
        vertices == null
            ? partition.present()
            : ExecutorGraphBuilder.localPresent(
                stay, first, partition.stored(), partition.ghostIds()),
        new Csr(offsets, neighbours),
        values);
  }

  private boolean edgeStays(int source, int destination) {
    return edges == null || edges.test(originals[source], originals[destination]);
  }
}
