package io.sparkgpugraph.engine.cuda.driver;

import io.sparkgpugraph.engine.device.PinnedMemory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import jcuda.Pointer;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/** Page-locked host memory. */
final class CudaPinned extends CudaResource implements PinnedMemory {
  private final Pointer pointer = new Pointer();
  private final int bytes;
  private final ByteBuffer buffer;

  CudaPinned(CudaContext context, int bytes) {
    super(context);
    if (bytes < 0) {
      throw new IllegalArgumentException("a page-locked buffer of " + bytes + " bytes");
    }
    this.bytes = bytes;
    context.enter("allocation of " + this);
    // The driver refuses an allocation of nothing.
    int code =
        JCudaDriver.cuMemHostAlloc(
            pointer, Math.max(bytes, 1), JCudaDriver.CU_MEMHOSTALLOC_PORTABLE);
    if (code != CUresult.CUDA_SUCCESS) {
      throw context.failure(
          code, "allocation of " + this, "the host has too little memory to lock (ulimit -l)");
    }
    buffer = pointer.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
    context.resources().add(this);
  }

  @Override
  public ByteBuffer buffer() {
    return buffer;
  }

  /** The pointer to a range of it, which must lie inside. */
  Pointer at(int offset, int length) {
    checkOpen();
    Objects.checkFromIndexSize(offset, length, bytes);
    return pointer.withByteOffset(offset);
  }

  @Override
  void release() {
    context().check(JCudaDriver.cuMemFreeHost(pointer), "freeing " + this);
  }

  @Override
  public String toString() {
    return "page-locked memory (" + bytes + " bytes)";
  }
}
