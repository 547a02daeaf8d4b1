/**
 * NVIDIA GPUs: finding them, compiling kernels for them, keeping compiled kernels. {@link
 * io.sparkgpugraph.engine.cuda.CudaDevices} is the way in; the driver's API itself is behind {@link
 * io.sparkgpugraph.engine.cuda.CudaDriver}.
 */
package io.sparkgpugraph.engine.cuda;
