/**
 * NVIDIA GPUs: finding them, compiling kernels for them, keeping compiled kernels. {@link
 * org.sparkgpugraph.engine.cuda.CudaDevices} is the way in; the driver's API itself is behind
 * {@link org.sparkgpugraph.engine.cuda.CudaDriver}.
 */
package org.sparkgpugraph.engine.cuda;
