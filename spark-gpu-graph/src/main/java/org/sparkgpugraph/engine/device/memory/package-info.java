/**
 * What is on a device and for how long: the arrays of a run as planned, those that stay between
 * runs, rows made there. Begin with {@link org.sparkgpugraph.engine.device.memory.DeviceHoldings}.
 * May use: {@code settings}, {@code kernels}.
 */
package org.sparkgpugraph.engine.device.memory;
