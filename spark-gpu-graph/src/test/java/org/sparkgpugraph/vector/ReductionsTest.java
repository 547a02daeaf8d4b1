package org.sparkgpugraph.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sparkgpugraph.vector.ElementType.LENGTHS;
import static org.sparkgpugraph.vector.ElementType.call;
import static org.sparkgpugraph.vector.ElementType.exact;
import static org.sparkgpugraph.vector.ElementType.get;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One number of a vector, against exact numbers rounded once a step. */
@Tag("any-spark")
class ReductionsTest {
  private static final BigDecimal TWO = BigDecimal.valueOf(2);

  @ParameterizedTest
  @EnumSource
  void sumsAreRoundedStepByStepInTheOrderOfTheIndex(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object x = type.vector(random, k);
      Object y = type.vector(random, k);
      Object products = type.combined(x, y, BigDecimal::multiply);
      assertThat(reduced("sum", x))
          .as("sum, k and seed %d", k)
          .isEqualByComparingTo(type.folded(BigDecimal.ZERO, x, BigDecimal::add));
      assertThat(exact(call(Reductions.class, "dot", x, y)))
          .as("dot, k and seed %d", k)
          .isEqualByComparingTo(type.folded(BigDecimal.ZERO, products, BigDecimal::add));
      Object nearOne =
          type.isReal() ? type.array(random.doubles(k, 0.5, 2).toArray()) : type.vector(random, k);
      assertThat(reduced("product", nearOne))
          .as("product, k and seed %d", k)
          .isEqualByComparingTo(type.folded(BigDecimal.ONE, nearOne, BigDecimal::multiply));
    }
  }

  private static BigDecimal reduced(String name, Object x) {
    return exact(call(Reductions.class, name, x));
  }

  /** What the package's page says of an engine that adds in the order of a tree. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void anotherOrderIsWithinTheDocumentedBound(ElementType type) {
    int others = 0;
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      int k = LENGTHS[random.nextInt(LENGTHS.length)];
      Object x = type.vector(random, k);
      BigDecimal magnitudes =
          IntStream.range(0, k)
              .mapToObj(i -> get(x, i).abs())
              .reduce(BigDecimal.ZERO, BigDecimal::add);
      BigDecimal exact =
          IntStream.range(0, k).mapToObj(i -> get(x, i)).reduce(BigDecimal.ZERO, BigDecimal::add);
      BigDecimal sum = reduced("sum", x);
      BigDecimal tree = tree(type, x, 0, k);
      assertThat(sum.subtract(exact).abs())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(type.gamma(k).multiply(magnitudes));
      assertThat(sum.subtract(tree).abs())
          .as("seed %d", seed)
          .isLessThanOrEqualTo(TWO.multiply(type.gamma(k)).multiply(magnitudes));
      others += sum.compareTo(tree) == 0 ? 0 : 1;
    }
    assertThat(others).as("sums that depend on the order").isGreaterThan(50);
  }

  private static BigDecimal tree(ElementType type, Object x, int from, int to) {
    if (to - from == 1) {
      return get(x, from);
    }
    int middle = (from + to) / 2;
    return exact(type.rounded(tree(type, x, from, middle).add(tree(type, x, middle, to))));
  }

  @ParameterizedTest
  @EnumSource
  void extremesAndTheirFirstIndexes(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object any = type.vector(random, k);
      Object few = type.array(random.ints(k, -2, 3).asDoubleStream().toArray());
      for (Object x : new Object[] {any, few}) {
        assertExtreme(x, "min", "argMin", BigDecimal::min);
        assertExtreme(x, "max", "argMax", BigDecimal::max);
      }
    }
  }

  private static void assertExtreme(
      Object x, String name, String index, BinaryOperator<BigDecimal> better) {
    int k = Array.getLength(x);
    BigDecimal best = IntStream.range(0, k).mapToObj(i -> get(x, i)).reduce(better).orElseThrow();
    int first =
        IntStream.range(0, k).filter(i -> get(x, i).compareTo(best) == 0).findFirst().orElseThrow();
    assertThat(reduced(name, x)).as("%s, k and seed %d", name, k).isEqualByComparingTo(best);
    assertThat(call(Reductions.class, index, x)).as("%s, k and seed %d", index, k).isEqualTo(first);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void notANumberWinsAndZerosAreEqual(ElementType type) {
    for (int at = 0; at < 4; at++) {
      double[] numbers = {1, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 2, Double.NaN};
      numbers[at] = Double.NaN;
      Object x = type.array(numbers);
      for (String name : new String[] {"sum", "product", "min", "max"}) {
        assertThat(((Number) call(Reductions.class, name, x)).doubleValue()).as(name).isNaN();
      }
      assertThat(call(Reductions.class, "argMin", x)).isEqualTo(at);
      assertThat(call(Reductions.class, "argMax", x)).isEqualTo(at);
    }
    Object zeros = type.array(1, 0.0, -0.0, 0.0);
    assertThat(call(Reductions.class, "argMin", zeros)).isEqualTo(1);
    assertThat(call(Reductions.class, "min", zeros)).isEqualTo(Array.get(type.array(-0.0), 0));
    Object below = type.array(-1, -0.0, 0.0);
    assertThat(call(Reductions.class, "argMax", below)).isEqualTo(1);
    assertThat(call(Reductions.class, "max", below)).isEqualTo(Array.get(type.array(0.0), 0));
  }

  @ParameterizedTest
  @EnumSource
  void nothingHasASumAndNoExtreme(ElementType type) {
    Object nothing = type.array();
    assertThat(reduced("sum", nothing)).isZero();
    assertThat(reduced("product", nothing)).isOne();
    assertThat(exact(call(Reductions.class, "dot", nothing, nothing))).isZero();
    for (String name : new String[] {"min", "max", "argMin", "argMax"}) {
      assertThatThrownBy(() -> call(Reductions.class, name, nothing))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              name + " of a vector of length 0: it has no such element, give one of at least 1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void dotRefusesOtherLengths(ElementType type) {
    assertThatThrownBy(() -> call(Reductions.class, "dot", type.array(1, 2, 3), type.array(1, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("x has 3 elements and y has 2 elements:");
  }

  @Test
  void integersWrapAround() {
    assertThat(Reductions.sum(new int[] {Integer.MAX_VALUE, 1})).isEqualTo(Integer.MIN_VALUE);
    assertThat(Reductions.sum(new long[] {Long.MAX_VALUE, 1})).isEqualTo(Long.MIN_VALUE);
    assertThat(Reductions.dot(new int[] {1 << 16, 3}, new int[] {1 << 16, 5})).isEqualTo(15);
  }
}
