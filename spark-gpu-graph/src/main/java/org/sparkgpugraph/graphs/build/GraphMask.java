package org.sparkgpugraph.graphs.build;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.graphs.rows.EdgeSequence;
import org.sparkgpugraph.program.ir.Kind;

/** Leaves vertices and edges out of a graph; see {@link ExecutorGraph#masked}. */
final class GraphMask {
  /** Edges off the heap that are looked at at a time. */
  private static final int PIECE = 1 << 14;

  private final CsrExecutorGraph graph;
  private final long[] present;
  private final LongPredicate vertices;
  private final EdgePredicate edges;
  private final int threads;
  private final BuildMemory memory;
  private long[] originals;
  private long[] stay;

  /**
   * @param memory where it reserves heap, and what is made of the masked graph later does
   */
  GraphMask(
      CsrExecutorGraph graph,
      LongPredicate vertices,
      EdgePredicate edges,
      int threads,
      BuildMemory memory) {
    this.graph = graph;
    // Ghosts must say whether they exist: their shards see the same predicate and the same edges.
    graph.imports();
    this.present = graph.present();
    this.vertices = vertices;
    this.edges = edges;
    this.threads = threads;
    this.memory = memory;
  }

  CsrExecutorGraph apply() {
    try (BuildMemory.Reservation reserved = memory.begin()) {
      return apply(reserved);
    }
  }

  private CsrExecutorGraph apply(BuildMemory.Reservation reserved) {
    reserved.acquire(8 * graph.ids().size() + graph.ids().size() / 8);
    markStaying(Math.toIntExact(graph.ids().size()));
    int first = (int) graph.firstHeld();
    reserved.acquire(4 * (graph.endHeld() - first));
    int[] degrees = new int[(int) graph.endHeld() - first];
    List<CsrGraphPartition> partitions = new ArrayList<>();
    for (CsrGraphPartition partition : graph.partitions()) {
      CsrGraphPartition masked = mask(partition, reserved);
      partitions.add(masked);
      count(masked, first, degrees);
    }
    return new CsrExecutorGraph(
        graph.ids(),
        graph.place(),
        new CsrExecutorGraph.Held(first, (int) graph.endHeld(), degrees),
        vertices == null ? present : stay,
        partitions,
        graph.boundaries(),
        threads,
        memory,
        graph.edgeType());
  }

  /** Counts the edges that leave each vertex. */
  private static void count(CsrGraphPartition partition, int first, int[] degrees) {
    Csr rows = partition.inEdges();
    int[] some = new int[Math.min(rows.edges(), EdgeSequence.CHUNK)];
    for (int e = 0; e < rows.edges(); e += some.length) {
      int count = Math.min(some.length, rows.edges() - e);
      rows.neighbours(e, count, some, 0);
      for (int i = 0; i < count; i++) {
        int source = partition.dense(some[i]) - first;
        if (source >= 0 && source < degrees.length) {
          degrees[source]++;
        }
      }
    }
  }

  private void markStaying(int size) {
    originals = new long[size];
    graph.ids().originals(0, originals.length, originals);
    stay = new long[(size + 63) >>> 6];
    for (int v = 0; v < size; v++) {
      boolean exists = GraphPartition.exists(present, v);
      if (exists && (vertices == null || vertices.test(originals[v]))) {
        stay[v >>> 6] |= 1L << v;
      }
    }
  }

  /** An end that never was a vertex does not take its edges away: only the mask does. */
  private boolean stays(int dense) {
    if (vertices == null) {
      return true;
    }
    return (stay[dense >>> 6] >>> dense & 1) != 0
        || (present != null
            && (present[dense >>> 6] >>> dense & 1) == 0
            && vertices.test(originals[dense]));
  }

  private CsrGraphPartition mask(CsrGraphPartition partition, BuildMemory.Reservation reserved) {
    int first = (int) partition.firstVertex();
    return new CsrGraphPartition(
        partition.index(),
        first,
        partition.stored(),
        partition.ghostIds(),
        vertices == null
            ? partition.present()
            : GraphAssembly.localPresent(stay, first, partition.stored(), partition.ghostIds()),
        mask(partition, partition.inEdges(), partition.inEdgeValues(), edges, reserved),
        graph.storesOutEdges()
            ? mask(
                partition,
                partition.outEdges(),
                partition.outEdgeValues(),
                edges == null ? null : (row, neighbour) -> edges.test(neighbour, row),
                reserved)
            : null);
  }

