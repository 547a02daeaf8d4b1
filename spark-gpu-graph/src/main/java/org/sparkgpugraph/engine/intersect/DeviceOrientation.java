package org.sparkgpugraph.engine.intersect;

import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.memory.KeySort;
import org.sparkgpugraph.engine.device.memory.Scan;
import org.sparkgpugraph.engine.device.operators.InEdges;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * Oriented rows of a graph in one piece, made on a device of its in-edges ({@code sgg/orient.cuh}):
 * those of {@link OrientedRows}, but that ranks go by degrees in which parallel edges and loops
 * count, and that rows may have room between them. Takes 4 bytes an edge and 36 a vertex, while
 * they are made the in-edges, too.
 */
final class DeviceOrientation implements AutoCloseable {
  /** Where a key has a degree, above the vertex. */
  private static final int DEGREE = 32;

  private final DeviceSession session;
  private final ExecutorGraph graph;
  private final FrameLayout.Frame frame;
  private final KeySort sort;
  private final InEdges edges;
  private final int size;
  private final long count;

  /**
   * Takes the memory.
   *
   * @param frame gets the rows: begin, end, entries
   * @throws org.sparkgpugraph.engine.device.DeviceOutOfMemoryException when there is no room
   */
  DeviceOrientation(
      OperatorDevice device, DeviceSession session, ExecutorGraph graph, FrameLayout.Frame frame) {
    this.session = session;
    this.graph = graph;
    this.frame = frame;
    size = Math.toIntExact(graph.ids().size());
    count = edges(graph);
    sort = new KeySort(session, frame, size, false, "degrees, while they are sorted");
    List<DevicePlan.Item> needed = plan(size, count);
    edges = device.inEdges(graph, needed, "oriented rows of " + count + " edges");
    for (DevicePlan.Item item : needed) {
      frame.set(item.member(), edges.memory(item.member()));
    }
  }

  /** Number of edges of a graph, which {@link OrientedRows#MOST_ENTRIES} bounds. */
  static long edges(ExecutorGraph graph) {
    return graph.partitions().stream().mapToLong(p -> p.inEdges().edges()).sum();
  }

  /** What it needs beside the in-edges. */
  private static List<DevicePlan.Item> plan(long vertices, long edges) {
    return List.of(
        InEdges.beside("degrees", "degrees", Integer.BYTES * vertices),
        InEdges.beside("rank", "ranks", Integer.BYTES * vertices),
        InEdges.beside("dense", "vertices by rank", Integer.BYTES * vertices),
        InEdges.beside("begin", "begins of oriented rows", Integer.BYTES * (vertices + 1)),
        InEdges.beside("end", "ends of oriented rows", Integer.BYTES * vertices),
        InEdges.beside("tiles", "sums of rows", Scan.tileBytes(vertices)),
        InEdges.beside("listed", "number of ranks with lists", Integer.BYTES),
        InEdges.beside("entries", "oriented rows", Integer.BYTES * edges));
  }

  /**
   * Makes the rows, and waits for them.
   *
   * @param listedDegree degree from which on ranks have lists
   * @return how many ranks that are
   */
  int orient(int listedDegree) {
    long start = System.nanoTime();
    frame.set("size", size).set("mostDegree", mostDegree()).set("listedDegree", listedDegree);
    session.timed(
        () -> {
          rank();
          session.clear(edges.memory("end"));
          partitions(IntersectionKernels.COUNT, false);
          Scan.queue(session, frame, edges.memory("end"), size, edges.memory("begin"));
          session.launch(IntersectionKernels.OPEN, size, 1, frame);
          partitions(IntersectionKernels.FILL, false);
        });
    start = PhaseTimes.ended("intersect: edges into rows", start);
    edges.release();
    sort.freeOther();
    sort.freeKeys();
    session.timed(
        () -> {
          session.launch(IntersectionKernels.SHORT_ROWS, size, IntersectionKernels.WARP, frame);
          session.launch(IntersectionKernels.LONG_ROWS, size, 1, frame);
        });
    PhaseTimes.ended("intersect: rows in order", start);
    return session.readInt(edges.memory("listed"), 0);
  }

  /** What no degree exceeds: an edge counts at both of its ends. */
  private long mostDegree() {
    return 2 * count;
  }

  private void rank() {
    session.clear(edges.memory("degrees"));
    session.clear(edges.memory("listed"));
    partitions(IntersectionKernels.DEGREES, true);
    session.launch(IntersectionKernels.KEYS, size, 1, frame);
    sort.sort(DEGREE, KeySort.bits(mostDegree() + 1));
    session.launch(IntersectionKernels.RANKS, size, 1, frame);
  }

  /** Queues a kernel for each partition: a thread an edge, or at least a vertex. */
  private void partitions(String kernel, boolean vertices) {
    for (GraphPartition partition : graph.partitions()) {
      edges.set(frame, partition);
      long pieces = partition.inEdges().edges();
      session.launch(kernel, vertices ? Math.max(pieces, partition.stored()) : pieces, 1, frame);
    }
  }

  /** Degrees by dense id. */
  DeviceMemory degrees() {
    return edges.memory("degrees");
  }

  @Override
  public void close() {
    try (edges) {
      session.synchronize();
    }
  }
}
