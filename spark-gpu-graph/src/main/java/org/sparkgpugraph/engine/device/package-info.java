/**
 * The device engine: runs lifted programs as kernels on a {@link
 * org.sparkgpugraph.engine.device.Device}, which is a GPU or an emulation of one. Nothing here
 * knows CUDA's host API.
 */
package org.sparkgpugraph.engine.device;
