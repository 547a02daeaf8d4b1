/**
 * NVIDIA GPUs: finding them, compiling kernels for them, keeping compiled kernels. Begin with
 * {@link org.sparkgpugraph.engine.cuda.CudaDevices}; the driver's API itself is behind {@link
 * org.sparkgpugraph.engine.cuda.CudaDriver}. May use: {@code engine.device}, whose {@link
 * org.sparkgpugraph.engine.device.Device} it implements; no graph, no program.
 */
package org.sparkgpugraph.engine.cuda;
