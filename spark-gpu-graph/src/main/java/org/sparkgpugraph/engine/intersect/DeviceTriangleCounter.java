package org.sparkgpugraph.engine.intersect;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.ExecutorGraph;

/**
 * Counts triangles on the first device of an engine: of a graph in one piece from its in-edges to
 * its vertices ({@link DeviceOrientation}, {@link RowLists}), else from rows that the host has
 * made.
 */
final class DeviceTriangleCounter implements TriangleCounter {
  private static final Logger LOG = LoggerFactory.getLogger(DeviceTriangleCounter.class);

  private final OperatorDevice device;
  private final IntersectionTuning tuning;

  /** Keeps the kernels loaded while the run is open. */
  private final DeviceSession session;

  private long kernelNanos;
  private long transferNanos;

  DeviceTriangleCounter(OperatorDevice device, IntersectionTuning tuning) {
    this.device = device;
    this.tuning = tuning;
    session = device.session(source(tuning));
  }

  /** Bytes of the heap that counting takes: the counts, and the sources. */
  static long bytes(long vertices) {
    return 12 * vertices;
  }

  /** The kernels. */
  static KernelSource source(IntersectionTuning tuning) {
    return IntersectionKernels.source(tuning);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Where the device has no room for that, or an entry cannot be named by an int, nothing is
   * counted: the host makes the rows, which are half as large where every edge is there in both
   * directions.
   */
  @Override
  public boolean count(ExecutorGraph graph, int[] degrees, long[] counts) {
    OrientedRows.known(degrees.length);
    long edges = DeviceOrientation.edges(graph);
    if (degrees.length == 0 || edges > OrientedRows.MOST_ENTRIES) {
      return false;
    }
    try (DeviceSession whole = device.session(source(tuning))) {
      try {
        count(whole, graph, degrees, counts);
      } finally {
        kernelNanos += whole.kernelNanos();
        transferNanos += whole.transferNanos();
      }
      return true;
    } catch (DeviceOutOfMemoryException e) {
      LOG.info("the host makes the oriented rows of {} edges: {}", edges, e.getMessage());
      return false;
    }
  }

  private void count(DeviceSession whole, ExecutorGraph graph, int[] degrees, long[] counts) {
    int size = degrees.length;
    FrameLayout.Frame frame = IntersectionKernels.FRAME.newFrame();
    long start = System.nanoTime();
    try (DeviceOrientation orientation = new DeviceOrientation(device, whole, graph, frame)) {
      start = PhaseTimes.ended("intersect: edges on the device", start);
      int listed = orientation.orient(tuning.listed());
      zeros(whole, frame, size);
      new RowLists(whole, frame, size, listed, size).count();
      start = System.nanoTime();
      DeviceMemory found = whole.allocate((long) Long.BYTES * size, "triangles by vertex");
      frame.set("counts", found);
      whole.timed(() -> whole.launch(IntersectionKernels.RESULTS, size, 1, frame));
      whole.download(orientation.degrees(), degrees, size);
      whole.download(found, counts, size);
      PhaseTimes.ended("intersect: counts to the host", start);
    }
  }

  private static DeviceMemory zeros(DeviceSession on, FrameLayout.Frame frame, int size) {
    DeviceMemory totals = on.zeros((long) Long.BYTES * size, "triangles by rank");
    frame
        .set("totals", totals)
        .set("above", on.zeros((long) Integer.BYTES * size, "numbers of rows that name a rank"));
    return totals;
  }

  @Override
  public long[] count(OrientedRows rows) {
    int size = rows.vertices();
    int[] sources = rows.sources();
    FrameLayout.Frame frame =
        IntersectionKernels.FRAME
            .newFrame()
            .set("begin", session.upload(rows.begin(), size, "begins of oriented rows"))
            .set("end", session.upload(rows.end(), size, "ends of oriented rows"))
            .set("entries", session.upload(rows.entries(), rows.used(), "oriented rows"))
            .set("sources", session.upload(sources, sources.length, "sources"));
    DeviceMemory totals = zeros(session, frame, size);
    if (sources.length > 0) {
      int listed = rows.ranks(tuning.listed());
      new RowLists(session, frame, size, listed, sources.length).count();
    }
    long[] counts = new long[size];
    session.download(totals, counts, size);
    return counts;
  }

  @Override
  public OperatorRun.DeviceNanos nanos() {
    return new OperatorRun.DeviceNanos(
        kernelNanos + session.kernelNanos(), transferNanos + session.transferNanos());
  }

  @Override
  public void close() {
    session.close();
  }
}
