/**
 * NVIDIA GPUs: finding them, compiling kernels for them, keeping compiled kernels. Begin with
 * {@link org.sparkgpugraph.engine.cuda.CudaDevices}; the driver's API itself is behind {@link
 * org.sparkgpugraph.engine.cuda.CudaDriver}. May use: the interfaces of {@code engine.device}.
 */
package org.sparkgpugraph.engine.cuda;
