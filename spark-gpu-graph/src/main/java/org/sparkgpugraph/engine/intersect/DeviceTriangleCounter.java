package org.sparkgpugraph.engine.intersect;

import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.KernelSource;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.kernels.OperatorKernels;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.operators.OperatorDevice;
import org.sparkgpugraph.engine.operator.OperatorRun;

/**
 * Counts triangles on the first device of an engine ({@code sgg/intersect.cuh}): sources of long
 * rows by blocks that keep a map of the row in shared memory, the others by warps that search.
 */
final class DeviceTriangleCounter implements TriangleCounter {
  private static final String SEARCH = "intersect_search";
  private static final String MAP = "intersect_map";
  private static final FrameLayout FRAME = frame();

  private final DeviceSession session;

  private final IntersectionTuning tuning;

  DeviceTriangleCounter(OperatorDevice device, IntersectionTuning tuning) {
    this.tuning = tuning;
    session = device.session(source(tuning));
  }

  /** Bytes of the heap that counting takes: the counts, and the sources parted in two. */
  static long bytes(long vertices) {
    return 12 * vertices;
  }

  /** The kernels. */
  static KernelSource source(IntersectionTuning tuning) {
    return OperatorKernels.of(
        "neighbourhood intersection",
        tuning.macros(),
        FRAME,
        List.of(SEARCH, MAP),
        List.of("intersect.cuh"));
  }

  private static FrameLayout frame() {
    FrameLayout frame = new FrameLayout("Frame");
    frame.integers("sourceCount");
    frame.pointers("const int", "sources", "begin", "end", "entries");
    frame.pointers("unsigned long long", "totals");
    frame.pointers("int", "next");
    return frame;
  }

  @Override
  public long[] count(OrientedRows rows) {
    int[] mapped = sources(rows, true);
    int[] searched = sources(rows, false);
    int vertices = rows.vertices();
    DeviceMemory totals = session.zeros(8L * vertices, "triangles by vertex");
    FrameLayout.Frame frame =
        FRAME
            .newFrame()
            .set("begin", session.upload(rows.begin(), vertices, "begins of oriented rows"))
            .set("end", session.upload(rows.end(), vertices, "ends of oriented rows"))
            .set("entries", session.upload(rows.entries(), rows.used(), "oriented rows"))
            .set("totals", totals)
            .set("next", session.zeros(Integer.BYTES, "next source"));
    DeviceMemory ofBlocks = session.upload(mapped, mapped.length, "sources of blocks");
    DeviceMemory ofWarps = session.upload(searched, searched.length, "sources of warps");
    session.timed(
        () -> {
          frame.set("sources", ofBlocks).set("sourceCount", mapped.length);
          session.launch(MAP, mapped.length, 256, frame);
          frame.set("sources", ofWarps).set("sourceCount", searched.length);
          session.launch(SEARCH, searched.length, 32, frame);
        });
    long[] counts = new long[vertices];
    session.download(totals, counts, vertices);
    return counts;
  }

  /** The sources whose rows blocks take, or those of the others. */
  private int[] sources(OrientedRows rows, boolean blocks) {
    return Arrays.stream(rows.sources())
        .filter(u -> blocks == (u < tuning.mapped() && rows.length(u) > tuning.longRow()))
        .toArray();
  }

  @Override
  public OperatorRun.DeviceNanos nanos() {
    return new OperatorRun.DeviceNanos(session.kernelNanos(), session.transferNanos());
  }

  @Override
  public void close() {
    session.close();
  }
}
