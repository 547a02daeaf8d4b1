package org.sparkgpugraph.engine.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** CUDA's functions on numbers, against Java's. */
@Tag("any-spark")
class IntrinsicsTest {
  private static final String TEXT =
      """
      SGG_KERNEL(integers) {
        const unsigned long long x = static_cast<unsigned long long>(f.in[2 * threadIdx.x]);
        const unsigned long long y = static_cast<unsigned long long>(f.in[2 * threadIdx.x + 1]);
        const int a = static_cast<int>(x);
        const int b = static_cast<int>(y);
        const unsigned u = static_cast<unsigned>(a);
        const unsigned v = static_cast<unsigned>(b);
        const Long l = static_cast<Long>(x);
        const Long m = static_cast<Long>(y);
        Long* out = f.out + 24 * threadIdx.x;
        *out++ = __popc(u);
        *out++ = __popcll(x);
        *out++ = __clz(a);
        *out++ = __clzll(l);
        *out++ = __ffs(a);
        *out++ = __ffsll(l);
        *out++ = static_cast<int>(__brev(u));
        *out++ = static_cast<Long>(__brevll(x));
        *out++ = __mulhi(a, b);
        *out++ = static_cast<int>(__umulhi(u, v));
        *out++ = __mul64hi(l, m);
        *out++ = static_cast<Long>(__umul64hi(x, y));
        *out++ = static_cast<int>(__funnelshift_l(u, v, 7));
        *out++ = static_cast<int>(__funnelshift_r(u, v, 7));
        *out++ = min(a, b);
        *out++ = static_cast<Long>(max(x, y));
        *out++ = __float_as_int(__int_as_float(a));
        *out++ = __double_as_longlong(__longlong_as_double(l));
        *out++ = __double2hiint(__longlong_as_double(l));
        *out++ = __double2loint(__longlong_as_double(l));
        *out++ = __double_as_longlong(__hiloint2double(a, b));
        *out++ = static_cast<int>(__fns(u, 0, 3));
        *out++ = __ldg(f.in);
        *out++ = warpSize;
      }
      SGG_KERNEL(conversions) {
        const double x = __longlong_as_double(f.in[threadIdx.x]);
        const float y = static_cast<float>(x);
        Long* out = f.out + 10 * threadIdx.x;
        *out++ = __double2int_rz(x);
        *out++ = __double2ll_rz(x);
        *out++ = __float2int_rz(y);
        *out++ = __float2ll_rz(y);
        *out++ = isnan(x);
        *out++ = isinf(y);
        *out++ = __float_as_int(sqrt(y));
        *out++ = __double_as_longlong(fma(x, 3.0, 1.0));
        *out++ = __double_as_longlong(fmin(x, 1.0));
        *out++ = __double_as_longlong(x * 3.0 + 1.0);
      }
      """;

  @BeforeAll
  static void compiler() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: CUDA's functions are not tested");
  }

  @Test
  void integers() {
    Random random = new Random(1);
    long[] in = new long[2 * 512];
    for (int i = 0; i < in.length; i++) {
      in[i] = random.nextInt(8) == 0 ? random.nextInt(3) - 1 : random.nextLong();
    }
    try (LongKernels kernels =
        new LongKernels(EmulatorSettings.defaults().withWarningsFail(true), TEXT)) {
      long[] out = kernels.run("integers", 1, 512, in, 24 * 512);
      for (int i = 0; i < 512; i++) {
        long x = in[2 * i];
        long y = in[2 * i + 1];
        int a = (int) x;
        int b = (int) y;
        int third = -1;
        for (int bit = 0, seen = 0; bit < 32; bit++) {
          if ((a >> bit & 1) != 0 && ++seen == 3) {
            third = bit;
          }
        }
        long[] expected = {
          Integer.bitCount(a),
          Long.bitCount(x),
          Integer.numberOfLeadingZeros(a),
          Long.numberOfLeadingZeros(x),
          a == 0 ? 0 : Integer.numberOfTrailingZeros(a) + 1,
          x == 0 ? 0 : Long.numberOfTrailingZeros(x) + 1,
          Integer.reverse(a),
          Long.reverse(x),
          (int) ((long) a * b >> 32),
          (int) ((a & 0xffffffffL) * (b & 0xffffffffL) >>> 32),
          Math.multiplyHigh(x, y),
          Math.multiplyHigh(x, y) + (x >> 63 & y) + (y >> 63 & x),
          b << 7 | a >>> 25,
          b << 25 | a >>> 7,
          Math.min(a, b),
          Long.compareUnsigned(x, y) > 0 ? x : y,
          a,
          x,
          (int) (x >> 32),
          (int) x,
          (long) a << 32 | b & 0xffffffffL,
          third,
          in[0],
          32
        };
        for (int k = 0; k < expected.length; k++) {
          assertThat(out[24 * i + k])
              .as("function %d of %d and %d", k, x, y)
              .isEqualTo(expected[k]);
        }
      }
    }
  }

  @Test
  void conversionsSaturateAndNothingIsContracted() {
    double[] values = {
      0.0,
      -0.0,
      1.9,
      -1.9,
      2147483647.5,
      2147483648.0,
      -2147483648.9,
      -2147483649.0,
      9.3e18,
      -9.3e18,
      1e300,
      -1e300,
      Double.NaN,
      Double.POSITIVE_INFINITY,
      Double.NEGATIVE_INFINITY,
      0.1,
      1.0 / 3,
      9223372036854774784.0,
      Double.MIN_VALUE,
      16777217.0
    };
    long[] in = new long[32];
    for (int i = 0; i < 32; i++) {
      in[i] = Double.doubleToRawLongBits(values[i % values.length]);
    }
    try (LongKernels kernels =
        new LongKernels(EmulatorSettings.defaults().withWarningsFail(true), TEXT)) {
      long[] out = kernels.run("conversions", 1, 32, in, 10 * 32);
      for (int i = 0; i < 32; i++) {
        double x = values[i % values.length];
        float y = (float) x;
        // Java makes 0 of a NaN, the PTX instruction for 64 bits the smallest number.
        long[] expected = {
          (int) x,
          Double.isNaN(x) ? Long.MIN_VALUE : (long) x,
          (int) y,
          Float.isNaN(y) ? Long.MIN_VALUE : (long) y,
          Double.isNaN(x) ? 1 : 0,
          Float.isInfinite(y) ? 1 : 0
        };
        for (int k = 0; k < expected.length; k++) {
          assertThat(out[10 * i + k]).as("function %d of %s", k, x).isEqualTo(expected[k]);
        }
        if (!Double.isNaN(x)) {
          if (y >= 0) {
            assertThat(Float.intBitsToFloat((int) out[10 * i + 6])).isEqualTo((float) Math.sqrt(y));
          }
          assertThat(Double.longBitsToDouble(out[10 * i + 7])).isEqualTo(Math.fma(x, 3.0, 1.0));
          assertThat(Double.longBitsToDouble(out[10 * i + 8])).isEqualTo(Math.min(x, 1.0));
          assertThat(Double.longBitsToDouble(out[10 * i + 9])).isEqualTo(x * 3.0 + 1.0);
        }
      }
    }
  }
}
