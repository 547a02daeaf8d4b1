package org.sparkgpugraph.engine.cuda;

import java.util.List;
import org.sparkgpugraph.engine.device.Device;

/**
 * The NVIDIA driver of this host. The implementation lives in a class loader of its own (see {@link
 * DriverClassLoader}); this interface is the seam.
 */
public interface CudaDriver {
  /** Newest CUDA version that the driver runs: 13000 for 13.0. */
  int version();

  /** The GPUs that the driver shows to this process, in its own order. */
  List<CudaGpu> gpus();

  /**
   * Makes a GPU usable: retains its primary context, which other CUDA libraries in this process
   * share.
   *
   * @param images compiles kernels for it
   * @param pool where its memory comes from; null: from the driver
   * @throws org.sparkgpugraph.engine.device.DeviceException when the driver refuses
   */
  Device open(CudaGpu gpu, KernelImages images, SharedPool pool);

  /** {@code 13.0} for 13000. */
  static String text(int version) {
    return version / 1000 + "." + version % 1000 / 10;
  }
}
