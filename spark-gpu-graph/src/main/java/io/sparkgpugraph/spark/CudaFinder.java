package io.sparkgpugraph.spark;

import java.util.List;

/** Finds the GPUs of this process. */
final class CudaFinder implements DeviceFinder {
  @Override
  public Found find(DeviceConf conf, List<String> addresses) {
    return Found.none("this version has no CUDA engine");
  }
}
