/**
 * The device engine: runs lifted programs as kernels on a {@link
 * io.sparkgpugraph.engine.device.Device}, which is a GPU or an emulation of one. Nothing here knows
 * CUDA's host API.
 */
package io.sparkgpugraph.engine.device;
