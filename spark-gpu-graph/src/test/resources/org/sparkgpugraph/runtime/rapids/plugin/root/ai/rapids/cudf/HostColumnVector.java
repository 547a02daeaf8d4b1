package ai.rapids.cudf;

public class HostColumnVector implements AutoCloseable {
  /** Tasks open and close at the same time. */
  public static int open;

  private final long[] content;

  HostColumnVector(long[] content) {
    this.content = content;
    count(1);
  }

  public HostMemoryBuffer getData() {
    return new HostMemoryBuffer(content);
  }

  @Override
  public void close() {
    count(-1);
  }

  private static synchronized void count(int more) {
    open += more;
  }
}
