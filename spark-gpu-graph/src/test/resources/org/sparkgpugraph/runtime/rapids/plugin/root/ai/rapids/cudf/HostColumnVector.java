package ai.rapids.cudf;

public class HostColumnVector implements AutoCloseable {
  public static int open;

  private final long[] content;

  HostColumnVector(long[] content) {
    this.content = content;
    open++;
  }

  public HostMemoryBuffer getData() {
    return new HostMemoryBuffer(content);
  }

  @Override
  public void close() {
    open--;
  }
}
