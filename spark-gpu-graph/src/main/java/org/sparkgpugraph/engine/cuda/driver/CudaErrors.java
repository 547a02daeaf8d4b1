package org.sparkgpugraph.engine.cuda.driver;

import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.device.DeviceException;

/** Codes of the driver as exceptions. */
final class CudaErrors {
  private CudaErrors() {}

  /** The driver's own name of a code, also of one that is newer than JCuda. */
  static String name(int code) {
    String[] name = new String[1];
    if (JCudaDriver.cuGetErrorName(code, name) == CUresult.CUDA_SUCCESS && name[0] != null) {
      return name[0];
    }
    return "CUDA error " + code;
  }

  /** For calls that concern no context. */
  static void check(int code, String operation) {
    if (code != CUresult.CUDA_SUCCESS) {
      throw new DeviceException(operation, name(code), "");
    }
  }

  /** Whether nothing works on the context any more after this error (CUDA calls it sticky). */
  static boolean isFatal(int code) {
    return switch (code) {
      case CUresult.CUDA_ERROR_DEINITIALIZED,
          CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
          CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
          CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
          CUresult.CUDA_ERROR_ASSERT,
          CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
          CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
          CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
          CUresult.CUDA_ERROR_INVALID_PC,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_MPS_RPC_FAILURE,
          CUresult.CUDA_ERROR_MPS_CLIENT_TERMINATED,
          CUresult.CUDA_ERROR_EXTERNAL_DEVICE,
          CUresult.CUDA_ERROR_UNKNOWN,
          CONTAINED ->
          true;
      default -> false;
    };
  }

  /** CUDA_ERROR_CONTAINED of CUDA 12.8: an uncorrectable error ended this process's work. */
  private static final int CONTAINED = 226;
}
