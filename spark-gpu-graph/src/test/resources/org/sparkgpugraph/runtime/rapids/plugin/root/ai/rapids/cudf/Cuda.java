package ai.rapids.cudf;

public class Cuda {
  public static final Stream DEFAULT_STREAM = new Stream();
  public static int streamWaits;
  public static int deviceWaits;

  public static final class Stream {
    public void sync() {
      streamWaits++;
    }
  }

  public static void deviceSynchronize() {
    deviceWaits++;
  }
}
