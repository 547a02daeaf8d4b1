package org.sparkgpugraph.engine.intersect;

import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DeviceSession;
import org.sparkgpugraph.engine.device.memory.Scan;
import org.sparkgpugraph.graphs.memory.PhaseTimes;

/**
 * Counts the triangles of oriented rows that are on a device ({@code sgg/intersect.cuh}), wherever
 * they were made. For each entry of a rank that has a list it takes 8 bytes.
 */
final class RowLists {
  private final DeviceSession session;
  private final FrameLayout.Frame frame;
  private final int listed;
  private final int sources;

  /**
   * @param frame with begin, end and entries; sources, or none; above and totals, of zeros
   * @param size number of ranks
   * @param listed number of ranks that have lists, the first ones
   * @param sources number of sources; without them, of ranks
   */
  RowLists(DeviceSession session, FrameLayout.Frame frame, int size, int listed, int sources) {
    this.session = session;
    this.frame = frame;
    this.listed = listed;
    this.sources = sources;
    frame.set("size", size).set("listedRanks", listed).set("sourceCount", sources);
  }

  /** Counts, and waits for it. */
  void count() {
    long start = System.nanoTime();
    session.timed(() -> warps(IntersectionKernels.ABOVE));
    long parts = listed == 0 ? 0 : lists();
    start = PhaseTimes.ended("intersect: lists", start);
    frame
        .set("partCount", parts)
        .set("next", session.zeros(Integer.BYTES, "next part of the lists"));
    session.timed(
        () -> {
          session.launch(IntersectionKernels.MAP, parts, IntersectionKernels.BLOCK, frame);
          warps(IntersectionKernels.SEARCH);
        });
    PhaseTimes.ended("intersect: triangles", start);
  }

  private void warps(String kernel) {
    session.launch(kernel, sources, IntersectionKernels.WARP, frame);
  }

  /** Makes the lists; the number of parts that they are cut into. */
  private int lists() {
    DeviceMemory lengths = ints("lengths", listed, "lengths of lists");
    DeviceMemory listBegin = ints("listBegin", listed + 1L, "begins of lists");
    DeviceMemory partBegin = ints("partBegin", listed + 1L, "begins of parts of lists");
    ints("listNext", listed, "next places of lists");
    frame.set("tiles", session.allocate(Scan.tileBytes(listed), "sums of lengths"));
    session.timed(
        () -> {
          session.launch(IntersectionKernels.LENGTHS, listed, 1, frame);
          Scan.queue(session, frame, lengths, listed, listBegin);
          session.launch(IntersectionKernels.CUTS, listed, 1, frame);
          Scan.queue(session, frame, lengths, listed, partBegin);
        });
    int parts = session.readInt(partBegin, listed);
    long entries = session.readInt(listBegin, listed);
    frame.set("lists", session.allocate(Long.BYTES * entries, "lists of rows by their entries"));
    frame.set("listParts", session.allocate((long) Long.BYTES * parts, "parts of lists"));
    session.timed(
        () -> {
          warps(IntersectionKernels.LISTS);
          session.launch(IntersectionKernels.PARTS, listed, 1, frame);
        });
    return parts;
  }

  private DeviceMemory ints(String member, long count, String purpose) {
    DeviceMemory memory = session.allocate(Integer.BYTES * count, purpose);
    frame.set(member, memory);
    return memory;
  }
}
