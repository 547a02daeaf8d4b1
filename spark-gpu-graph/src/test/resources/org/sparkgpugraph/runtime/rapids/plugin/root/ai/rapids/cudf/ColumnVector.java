package ai.rapids.cudf;

public final class ColumnVector {
  private final long address;
  private final boolean nulls;
  private final long[] content;

  public ColumnVector(long address, boolean nulls, long... content) {
    this.address = address;
    this.nulls = nulls;
    this.content = content;
  }

  public boolean hasNulls() {
    return nulls;
  }

  /** Null where there are no rows. */
  public BaseDeviceMemoryBuffer getData() {
    return content.length == 0 ? null : new BaseDeviceMemoryBuffer(address);
  }

  public HostColumnVector copyToHost() {
    return new HostColumnVector(content);
  }

  long rows() {
    return content.length;
  }
}
