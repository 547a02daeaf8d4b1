package org.sparkgpugraph.engine.cuda.driver;

import jcuda.driver.CUdeviceptr;
import jcuda.driver.JCudaDriver;
import org.sparkgpugraph.engine.cuda.SharedPool;
import org.sparkgpugraph.engine.device.DeviceMemory;

/** Global memory of a GPU. */
final class CudaMemory extends CudaResource implements DeviceMemory {
  /** A device pointer that tells its number. */
  static final class Address extends CUdeviceptr {
    long value() {
      return getNativePointer();
    }
  }

  private final CUdeviceptr pointer;
  private final long address;

  /** Null: the driver's memory. */
  private final SharedPool.Buffer pooled;

  private final long bytes;
  private final long own;
  private final String purpose;

  /**
   * @param address what the driver gave; null pointer for an empty buffer
   * @param own bytes of it that are on the device
   */
  CudaMemory(CudaContext context, Address address, long bytes, long own, String purpose) {
    super(context);
    this.pointer = address;
    this.address = address.value();
    this.pooled = null;
    this.bytes = bytes;
    this.own = own;
    this.purpose = purpose;
  }

  /** Memory of another library's pool, given back there. */
  CudaMemory(CudaContext context, SharedPool.Buffer buffer, long bytes, String purpose) {
    super(context);
    this.pointer = new CUdeviceptr().withByteOffset(buffer.address());
    this.address = buffer.address();
    this.pooled = buffer;
    this.bytes = bytes;
    this.own = bytes;
    this.purpose = purpose;
  }

  @Override
  public long address() {
    return address;
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
    return pointer.withByteOffset(offset);
  }

  @Override
  void release() {
    if (pooled != null) {
      // As the driver's own call does: streams may still work on it.
      context().check(JCudaDriver.cuCtxSynchronize(), "freeing " + this);
      pooled.close();
    } else if (bytes > 0) {
      context().check(JCudaDriver.cuMemFree(pointer), "freeing " + this);
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
