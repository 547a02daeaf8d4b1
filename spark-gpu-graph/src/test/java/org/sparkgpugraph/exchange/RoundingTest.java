package org.sparkgpugraph.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What rounding promises. */
@Tag("any-spark")
class RoundingTest {
  private static final long SEED = 20261126;

  private static double any(Random random) {
    return Double.longBitsToDouble(random.nextLong());
  }

  private static boolean isNormal(double number) {
    return Math.abs(number) >= Double.MIN_NORMAL && Double.isFinite(number);
  }

  @Test
  void theErrorIsBounded() {
    Random random = new Random(SEED);
    for (int i = 0; i < 50_000; i++) {
      int bits = Rounding.FEWEST + random.nextInt(Rounding.EXACT + 1 - Rounding.FEWEST);
      double number = any(random);
      double rounded = Rounding.round(number, bits);
      String what = "seed %d, %s to %s bits".formatted(SEED, number, bits);
      assertThat(Double.compare(Rounding.round(rounded, bits), rounded)).as(what).isZero();
      if (isNormal(number) && Math.getExponent(number) < Double.MAX_EXPONENT) {
        assertThat(Math.abs(rounded - number) / Math.abs(number))
            .as(what)
            .isLessThanOrEqualTo(Math.scalb(1.0, -bits));
      }
      float single = Float.intBitsToFloat(random.nextInt());
      int few = Math.min(bits, 24);
      float less = Rounding.round(single, few);
      assertThat(Float.compare(Rounding.round(less, few), less)).as(what).isZero();
      if (Math.abs(single) >= Float.MIN_NORMAL && Math.getExponent(single) < Float.MAX_EXPONENT) {
        assertThat(Math.abs((double) less - single) / Math.abs(single))
            .as("%s, %s", what, single)
            .isLessThanOrEqualTo(Math.scalb(1.0, -few));
      }
    }
  }

  @Test
  void theOrderStays() {
    Random random = new Random(SEED);
    double[] numbers =
        DoubleStream.generate(() -> 1 + random.nextDouble() / (1 << random.nextInt(30)))
            .limit(10_000)
            .sorted()
            .toArray();
    for (int i = 1; i < numbers.length; i++) {
      assertThat(Rounding.round(numbers[i], 12))
          .isGreaterThanOrEqualTo(Rounding.round(numbers[i - 1], 12));
    }
  }

  @Test
  void twentyFourBitsAreThoseOfAFloat() {
    Random random = new Random(SEED);
    for (int i = 0; i < 50_000; i++) {
      double number = Math.scalb(random.nextDouble() - 0.5, random.nextInt(200) - 100);
      assertThat(Rounding.round(number, 24)).as("seed %d", SEED).isEqualTo((float) number);
    }
    // Halves, which go to the even neighbour.
    double unit = Math.scalb(1.0, -23);
    assertThat(Rounding.round(1 + 0.5 * unit, 24)).isEqualTo(1);
    assertThat(Rounding.round(1 + 1.5 * unit, 24)).isEqualTo(1 + 2 * unit);
  }

  @Test
  void whatIsNoNormalNumberStaysWhatItIs() {
    for (double number :
        new double[] {0.0, -0.0, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      assertThat(Rounding.round(number, 10)).isEqualTo(number);
      assertThat(Rounding.round((float) number, 10)).isEqualTo((float) number);
    }
    long odd = 0x7ff0000000000001L;
    double nan = Double.longBitsToDouble(odd);
    assertThat(Double.doubleToRawLongBits(Rounding.round(nan, 10)))
        .isEqualTo(Double.doubleToRawLongBits(nan));
    assertThat(Rounding.round(Float.NaN, 10)).isNaN();
    // Markers of "not reached".
    assertThat(Rounding.round(Double.MAX_VALUE, 10)).isEqualTo(Double.MAX_VALUE);
    assertThat(Rounding.round(-Float.MAX_VALUE, 10)).isEqualTo(-Float.MAX_VALUE);
    assertThat(Rounding.round(Double.MIN_VALUE, 10)).isZero();
  }
}
