package org.sparkgpugraph.engine.device;

import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A device that has nothing but memory, of which it keeps account. For tests that run no kernel.
 */
public final class MemoryOnlyDevice implements Device {
  private final long total;
  private final List<Buffer> buffers = new ArrayList<>();
  private long address = 512;
  private int uploads;
  private long hostBytes;

  public MemoryOnlyDevice(long total) {
    this.total = total;
  }

  private final class Buffer implements DeviceMemory {
    private final long at;
    private final long bytes;
    private final long own;
    private final String purpose;
    private Object content;

    Buffer(long at, long bytes, long own, String purpose) {
      this.at = at;
      this.bytes = bytes;
      this.own = own;
      this.purpose = purpose;
    }

    @Override
    public long address() {
      return at;
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

    @Override
    public void close() {
      buffers.remove(this);
    }
  }

  /** Purposes of the buffers that are allocated, in the order of allocation. */
  public List<String> purposes() {
    return buffers.stream().map(b -> b.purpose).toList();
  }

  /** Number of uploads so far. */
  public int uploads() {
    return uploads;
  }

  /** What was uploaded into a buffer last. */
  public Object content(DeviceMemory memory) {
    return ((Buffer) memory).content;
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("memory", 0, 9, 0, 2, 2048, 1 << 16, total, true, false);
  }

  @Override
  public MemoryInfo memory() {
    return new MemoryInfo(total - allocatedBytes(), total);
  }

  @Override
  public DeviceMemory allocate(long bytes, String purpose) {
    return allocateSplit(bytes, bytes, purpose);
  }

  @Override
  public Optional<HostRoom> hostRoom() {
    return hostBytes == 0 ? Optional.empty() : Optional.of(new HostRoom(() -> hostBytes, 2L << 20));
  }

  /** Lets so much of the host's memory be free; 0, as at first: kernels cannot read it. */
  public void hostBytes(long bytes) {
    hostBytes = bytes;
  }

  @Override
  public DeviceMemory allocateSplit(long bytes, long own, String purpose) {
    long free = total - allocatedBytes();
    if (own > free) {
      throw new DeviceOutOfMemoryException("memory", purpose, own, free, "FULL", "");
    }
    Buffer buffer = new Buffer(address, bytes, own, purpose);
    address += bytes;
    buffers.add(buffer);
    return buffer;
  }

  @Override
  public void upload(Object array, int from, int count, DeviceMemory to, long offset) {
    uploads++;
    Object copy = Array.newInstance(array.getClass().getComponentType(), count);
    System.arraycopy(array, from, copy, 0, count);
    ((Buffer) to).content = copy;
  }

  @Override
  public long allocatedBytes() {
    return buffers.stream().mapToLong(b -> b.own).sum();
  }

  @Override
  public void download(DeviceMemory from, long offset, Object array, int to, int count) {
    throw new UnsupportedOperationException();
  }

  @Override
  public PinnedMemory allocatePinned(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    return new PinnedMemory() {
      @Override
      public ByteBuffer buffer() {
        return buffer;
      }

      @Override
      public void close() {
        // The collector frees it.
      }
    };
  }

  @Override
  public DeviceStream newStream() {
    throw new UnsupportedOperationException();
  }

  @Override
  public DeviceModule load(KernelSource source) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean canAccess(Device peer) {
    return false;
  }

  @Override
  public void enableAccess(Device peer) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    buffers.clear();
  }
}
