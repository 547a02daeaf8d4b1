package org.sparkgpugraph.engine.cuda;

import org.sparkgpugraph.engine.device.DeviceProperties;

/**
 * A GPU that the driver shows to this process.
 *
 * @param properties what it is; the ordinal is the driver's, after {@code CUDA_VISIBLE_DEVICES}
 * @param uuid {@code GPU-…}, as {@code nvidia-smi -L} prints it
 * @param busId PCI address, {@code 0000:1b:00.0}; {@code nvidia-smi} counts GPUs in this order
 */
public record CudaGpu(DeviceProperties properties, String uuid, String busId) {
  /** For messages: {@code GPU 0 (NVIDIA H200)}. */
  public String describe() {
    return "GPU " + properties.ordinal() + " (" + properties.name() + ")";
  }
}
