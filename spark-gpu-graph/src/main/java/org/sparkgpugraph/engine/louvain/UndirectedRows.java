package org.sparkgpugraph.engine.louvain;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.memory.Scan;
import org.sparkgpugraph.engine.device.operators.InEdges;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Makes the rows of {@link GraphRows} on a device ({@code sgg/undirect.cuh}): of the in-edges,
 * those themselves where the graph has no weights and is its own reverse. Else it takes 4 or 8
 * bytes an edge, with weights three times as much; while they are made 8 more for the weights.
 */
final class UndirectedRows {
  /** Longest rows together. */
  private static final long MOST_ENTRIES = Integer.MAX_VALUE - 8L;

  private final DeviceSession session;
  private final FrameLayout.Frame frame;
  private final ExecutorGraph graph;
  private final InEdges edges;
  private final DeviceMemory state;
  private final DeviceMemory flags;

  /** Weights of each partition's edges; none where all are 1. */
  private final List<DeviceMemory> values = new ArrayList<>();

  /**
   * @param state words that the kernels count in
   * @param flags an {@code int} for each vertex
   */
  UndirectedRows(
      DeviceSession session,
      FrameLayout.Frame frame,
      ExecutorGraph graph,
      InEdges edges,
      DeviceMemory state,
      DeviceMemory flags) {
    this.session = session;
    this.frame = frame;
    this.graph = graph;
    this.edges = edges;
    this.state = state;
    this.flags = flags;
    frame.set("state", state).set("flags", flags);
  }

  /** Whether a device can make them: all ends are vertices, weights are where it can read them. */
  static boolean canMake(ExecutorGraph graph, boolean weighted) {
    return 2 * graph.edgeCount() <= MOST_ENTRIES
        && graph.partitions().stream()
            .allMatch(p -> p.present() == null && (!weighted || p.inEdgeValues().onHeap()));
  }

  /** Brings weights. */
  void weights(double scale) {
    frame.set("scale", Double.doubleToRawLongBits(scale));
    for (GraphPartition partition : graph.partitions()) {
      double[] weights = partition.inEdgeValues().doubles(0);
      values.add(session.upload(weights, partition.inEdges().edges(), "weights of edges"));
    }
  }

  private void partitions(String kernel, boolean vertices) {
    for (GraphPartition partition : graph.partitions()) {
      edges.set(frame, partition);
      frame.set("values", values.isEmpty() ? null : values.get(partition.index()));
      session.launch(kernel, vertices ? partition.stored() : partition.inEdges().edges(), 1, frame);
    }
  }

  /** Whether every edge is there in the other direction, too, as often, with the same weight. */
  boolean isMirrored() {
    boolean remembers = values.isEmpty() && graph.partitions().size() == 1;
    Csr rows = graph.partitions().get(0).inEdges();
    if (remembers && rows.isMirrored().isPresent()) {
      return rows.isMirrored().get();
    }
    frame.set("seed", ThreadLocalRandom.current().nextLong());
    session.timed(
        () -> {
          session.clear(state);
          partitions(LouvainKernels.MIRROR, false);
        });
    long[] found = new long[1];
    session.download(state, found, 1);
    boolean is = found[0] == 0;
    if (remembers) {
      rows.mirrored(is);
    }
    return is;
  }

  /** Whether the in-edges are the rows as they are. */
  boolean areInEdges(boolean mirrored) {
    return mirrored && values.isEmpty() && graph.partitions().size() == 1;
  }

  /** The in-edges as rows. */
  LevelMemory inEdges() {
    GraphPartition all = graph.partitions().get(0);
    return new LevelMemory(
        all.stored(), all.inEdges().edges(), edges.offsets(all), edges.sources(all), null);
  }

  /**
   * Makes rows.
   *
   * @param mirrored whether in-edges say it all
   */
  LevelMemory make(boolean mirrored) {
    int size = Math.toIntExact(graph.ids().size());
    DeviceMemory offsets = session.allocate(Integer.BYTES * (size + 1L), "offsets of rows");
    frame.set("mirrored", mirrored ? 1 : 0).set("nextOffsets", offsets);
    session.timed(
        () -> {
          partitions(LouvainKernels.SOURCES, true);
          if (!mirrored) {
            partitions(LouvainKernels.COUNT, false);
          }
          Scan.queue(session, frame, flags, size, offsets);
        });
    int entries = session.readInt(offsets, size);
    DeviceMemory neighbours = session.allocate((long) Integer.BYTES * entries, "rows");
    DeviceMemory weights =
        values.isEmpty() ? null : session.allocate((long) Long.BYTES * entries, "weights");
    frame.set("nextNeighbours", neighbours).set("nextWeights", weights);
    session.timed(
        () -> {
          partitions(LouvainKernels.OPEN, true);
          partitions(LouvainKernels.FILL, false);
        });
    values.forEach(session::free);
    return new LevelMemory(size, entries, offsets, neighbours, weights);
  }
}
