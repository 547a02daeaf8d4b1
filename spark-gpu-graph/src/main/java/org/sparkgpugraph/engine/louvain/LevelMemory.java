package org.sparkgpugraph.engine.louvain;

import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.kernels.FrameLayout;
import org.sparkgpugraph.engine.device.memory.DeviceSession;

/**
 * Rows of a level on a device.
 *
 * @param size number of vertices
 * @param entries of all rows
 * @param offsets {@code int[size + 1]}
 * @param neighbours {@code int[entries]}; an entry of the vertex itself does not count
 * @param weights {@code long[entries]}; null: all are 1
 */
record LevelMemory(
    int size, long entries, DeviceMemory offsets, DeviceMemory neighbours, DeviceMemory weights) {
  boolean ones() {
    return weights == null;
  }

  /** Has the kernels work on these rows. */
  void set(FrameLayout.Frame frame) {
    frame
        .set("size", size)
        .set("entries", entries)
        .set("offsets", offsets)
        .set("neighbours", neighbours)
        .set("weights", weights);
  }

  /** Frees them, if they are the session's. */
  void free(DeviceSession session) {
    session.free(offsets);
    session.free(neighbours);
    if (weights != null) {
      session.free(weights);
    }
  }
}
