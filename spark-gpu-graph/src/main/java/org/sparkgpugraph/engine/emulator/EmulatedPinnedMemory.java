package org.sparkgpugraph.engine.emulator;

import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.sparkgpugraph.engine.device.PinnedMemory;

/** Host memory of a buffer's exact size. */
final class EmulatedPinnedMemory implements PinnedMemory {
  private final int bytes;
  private final long address;
  private final ByteBuffer buffer;
  private boolean closed;

  EmulatedPinnedMemory(EmulatedDevice device, int bytes) {
    this.bytes = bytes;
    // An empty buffer is no error, and malloc(0) may return null.
    this.address = Native.malloc(Math.max(1, bytes));
    if (address == 0) {
      throw new OutOfMemoryError("no " + bytes + " bytes of host memory");
    }
    Pointer pointer = new Pointer(address);
    device.library().sggFill(pointer, EmulatedDevice.GARBAGE, bytes);
    this.buffer =
        bytes == 0
            ? ByteBuffer.allocateDirect(0).order(ByteOrder.nativeOrder())
            : pointer.getByteBuffer(0, bytes).order(ByteOrder.nativeOrder());
  }

  /** Where a part begins, which must lie within the buffer. */
  synchronized Pointer at(int offset, int count) {
    if (closed) {
      throw new IllegalStateException("pinned memory of " + bytes + " bytes is closed");
    }
    if (offset < 0 || count < 0 || offset > bytes - count) {
      throw new IndexOutOfBoundsException(
          count
              + " bytes from byte "
              + offset
              + " on are not within pinned memory of "
              + bytes
              + " bytes");
    }
    return new Pointer(address + offset);
  }

  @Override
  public synchronized ByteBuffer buffer() {
    if (closed) {
      throw new IllegalStateException("pinned memory of " + bytes + " bytes is closed");
    }
    return buffer;
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      Native.free(address);
    }
  }
}
