package org.sparkgpugraph.engine.cuda.driver;

import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUmemAttach_flags;
import jcuda.driver.CUmem_advise;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.device.DeviceOutOfMemoryException;
import org.sparkgpugraph.engine.device.HostMemory;

/**
 * Memory under one address of which a part lies in the host's: managed memory (CUDA C++ Programming
 * Guide, "Unified Memory Programming") whose pages are told where to lie, and that the GPU has them
 * mapped where they lie, so that nothing moves when kernels read. On an H200 they then read the
 * host's part in order at 51 GB/s, where a copy of page-locked memory makes 55, and single lines of
 * 128 bytes at 33 GB/s; mapped page-locked memory gave them no more than 8.
 */
final class SplitMemory {
  /** As large as pages of managed memory come. */
  static final long PAGE = 2L << 20;

  private SplitMemory() {}

  /** Whether the GPU reads managed memory where it lies while the host may use it, too. */
  static boolean isPossible(CudaContext context) {
    context.enter("query of concurrent managed access");
    int[] can = new int[1];
    int code =
        JCudaDriver.cuDeviceGetAttribute(
            can,
            CUdevice_attribute.CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS,
            context.device());
    return code == CUresult.CUDA_SUCCESS && can[0] != 0;
  }

  /** See {@link org.sparkgpugraph.engine.device.Device#allocateSplit}. */
  static CudaMemory allocate(CudaContext context, long bytes, long own, String purpose) {
    if (own < 0 || bytes <= own) {
      throw new IllegalArgumentException(own + " of " + bytes + " bytes for " + purpose);
    }
    String operation = "allocation for " + purpose;
    context.enter(operation);
    // The driver takes what does not fit from the host, and the host lets everybody take too much.
    long free = context.memory().free();
    long host = HostMemory.available();
    if (own > free || bytes - own > host) {
      throw refused(context, bytes, own, purpose, "");
    }
    CudaMemory.Address address = new CudaMemory.Address();
    int code =
        JCudaDriver.cuMemAllocManaged(address, bytes, CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL);
    if (code == CUresult.CUDA_ERROR_OUT_OF_MEMORY) {
      throw refused(context, bytes, own, purpose, CudaErrors.name(code));
    }
    context.check(code, operation);
    CudaMemory memory = new CudaMemory(context, address, bytes, own, purpose);
    context.resources().add(memory);
    try {
      place(context, memory, 0, own, context.device());
      place(context, memory, own, bytes - own, JCudaDriver.CU_DEVICE_CPU);
      context.check(JCudaDriver.cuCtxSynchronize(), operation);
      return memory;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private static DeviceOutOfMemoryException refused(
      CudaContext context, long bytes, long own, String purpose, String error) {
    return new DeviceOutOfMemoryException(
        context.gpu().describe(),
        purpose,
        own,
        context.memory().free(),
        error,
        (bytes - own)
            + " bytes more are to lie in the host's memory, which has "
            + HostMemory.available()
            + " free");
  }

  /** Has pages lie somewhere, mapped for the GPU, before anything is in them. */
  private static void place(
      CudaContext context, CudaMemory memory, long offset, long bytes, CUdevice where) {
    if (bytes == 0) {
      return;
    }
    String operation = "placing " + memory;
    context.check(
        JCudaDriver.cuMemAdvise(
            memory.at(offset, bytes),
            bytes,
            CUmem_advise.CU_MEM_ADVISE_SET_PREFERRED_LOCATION,
            where),
        operation);
    context.check(
        JCudaDriver.cuMemAdvise(
            memory.at(offset, bytes),
            bytes,
            CUmem_advise.CU_MEM_ADVISE_SET_ACCESSED_BY,
            context.device()),
        operation);
    context.check(
        JCudaDriver.cuMemPrefetchAsync(memory.at(offset, bytes), bytes, where, null), operation);
  }
}
