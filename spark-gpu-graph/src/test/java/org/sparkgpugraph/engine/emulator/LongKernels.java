package org.sparkgpugraph.engine.emulator;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceModule;
import org.sparkgpugraph.engine.device.DeviceStream;
import org.sparkgpugraph.engine.device.KernelSource;

/** A device with kernels that read longs and write longs. */
final class LongKernels implements AutoCloseable {
  /** Two lines: a kernel's text begins on line 3. */
  private static final String FRAME =
      """
      typedef long long Long;
      struct Frame { Long* out; const Long* in; Long n; };
      """;

  private final EmulatedDevice device;
  private final DeviceModule module;

  LongKernels(EmulatorSettings settings, String text) {
    this(new EmulatedDevice(settings), text);
  }

  private LongKernels(EmulatedDevice device, String text) {
    this.device = device;
    DeviceModule loaded = null;
    try {
      loaded = device.load(source(text));
    } finally {
      if (loaded == null) {
        device.close();
      }
    }
    this.module = loaded;
  }

  /** A source of kernels that use {@code f.out}, {@code f.in} and {@code f.n}. */
  static KernelSource source(String text) {
    return new KernelSource("test kernels", FRAME + text, List.of(), List.of("kernels of a test"));
  }

  EmulatedDevice device() {
    return device;
  }

  DeviceModule module() {
    return module;
  }

  /** The kernels' struct. */
  static byte[] frame(long out, long in, long n) {
    return ByteBuffer.allocate(24)
        .order(ByteOrder.nativeOrder())
        .putLong(out)
        .putLong(in)
        .putLong(n)
        .array();
  }

  /** Runs a kernel with {@code n = in.length} and an output of zeros. */
  long[] run(String kernel, int blocks, int threads, long[] in, int outputs) {
    try (DeviceMemory input = device.allocate(8L * in.length, "input");
        DeviceMemory output = device.allocate(8L * outputs, "output");
        DeviceStream stream = device.newStream()) {
      device.upload(in, 0, in.length, input, 0);
      stream.fill(output, 0, 8L * outputs, (byte) 0);
      stream.launch(
          module.kernel(kernel),
          blocks,
          threads,
          frame(output.address(), input.address(), in.length));
      stream.synchronize();
      long[] values = new long[outputs];
      device.download(output, 0, values, 0, outputs);
      return values;
    }
  }

  @Override
  public void close() {
    module.close();
    device.close();
  }
}
