package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Random;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Collectives of warps and blocks against their definition, for many orders of the lanes. */
@Tag("any-spark")
class CollectivesTest {
  private static final int SEEDS = 20;
  private static final String[] TYPES = {
    "int", "unsigned", "long", "unsigned long", "Long", "unsigned long long", "float", "double"
  };

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: collectives are not tested");
  }

  @Test
  void shufflesOfEveryTypeAndWidth() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < TYPES.length; i++) {
      text.append(
          """
          SGG_KERNEL(shuffles%1$d) {
            const int lane = threadIdx.x;
            const %2$s value = static_cast<%2$s>(f.in[lane]);
            Long* out = f.out + lane;
            for (int width = 1; width <= 32; width *= 2) {
              for (int delta = 0; delta < 32; delta++, out += 4 * 32) {
                out[0] = static_cast<Long>(__shfl_sync(0xffffffffu, value, lane * 5 + delta, width));
                out[32] = static_cast<Long>(__shfl_up_sync(0xffffffffu, value, delta, width));
                out[64] = static_cast<Long>(__shfl_down_sync(0xffffffffu, value, delta, width));
                out[96] = static_cast<Long>(__shfl_xor_sync(0xffffffffu, value, delta, width));
              }
            }
          }
          """
              .formatted(i, TYPES[i]));
    }
    for (int seed = 0; seed < SEEDS; seed++) {
      try (LongKernels kernels = kernels(seed, text.toString())) {
        for (int type = 0; type < TYPES.length; type++) {
          boolean wide = type >= 2 && type != 6;
          long[] in = new long[32];
          for (int lane = 0; lane < 32; lane++) {
            // Exact in every type, with the upper half of a wide one in use.
            in[lane] = 3 * lane + 1 + (wide ? (lane + 1L) << 40 : 0);
          }
          long[] out = kernels.run("shuffles" + type, 1, 32, in, 6 * 32 * 4 * 32);
          int at = 0;
          for (int width = 1; width <= 32; width *= 2) {
            for (int delta = 0; delta < 32; delta++) {
              for (int operation = 0; operation < 4; operation++) {
                for (int lane = 0; lane < 32; lane++, at++) {
                  assertThat(out[at])
                      .as(
                          "%s, operation %d, width %d, delta %d, lane %d, seed %d",
                          TYPES[type], operation, width, delta, lane, seed)
                      .isEqualTo(in[shuffleSource(operation, lane, delta, width)]);
                }
              }
            }
          }
        }
      }
    }
  }

  /** CUDA's programming guide, section on warp shuffle functions. */
  private static int shuffleSource(int operation, int lane, int delta, int width) {
    int segment = lane / width * width;
    int source =
        switch (operation) {
          case 0 -> segment + (lane * 5 + delta) % width;
          case 1 -> lane - delta < segment ? lane : lane - delta;
          case 2 -> lane + delta >= segment + width ? lane : lane + delta;
          default -> (lane ^ delta) >= segment + width ? lane : lane ^ delta;
        };
    return source;
  }

  @Test
  void votesMatchesAndReductionsOfPartsOfAWarp() {
    String text =
        """
        SGG_KERNEL(votes) {
          const int lane = threadIdx.x;
          const unsigned mask = static_cast<unsigned>(f.in[lane]);
          const int value = static_cast<int>(f.in[32 + lane]);
          const unsigned bits = static_cast<unsigned>(value);
          Long* out = f.out + lane;
          out[0 * 32] = __ballot_sync(mask, value & 1);
          out[1 * 32] = __any_sync(mask, value & 2);
          out[2 * 32] = __all_sync(mask, value & 4);
          out[3 * 32] = __match_any_sync(mask, value & 3);
          out[4 * 32] = __reduce_add_sync(mask, value);
          out[5 * 32] = __reduce_min_sync(mask, value);
          out[6 * 32] = __reduce_max_sync(mask, value);
          out[7 * 32] = __reduce_add_sync(mask, bits);
          out[8 * 32] = __reduce_min_sync(mask, bits);
          out[9 * 32] = __reduce_max_sync(mask, bits);
          out[10 * 32] = __reduce_and_sync(mask, bits);
          out[11 * 32] = __reduce_or_sync(mask, bits);
          out[12 * 32] = __reduce_xor_sync(mask, bits);
          __syncwarp(mask);
          if (mask & 1) {
            // Lanes of one part only.
            out[13 * 32] = __ballot_sync(mask, 1);
          }
          __syncwarp();
        }
        """;
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      try (LongKernels kernels = kernels(seed, text)) {
        int[] part = new int[32];
        int[] value = new int[32];
        long[] in = new long[64];
        for (int lane = 0; lane < 32; lane++) {
          part[lane] = random.nextInt(1 + seed % 5);
          value[lane] = random.nextBoolean() ? random.nextInt() : 5 + random.nextInt(4);
        }
        for (int lane = 0; lane < 32; lane++) {
          for (int other = 0; other < 32; other++) {
            in[lane] |= part[lane] == part[other] ? 1L << other : 0;
          }
          in[32 + lane] = value[lane];
        }
        long[] out = kernels.run("votes", 1, 32, in, 14 * 32);
        for (int lane = 0; lane < 32; lane++) {
          int[] of = new int[Long.bitCount(in[lane])];
          long ballot = 0;
          long match = 0;
          for (int other = 0, k = 0; other < 32; other++) {
            if (part[other] == part[lane]) {
              of[k++] = value[other];
              ballot |= (value[other] & 1L) << other;
              match |= ((value[other] ^ value[lane]) & 3) == 0 ? 1L << other : 0;
            }
          }
          long[] expected = {
            ballot,
            fold(of, (a, b) -> a | b) >> 1 & 1,
            fold(of, (a, b) -> a & b) >> 2 & 1,
            match,
            (int) fold(of, Long::sum),
            fold(of, Math::min),
            fold(of, Math::max),
            fold(of, Long::sum) & 0xffffffffL,
            fold(of, (a, b) -> Math.min(a & 0xffffffffL, b & 0xffffffffL)) & 0xffffffffL,
            fold(of, (a, b) -> Math.max(a & 0xffffffffL, b & 0xffffffffL)) & 0xffffffffL,
            fold(of, (a, b) -> a & b) & 0xffffffffL,
            fold(of, (a, b) -> a | b) & 0xffffffffL,
            fold(of, (a, b) -> a ^ b) & 0xffffffffL,
            (in[lane] & 1) != 0 ? in[lane] : 0
          };
          for (int i = 0; i < expected.length; i++) {
            assertThat(out[i * 32 + lane])
                .as("operation %d, lane %d, seed %d", i, lane, seed)
                .isEqualTo(expected[i]);
          }
        }
      }
    }
  }

  private static long fold(int[] values, LongBinaryOperator operator) {
    long total = values[0];
    for (int i = 1; i < values.length; i++) {
      total = operator.applyAsLong(total, values[i]);
    }
    return total;
  }

  @Test
  void barriersOfBlocksOfEverySize() {
    String text =
        """
        SGG_KERNEL(barriers) {
          SGG_SHARED(int, box, 1024);
          const int thread = threadIdx.x;
          const int size = blockDim.x;
          box[thread] = thread;
          __syncthreads();
          const int across = box[(thread + size / 2 + 1) % size];
          const int count = __syncthreads_count(thread % 3 == 0);
          const int all = __syncthreads_and(thread < static_cast<int>(f.in[0]));
          const int any = __syncthreads_or(thread == static_cast<int>(f.in[1]));
          f.out[blockIdx.x * size + thread] =
              across + 10000LL * count + 100000000LL * all + 1000000000LL * any;
        }
        """;
    for (int seed = 0; seed < SEEDS; seed++) {
      try (LongKernels kernels = kernels(seed, text)) {
        for (int size : new int[] {32, 64, 256, 1024}) {
          boolean all = seed % 2 == 0;
          boolean any = seed % 3 == 0;
          long[] in = {all ? size : size - 1, any ? size - 1 : -1};
          long[] out = kernels.run("barriers", 3, size, in, 3 * size);
          for (int i = 0; i < out.length; i++) {
            assertThat(out[i])
                .as("size %d, thread %d, seed %d", size, i, seed)
                .isEqualTo(
                    (i % size + size / 2 + 1) % size
                        + 10000L * ((size + 2) / 3)
                        + (all ? 100000000L : 0)
                        + (any ? 1000000000L : 0));
          }
        }
      }
    }
  }

  /** Every other seed with all accesses checked. */
  private static LongKernels kernels(int seed, String text) {
    return new LongKernels(
        EmulatorSettings.defaults().withSeed(seed).withChecks(seed % 2 == 1).withWarningsFail(true),
        text);
  }
}
