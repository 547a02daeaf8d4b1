package org.sparkgpugraph.engine.cuda.driver;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUresult;
import jcuda.driver.CUuuid;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.cuda.CudaDriver;
import org.sparkgpugraph.engine.cuda.CudaGpu;
import org.sparkgpugraph.engine.cuda.KernelImages;
import org.sparkgpugraph.engine.cuda.SharedPool;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceUnavailableException;

/** The driver through JCuda. Made once per process, by name (see the class loader). */
public final class JCudaBinding implements CudaDriver {
  private static final int NAME_BYTES = 256;
  private static final int BUS_ID_BYTES = 32;

  private final int version;

  /**
   * @throws DeviceUnavailableException when the driver does not start
   * @throws LinkageError when there is none
   */
  public JCudaBinding() {
    int code = JCudaDriver.cuInit(0);
    if (code != CUresult.CUDA_SUCCESS) {
      throw new DeviceUnavailableException(
          "the NVIDIA driver does not start: " + CudaErrors.name(code) + advice(code),
          CudaErrors.name(code));
    }
    int[] number = new int[1];
    CudaErrors.check(JCudaDriver.cuDriverGetVersion(number), "query of the driver version");
    version = number[0];
  }

  private static String advice(int code) {
    return switch (code) {
      case CUresult.CUDA_ERROR_NO_DEVICE ->
          " (no GPU, or CUDA_VISIBLE_DEVICES or the container hides it)";
      case CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH ->
          " (libcuda and the kernel module are of different versions; reboot after an update)";
      case CUresult.CUDA_ERROR_STUB_LIBRARY ->
          " (libcuda is the toolkit's stub; take the stubs folder out of LD_LIBRARY_PATH)";
      case CUresult.CUDA_ERROR_SYSTEM_NOT_READY ->
          " (the host's GPU services, for example the fabric manager, do not run yet)";
      default -> "";
    };
  }

  @Override
  public int version() {
    return version;
  }

  @Override
  public List<CudaGpu> gpus() {
    int[] count = new int[1];
    CudaErrors.check(JCudaDriver.cuDeviceGetCount(count), "count of the GPUs");
    List<CudaGpu> gpus = new ArrayList<>();
    for (int ordinal = 0; ordinal < count[0]; ordinal++) {
      gpus.add(gpu(ordinal));
    }
    return gpus;
  }

  private static CudaGpu gpu(int ordinal) {
    CUdevice device = device(ordinal);
    String what = "query of GPU " + ordinal;
    byte[] name = new byte[NAME_BYTES];
    CudaErrors.check(JCudaDriver.cuDeviceGetName(name, name.length, device), what);
    long[] total = new long[1];
    CudaErrors.check(JCudaDriver.cuDeviceTotalMem(total, device), what);
    CUuuid uuid = new CUuuid();
    CudaErrors.check(JCudaDriver.cuDeviceGetUuid(uuid, device), what);
    String[] busId = new String[1];
    CudaErrors.check(JCudaDriver.cuDeviceGetPCIBusId(busId, BUS_ID_BYTES, device), what);
    DeviceProperties properties =
        new DeviceProperties(
            text(name),
            ordinal,
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR),
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR),
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
            attribute(
                device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
            attribute(
                device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
            total[0],
            attribute(device, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0,
            false);
    return new CudaGpu(properties, text(uuid), busId[0].trim());
  }

  static CUdevice device(int ordinal) {
    CUdevice device = new CUdevice();
    CudaErrors.check(JCudaDriver.cuDeviceGet(device, ordinal), "look-up of GPU " + ordinal);
    return device;
  }

  private static int attribute(CUdevice device, int attribute) {
    int[] value = new int[1];
    CudaErrors.check(
        JCudaDriver.cuDeviceGetAttribute(value, attribute, device), "query of a GPU's attributes");
    return value[0];
  }

  private static String text(byte[] terminated) {
    int length = 0;
    while (length < terminated.length && terminated[length] != 0) {
      length++;
    }
    return new String(terminated, 0, length, StandardCharsets.UTF_8);
  }

  private static String text(CUuuid uuid) {
    ByteBuffer bytes = ByteBuffer.wrap(uuid.bytes);
    return "GPU-" + new UUID(bytes.getLong(), bytes.getLong());
  }

  @Override
  public Device open(CudaGpu gpu, KernelImages images, SharedPool pool) {
    return new CudaDevice(gpu, images, pool);
  }
}
