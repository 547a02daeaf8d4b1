package org.sparkgpugraph.engine.cuda.driver;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import jcuda.driver.CUfunction;
import jcuda.driver.CUmodule;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.cuda.KernelImage;
import org.sparkgpugraph.engine.device.DeviceKernel;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.KernelSource;

/** Compiled kernels in a context. */
final class CudaModule extends CudaResource implements DeviceModule {
  private final CUmodule handle = new CUmodule();
  private final KernelSource source;

  /** Those that were asked for: each run asks again, some before a launch that is timed. */
  private final Map<String, CudaKernel> kernels = new ConcurrentHashMap<>();

  CudaModule(CudaContext context, KernelSource source, KernelImage image) {
    super(context);
    this.source = source;
    String operation = "loading " + this + " compiled by " + image.compiler();
    context.enter(operation);
    byte[] bytes =
        image.format() == KernelImage.Format.PTX
            ? Arrays.copyOf(image.bytes(), image.bytes().length + 1) // ends with a zero
            : image.bytes();
    int code = JCudaDriver.cuModuleLoadData(handle, bytes);
    if (code != CUresult.CUDA_SUCCESS) {
      throw context.failure(code, operation, advice(code));
    }
    context.resources().add(this);
  }

  private static String advice(int code) {
    return switch (code) {
      case CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
          CUresult.CUDA_ERROR_INVALID_IMAGE,
          CUresult.CUDA_ERROR_INVALID_SOURCE,
          CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU ->
          "a compiler newer than the driver makes what the driver cannot load: update the driver, or"
              + " install NVRTC of the driver's CUDA version";
      case CUresult.CUDA_ERROR_JIT_COMPILER_NOT_FOUND ->
          "the driver's own compiler (libnvidia-ptxjitcompiler) is not installed";
      default -> "";
    };
  }

  @Override
  public DeviceKernel kernel(String name) {
    checkOpen();
    return kernels.computeIfAbsent(name, this::find);
  }

  private CudaKernel find(String name) {
    String operation = "look-up of kernel '" + name + "' in " + this;
    context().enter(operation);
    CUfunction function = new CUfunction();
    int code = JCudaDriver.cuModuleGetFunction(function, handle, name);
    if (code != CUresult.CUDA_SUCCESS) {
      throw context().failure(code, operation, "its kernels are " + source.kernels());
    }
    return new CudaKernel(this, function, name);
  }

  @Override
  void release() {
    context().check(JCudaDriver.cuModuleUnload(handle), "unloading " + this);
  }

  @Override
  public String toString() {
    return "the kernels of " + source.name();
  }
}
