/**
 * A partition at work on its device: launches of a superstep, queue, status, updates. Begin with
 * {@link org.sparkgpugraph.engine.device.partition.DevicePartition}. May use: {@code settings} to
 * {@code plan}.
 */
package org.sparkgpugraph.engine.device.partition;
