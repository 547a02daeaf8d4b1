package org.sparkgpugraph.engine.cuda.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import jcuda.Pointer;
import org.sparkgpugraph.engine.device.PinnedMemory;

/** Page-locked host memory, at the beginning of a block of {@link PinnedBlocks}. */
final class CudaPinned extends CudaResource implements PinnedMemory {
  private final Pointer pointer;
  private final int bytes;
  private final ByteBuffer buffer;

  CudaPinned(CudaContext context, int bytes) {
    super(context);
    if (bytes < 0) {
      throw new IllegalArgumentException("a page-locked buffer of " + bytes + " bytes");
    }
    this.bytes = bytes;
    context.enter("allocation of " + this);
    pointer = context.pinned().take(PinnedBlocks.size(bytes), toString());
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
    context().pinned().give(pointer, PinnedBlocks.size(bytes));
  }

  @Override
  public String toString() {
    return "page-locked memory (" + bytes + " bytes)";
  }
}
