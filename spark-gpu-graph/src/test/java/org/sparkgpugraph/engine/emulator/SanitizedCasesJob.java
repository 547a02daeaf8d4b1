package org.sparkgpugraph.engine.emulator;

import java.util.Arrays;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.engine.device.DeviceStream;

/** What {@link SanitizersTest} runs in processes of their own; the case is the first argument. */
final class SanitizedCasesJob {
  private static final String TEXT =
      """
      SGG_KERNEL(sound) {
        SGG_SHARED(Long, box, 96);
        const int thread = threadIdx.x;
        box[thread] = f.in[blockIdx.x * blockDim.x + thread];
        __syncthreads();
        Long local[4];
        for (int i = 0; i < 4; i++) local[i] = __shfl_xor_sync(0xffffffffu, box[thread], 1 << i);
        __syncwarp();
        Long sum = 0;
        for (int i = 0; i < 4; i++) sum += local[(i + thread) & 3];
        atomicAdd(reinterpret_cast<unsigned long long*>(f.out), static_cast<unsigned long long>(sum));
        if (__any_sync(0xffffffffu, thread == 5)) {
          __syncwarp();
        }
      }
      SGG_KERNEL(divergent) {
        Long local[8];
        for (int i = 0; i < 8; i++) local[i] = f.in[i];
        if (threadIdx.x < 32 || local[threadIdx.x & 7] > 1000000) __syncthreads();
      }
      SGG_KERNEL(write) { if (threadIdx.x == 3) f.out[f.n] = 1; }
      SGG_KERNEL(overflow) { f.out[0] = static_cast<int>(f.n) * 1000000000; }
      """;

  private static final int THREADS = 96;

  private SanitizedCasesJob() {}

  public static void main(String[] arguments) {
    switch (arguments[0]) {
      case "sound" -> sound();
      case "freed" -> freed();
      default -> {
        try (LongKernels kernels = new LongKernels(EmulatorSettings.defaults(), TEXT)) {
          kernels.run(arguments[0], 1, THREADS, new long[THREADS], THREADS);
        }
      }
    }
    System.out.println("survived");
  }

  private static void sound() {
    long[] in = new long[4 * THREADS];
    Arrays.setAll(in, i -> i);
    long expected = 4 * Arrays.stream(in).sum();
    for (int seed = 0; seed < 20; seed++) {
      try (LongKernels kernels =
          new LongKernels(EmulatorSettings.defaults().withSeed(seed), TEXT)) {
        for (int i = 0; i < 3; i++) {
          long[] out = kernels.run("sound", 4, THREADS, in, 1);
          if (out[0] != expected) {
            throw new AssertionError("seed " + seed + ": " + out[0] + " is not " + expected);
          }
          // A launch that fails leaves fibers behind, whose stacks are used again.
          try {
            kernels.run("divergent", 1, THREADS, in, 1);
            throw new AssertionError("seed " + seed + ": a divergent barrier was not found");
          } catch (DeviceException e) {
            if (!e.getMessage().contains("__syncthreads")) {
              throw e;
            }
          }
        }
      }
    }
  }

  private static void freed() {
    try (LongKernels kernels = new LongKernels(EmulatorSettings.defaults(), TEXT);
        DeviceStream stream = kernels.device().newStream()) {
      DeviceMemory memory = kernels.device().allocate(8 * THREADS, "freed");
      long address = memory.address();
      memory.close();
      stream.launch(kernels.module().kernel("write"), 1, THREADS, LongKernels.frame(address, 0, 5));
      stream.synchronize();
    }
  }
}