  /**
   * @param staying says of (neighbour, row) whether the edge stays; null: always
   */
  private CsrGraphPartition.Edges mask(
      CsrGraphPartition partition,
      Csr csr,
      Columns values,
      EdgePredicate staying,
      BuildMemory.Reservation reserved) {
    if (memory.edges() != null) {
      return maskAway(partition, csr, values, staying, reserved);
    }
    reserved.acquire(4L * (csr.rows() + 1L + csr.edges()));
    int[] offsets = new int[csr.rows() + 1];
    int[] kept = new int[csr.edges()];
    int size = 0;
    for (int row = 0; row < csr.rows(); row++) {
      int end = partition.dense(row);
      boolean rowStays = stays(end);
      for (int e = csr.offsets()[row]; rowStays && e < csr.offsets()[row + 1]; e++) {
        int other = partition.dense(csr.neighbour(e));
        if (stays(other) && (staying == null || staying.test(originals[other], originals[end]))) {
          kept[size++] = e;
        }
      }
      offsets[row + 1] = size;
    }
    reserved.acquire(8L * size + (values == null ? 0 : Columns.bytes(values.kinds(), size)));
    kept = Arrays.copyOf(kept, size);
    int[] neighbours = new int[size];
    for (int i = 0; i < size; i++) {
      neighbours[i] = csr.neighbour(kept[i]);
    }
    Columns keptValues = null;
    if (values != null) {
      keptValues = Columns.allocate(values.kinds(), size);
      keptValues.copyFrom(values, kept, 0, size, null);
    }
    reserved.release(4L * csr.edges() + 4L * size);
    return new CsrGraphPartition.Edges(new Csr(offsets, neighbours), keptValues);
  }

  /** The same off the heap, which has some of the edges at a time only. */
  private CsrGraphPartition.Edges maskAway(
      CsrGraphPartition partition,
      Csr csr,
      Columns values,
      EdgePredicate staying,
      BuildMemory.Reservation reserved) {
    EdgeMemory home = memory.edges();
    reserved.acquire(Integer.BYTES * (csr.rows() + 1L));
    int[] offsets = new int[csr.rows() + 1];
    // A bit for each edge: predicates are the user's, and are asked once.
    OffHeapArray stay = home.allocate(Kind.LONG, (int) ((csr.edges() + 63L) >>> 6));
    int[] others = new int[PIECE];
    int[] rows = new int[PIECE];
    for (long from = 0; from < csr.edges(); from += PIECE) {
      int count = (int) Math.min(PIECE, csr.edges() - from);
      csr.neighbours((int) from, count, others, 0);
      csr.rowsOf((int) from, count, 0, rows, 0);
      long[] bits = new long[(count + 63) >>> 6];
      for (int i = 0; i < count; i++) {
        int end = partition.dense(rows[i]);
        int other = partition.dense(others[i]);
        if (stays(end)
            && stays(other)
            && (staying == null || staying.test(originals[other], originals[end]))) {
          bits[i >>> 6] |= 1L << i;
          offsets[rows[i] + 1]++;
        }
      }
      stay.put((int) (from >>> 6), bits, 0, bits.length);
    }
    stay.seal();
    for (int row = 0; row < csr.rows(); row++) {
      offsets[row + 1] += offsets[row];
    }
    int size = offsets[csr.rows()];
    OffHeapArray neighbours = home.allocate(Kind.INT, size);
    Columns keptValues = values == null ? null : Columns.allocate(home, values.kinds(), size);
    // By now of those that stay.
    int[] positions = rows;
    int done = 0;
    for (long from = 0; from < csr.edges(); from += PIECE) {
      int count = (int) Math.min(PIECE, csr.edges() - from);
      long[] bits = new long[(count + 63) >>> 6];
      stay.get((int) (from >>> 6), bits, 0, bits.length);
      csr.neighbours((int) from, count, others, 0);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if ((bits[i >>> 6] >>> i & 1) != 0) {
          positions[kept] = i;
          others[kept++] = others[i];
        }
      }
      neighbours.put(done, others, 0, kept);
      if (values != null && kept > 0) {
        keptValues.put(done, some(values, (int) from, count, positions, kept), 0, kept);
      }
      done += kept;
    }
    if (keptValues != null) {
      keptValues.seal();
    }
    neighbours.seal();
    return new CsrGraphPartition.Edges(new Csr(offsets, neighbours), keptValues);
  }

  /** Of the values of some edges those at some positions. */
  private static Columns some(Columns values, int from, int count, int[] positions, int kept) {
    Columns all = Columns.allocate(values.kinds(), count);
    all.copyFrom(values, from, 0, count);
    Columns some = Columns.allocate(values.kinds(), kept);
    some.copyFrom(all, positions, 0, kept, null);
    return some;
  }
}
