package org.sparkgpugraph.engine.device;

/**
 * Memory of a device.
 *
 * @param free bytes that can still be allocated, as the driver says
 * @param total bytes in all
 */
public record MemoryInfo(long free, long total) {}
