package ai.rapids.cudf;

public final class ColumnVector {
  private final long address;
  private final boolean nulls;
  private final long[] content;

  /** What it was made of on the host. */
  public Object made;

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

  public long getRowCount() {
    return rows();
  }

  private static ColumnVector made(Object array, int length, int width) {
    ColumnVector column = new ColumnVector(Rmm.take((long) length * width), false, new long[length]);
    column.made = array;
    return column;
  }

  public static ColumnVector fromBooleans(boolean... array) {
    return made(array, array.length, 1);
  }

  public static ColumnVector fromInts(int... array) {
    return made(array, array.length, 4);
  }

  public static ColumnVector fromLongs(long... array) {
    return made(array, array.length, 8);
  }

  public static ColumnVector fromFloats(float... array) {
    return made(array, array.length, 4);
  }

  public static ColumnVector fromDoubles(double... array) {
    return made(array, array.length, 8);
  }
}
