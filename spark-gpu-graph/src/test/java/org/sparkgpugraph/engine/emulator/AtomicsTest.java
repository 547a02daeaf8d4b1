package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Atomic operations, whatever the order of the lanes. */
@Tag("any-spark")
class AtomicsTest {
  private static final int SEEDS = 20;
  private static final int THREADS = 3 * 64;

  private static final String TEXT =
      """
      template <class T>
      static inline __device__ T* at(Long* out, int slot) { return reinterpret_cast<T*>(out + slot); }

      template <class T>
      static inline __device__ void common(Long* out, T value) {
        atomicAnd(at<T>(out, 0), static_cast<T>(~(static_cast<T>(1) << (value & 15))));
        atomicOr(at<T>(out, 1), static_cast<T>(static_cast<T>(1) << (value & 15)));
        atomicXor(at<T>(out, 2), value);
        atomicMin(at<T>(out, 3), value);
        atomicMax(at<T>(out, 4), value);
        atomicAdd(at<T>(out, 5), value);
        for (T old = *at<T>(out, 6), seen;; old = seen) {
          seen = atomicCAS(at<T>(out, 6), old, old + value);
          if (seen == old) break;
        }
      }

      SGG_KERNEL(ints) { common<int>(f.out, static_cast<int>(f.in[blockIdx.x * 64 + threadIdx.x])); }
      SGG_KERNEL(unsigneds) {
        common<unsigned>(f.out, static_cast<unsigned>(f.in[blockIdx.x * 64 + threadIdx.x]));
      }
      SGG_KERNEL(longs) {
        common<unsigned long long>(
            f.out, static_cast<unsigned long long>(f.in[blockIdx.x * 64 + threadIdx.x]));
      }
      SGG_KERNEL(others) {
        const Long value = f.in[blockIdx.x * 64 + threadIdx.x];
        atomicMin(f.out + 0, value);
        atomicMax(f.out + 1, value);
        atomicAdd(reinterpret_cast<float*>(f.out + 2), static_cast<float>(value & 1023));
        atomicAdd(reinterpret_cast<double*>(f.out + 3), static_cast<double>(value & 1023));
        atomicSub(reinterpret_cast<int*>(f.out + 4), static_cast<int>(value));
      }
      SGG_KERNEL(tickets) {
        const int thread = blockIdx.x * 64 + threadIdx.x;
        int* counter = reinterpret_cast<int*>(f.out);
        f.out[2 + thread] = atomicAdd(counter, 1);
        f.out[200 + thread] = static_cast<Long>(
            atomicExch(reinterpret_cast<unsigned long long*>(f.out + 1), 1ull + thread));
      }
      """;

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: atomic operations are not tested");
  }

  @Test
  void everyOperationOfEveryType() {
    for (int seed = 0; seed < SEEDS; seed++) {
      long[] in = new Random(seed).longs(THREADS).toArray();
      int[] ints = Arrays.stream(in).mapToInt(value -> (int) value).toArray();
      try (LongKernels kernels = kernels(seed)) {
        long[] out = kernels.run("ints", 3, 64, in, 7);
        assertThat(Arrays.stream(out).mapToInt(value -> (int) value).toArray())
            .as("int, seed %d", seed)
            .containsExactly(
                0,
                Arrays.stream(ints).map(value -> 1 << (value & 15)).reduce(0, (a, b) -> a | b),
                Arrays.stream(ints).reduce(0, (a, b) -> a ^ b),
                Math.min(0, Arrays.stream(ints).min().orElseThrow()),
                Math.max(0, Arrays.stream(ints).max().orElseThrow()),
                Arrays.stream(ints).sum(),
                Arrays.stream(ints).sum());
        out = kernels.run("unsigneds", 3, 64, in, 7);
        assertThat(Arrays.stream(out).mapToInt(value -> (int) value).toArray())
            .as("unsigned, seed %d", seed)
            .containsExactly(
                0,
                Arrays.stream(ints).map(value -> 1 << (value & 15)).reduce(0, (a, b) -> a | b),
                Arrays.stream(ints).reduce(0, (a, b) -> a ^ b),
                0,
                Arrays.stream(ints).boxed().max(Integer::compareUnsigned).orElseThrow(),
                Arrays.stream(ints).sum(),
                Arrays.stream(ints).sum());
        out = kernels.run("longs", 3, 64, in, 7);
        assertThat(out)
            .as("unsigned long long, seed %d", seed)
            .containsExactly(
                0,
                Arrays.stream(in).map(value -> 1L << (value & 15)).reduce(0, (a, b) -> a | b),
                Arrays.stream(in).reduce(0, (a, b) -> a ^ b),
                0,
                Arrays.stream(in).boxed().max(Long::compareUnsigned).orElseThrow(),
                Arrays.stream(in).sum(),
                Arrays.stream(in).sum());
        out = kernels.run("others", 3, 64, in, 5);
        long small = Arrays.stream(in).map(value -> value & 1023).sum();
        assertThat(out)
            .as("others, seed %d", seed)
            .containsExactly(
                Arrays.stream(in).min().orElseThrow(),
                Arrays.stream(in).max().orElseThrow(),
                Float.floatToRawIntBits(small) & 0xffffffffL,
                Double.doubleToRawLongBits(small),
                -Arrays.stream(ints).sum() & 0xffffffffL);
      }
    }
  }

  @Test
  void theOldValueIsReturnedOnce() {
    boolean[] sorted = new boolean[SEEDS];
    for (int seed = 0; seed < SEEDS; seed++) {
      try (LongKernels kernels = kernels(seed)) {
        long[] out = kernels.run("tickets", 3, 64, new long[0], 200 + THREADS);
        long[] tickets = Arrays.copyOfRange(out, 2, 2 + THREADS);
        long[] ascending = tickets.clone();
        Arrays.sort(ascending);
        assertThat(ascending)
            .as("seed %d", seed)
            .containsExactly(LongStream.range(0, THREADS).toArray());
        sorted[seed] = Arrays.equals(ascending, tickets);
        long[] exchanged = Arrays.copyOfRange(out, 200, 200 + THREADS);
        assertThat(Arrays.stream(exchanged).sum() + out[1])
            .as("seed %d", seed)
            .isEqualTo(LongStream.rangeClosed(1, THREADS).sum());
      }
    }
    assertThat(sorted).as("lanes always in the order of their numbers").containsOnly(false);
  }

  private static LongKernels kernels(int seed) {
    return new LongKernels(
        EmulatorSettings.defaults().withSeed(seed).withChecks(seed % 2 == 1).withWarningsFail(true),
        TEXT);
  }
}
