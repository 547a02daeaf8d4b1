package ai.rapids.cudf;

public class DeviceMemoryBuffer implements AutoCloseable {
  private final long address;
  private final long bytes;
  private boolean closed;

  private DeviceMemoryBuffer(long address, long bytes) {
    this.address = address;
    this.bytes = bytes;
  }

  public static DeviceMemoryBuffer allocate(long bytes) {
    return new DeviceMemoryBuffer(Rmm.take(bytes), bytes);
  }

  public final long getAddress() {
    return address;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      throw new IllegalStateException("Close called too many times");
    }
    closed = true;
    Rmm.give(bytes);
  }
}
