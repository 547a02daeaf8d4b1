package ai.rapids.cudf;

public class HostMemoryBuffer {
  private final long[] content;

  HostMemoryBuffer(long[] content) {
    this.content = content;
  }

  public final void getLongs(long[] into, long at, long offset, int count) {
    System.arraycopy(content, (int) (offset / 8), into, (int) at, count);
  }

  public final void getInts(int[] into, long at, long offset, int count) {
    for (int i = 0; i < count; i++) {
      into[(int) at + i] = (int) content[(int) (offset / 4) + i];
    }
  }
}
