package org.sparkgpugraph.engine.louvain;

import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DeviceSession;

/**
 * Refining communities on a device: what {@link CommunityBounds} and {@link ConnectedParts} are on
 * the host. Takes 16 bytes a vertex.
 */
final class DeviceParts {
  private final DeviceSession session;
  private final FrameLayout.Frame frame;
  private final DeviceMoving moving;
  private final DeviceCoarsening coarsening;
  private final DeviceMemory parents;
  private final DeviceMemory outerTotals;
  private final DeviceMemory together;

  /**
   * Takes the memory.
   *
   * @param size most vertices of a level
   */
  DeviceParts(
      DeviceSession session,
      FrameLayout.Frame frame,
      DeviceMoving moving,
      DeviceCoarsening coarsening,
      long size) {
    this.session = session;
    this.frame = frame;
    this.moving = moving;
    this.coarsening = coarsening;
    parents = session.allocate(Integer.BYTES * size, "connected parts");
    outerTotals = session.allocate(Long.BYTES * size, "totals of communities");
    together = session.allocate(Integer.BYTES * size, "communities of parts");
    frame.set("parents", parents);
  }

  /**
   * Finds parts of the communities that a level has ended with, which become those that the next
   * one is made of.
   *
   * @param level number that the classes are drawn by
   * @return whether any vertices have come together; else there are no parts
   */
  boolean refine(LevelMemory rows, int level) {
    moving.refine(level, outerTotals);
    return connect(rows);
  }

  /**
   * Splits the communities that a level has ended with into what is connected.
   *
   * @return whether any vertices are together
   */
  boolean split(LevelMemory rows) {
    moving.restore();
    boolean merged = connect(rows);
    moving.become(parents);
    return merged;
  }

  /** What is connected inside of communities now. */
  private boolean connect(LevelMemory rows) {
    frame.set("community", moving.community());
    session.timed(
        () -> {
          session.launch(LouvainKernels.CONNECT_ALONE, rows.size(), 1, frame);
          session.launch(LouvainKernels.LINK, rows.entries(), 1, frame);
          session.launch(LouvainKernels.COMPRESS, rows.size(), 1, frame);
        });
    frame.set("community", parents);
    return coarsening.communities(rows);
  }

  /** Communities that the parts, numbered by now, begin in. */
  DeviceMemory together(LevelMemory rows) {
    frame.set("outer", moving.best()).set("together", together);
    session.timed(
        () -> {
          session.launch(LouvainKernels.RESET, rows.size(), 1, frame);
          session.launch(LouvainKernels.WITHIN, rows.size(), 1, frame);
          session.launch(LouvainKernels.TOGETHER, rows.size(), 1, frame);
        });
    frame.set("outer", null);
    return together;
  }

  /** The next level begins with communities of its own. */
  void done() {
    frame.set("community", moving.community());
  }
}
