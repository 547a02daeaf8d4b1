package ai.rapids.cudf;

public class BaseDeviceMemoryBuffer {
  private final long address;

  BaseDeviceMemoryBuffer(long address) {
    this.address = address;
  }

  public final long getAddress() {
    return address;
  }
}
