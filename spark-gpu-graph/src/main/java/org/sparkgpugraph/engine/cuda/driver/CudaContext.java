package org.sparkgpugraph.engine.cuda.driver;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.cuda.CudaGpu;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceLostException;
import org.sparkgpugraph.engine.device.MemoryInfo;

/**
 * The primary context of a GPU: what every call needs current in its thread, and whose resources
 * have to be released. It is retained and released, never reset: other libraries share it.
 */
final class CudaContext {
  /** GPUs that a fatal error took from this process: ordinal → name of the error. */
  private static final Map<Integer, String> LOST = new ConcurrentHashMap<>();

  private final CudaGpu gpu;
  private final CUdevice device;
  private final CUcontext handle = new CUcontext();
  private final Set<CudaResource> resources = ConcurrentHashMap.newKeySet();
  private final PinnedBlocks pinned = new PinnedBlocks(this);
  private volatile boolean released;

  CudaContext(CudaGpu gpu) {
    this.gpu = gpu;
    String operation = "opening " + gpu.describe();
    failIfLost(operation);
    device = JCudaBinding.device(ordinal());
    check(JCudaDriver.cuDevicePrimaryCtxRetain(handle, device), operation);
  }

  CudaGpu gpu() {
    return gpu;
  }

  CUdevice device() {
    return device;
  }

  CUcontext handle() {
    return handle;
  }

  /** Its page-locked memory. */
  PinnedBlocks pinned() {
    return pinned;
  }

  /** What is open, to be closed with the device. */
  Set<CudaResource> resources() {
    return resources;
  }

  /**
   * Makes the context current. Before every call and not once per thread: a library that shares the
   * thread may have made another GPU current since.
   */
  void enter(String operation) {
    if (released) {
      throw new IllegalStateException(operation + ": " + gpu.describe() + " is closed");
    }
    failIfLost(operation);
    check(JCudaDriver.cuCtxSetCurrent(handle), operation);
  }

  boolean isLost() {
    return LOST.containsKey(ordinal());
  }

  private void failIfLost(String operation) {
    String error = LOST.get(ordinal());
    if (error != null) {
      throw new DeviceLostException(operation + " on " + gpu.describe(), error);
    }
  }

  void check(int code, String operation) {
    if (code != CUresult.CUDA_SUCCESS) {
      throw failure(code, operation, "");
    }
  }

  /** The exception of a failed call; a fatal one is remembered for the rest of the process. */
  DeviceException failure(int code, String operation, String advice) {
    String error = CudaErrors.name(code);
    String where = operation + " on " + gpu.describe();
    if (CudaErrors.isFatal(code)) {
      LOST.putIfAbsent(ordinal(), error);
      return new DeviceLostException(where, error);
    }
    return new DeviceException(where, error, advice);
  }

  MemoryInfo memory() {
    enter("query of the free memory");
    long[] free = new long[1];
    long[] total = new long[1];
    check(JCudaDriver.cuMemGetInfo(free, total), "query of the free memory");
    return new MemoryInfo(free[0], total[0]);
  }

  void release() {
    try {
      if (!isLost()) {
        enter("closing");
        pinned.clear();
      }
    } finally {
      released = true;
      if (!isLost()) {
        check(JCudaDriver.cuDevicePrimaryCtxRelease(device), "closing");
      }
    }
  }

  private int ordinal() {
    return gpu.properties().ordinal();
  }
}
