package org.sparkgpugraph.engine.device.settings;

/** Who computes which vertices where the devices of one run share a graph. */
public enum DevicePartitioning {
  /** Each the partition that it holds, which has about as many edges as the others. */
  FIXED,
  /**
   * Permissive partitioning (Khorasani 2016, chapter 3): as far as memory allows, devices hold a
   * part of their neighbours' rows and values too, and from superstep to superstep the borders
   * between them move to where the active edges are shared out evenly. Borders stay where they are
   * when this cannot be; the log says why:
   *
   * <ul>
   *   <li>the program runs every vertex, or the dense kernel is forced: then the edges are shared
   *       out evenly as they are;
   *   <li>the graph is one of several executors': the others would have to be told;
   *   <li>a device has several partitions, or there is one device only, which may push;
   *   <li>what changed is not refined (the modes of exchange that are there for comparison);
   *   <li>there is no memory for an overlap.
   * </ul>
   */
  PERMISSIVE
}
