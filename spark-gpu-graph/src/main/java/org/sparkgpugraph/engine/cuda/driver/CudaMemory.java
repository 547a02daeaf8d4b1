package org.sparkgpugraph.engine.cuda.driver;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.device.DeviceMemory;

/** Global memory of a GPU. */
final class CudaMemory extends CudaResource implements DeviceMemory {
  /** A device pointer that tells its number. */
  static final class Address extends CUdeviceptr {
    long value() {
      return getNativePointer();
    }
  }

  private final Address address;
  private final long bytes;
  private final long own;
  private final String purpose;

  /**
   * @param address what the driver gave; null pointer for an empty buffer
   * @param own bytes of it that are on the device
   */
  CudaMemory(CudaContext context, Address address, long bytes, long own, String purpose) {
    super(context);
    this.address = address;
    this.bytes = bytes;
    this.own = own;
    this.purpose = purpose;
  }

  @Override
  public long address() {
    return address.value();
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public long ownBytes() {
    return own;
  }

  @Override
  public String purpose() {
    return purpose;
  }

  /** The pointer to a range of it, which must lie inside. */
  CUdeviceptr at(long offset, long length) {
    checkOpen();
    if (offset < 0 || length < 0 || offset > bytes - length) {
      throw new IndexOutOfBoundsException(
          "bytes " + offset + " to " + (offset + length) + " of " + this);
    }
    return address.withByteOffset(offset);
  }

  @Override
  void release() {
    if (bytes > 0) {
      context().check(JCudaDriver.cuMemFree(address), "freeing " + this);
    }
  }

  @Override
  public String toString() {
    return purpose
        + " ("
        + bytes
        + " bytes"
        + (own == bytes ? "" : ", " + (bytes - own) + " of them in the host's memory")
        + ")";
  }
}
