package org.sparkgpugraph.engine.device.partition;

import org.sparkgpugraph.engine.device.kernels.FrameLayout;

/**
 * Launches that relax a partition without supersteps, from its active vertices until there are
 * none, or some wait for the next launch.
 */
interface Relaxation extends AutoCloseable {
  /**
   * What a launch did.
   *
   * @param edges evaluated
   * @param ran vertices, or parts of their edges, that were walked
   * @param spilled vertices that wait for the next launch
   */
  record Done(long edges, long ran, long spilled) {}

  /** Whether the device holds as many blocks at a time as it needs. */
  boolean fits();

  /**
   * Queues a launch.
   *
   * @param plain the frame of the partition's other kernels, as a superstep would need it
   * @param far whether the vertices that were put off are active, too
   * @param work of a part of a graph: edges and items that may be walked beside those of the active
   *     vertices, about; {@link Long#MAX_VALUE}: all that there are
   */
  void launch(FrameLayout.Frame plain, boolean far, long work);

  /**
   * What the last launch did, once it is done.
   *
   * @throws org.sparkgpugraph.engine.device.DeviceException when it got stuck
   */
  Done finish();

  @Override
  void close();
}
