package org.sparkgpugraph.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.sparkgpugraph.vector.ElementType.LENGTHS;
import static org.sparkgpugraph.vector.ElementType.call;
import static org.sparkgpugraph.vector.ElementType.copy;
import static org.sparkgpugraph.vector.ElementType.exact;
import static org.sparkgpugraph.vector.ElementType.get;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-spark")
class NormsTest {
  private static BigDecimal norm(String name, Object... arguments) {
    return exact(call(Norms.class, name, arguments));
  }

  private static BigDecimal sum(int k, IntFunction<BigDecimal> term) {
    return IntStream.range(0, k).mapToObj(term).reduce(BigDecimal.ZERO, BigDecimal::add);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void normsAreWithinTheirRoundings(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object x = type.vector(random, k);
      Object y = type.vector(random, k);
      BigDecimal l1 = sum(k, i -> get(x, i).abs());
      BigDecimal l2 = sum(k, i -> get(x, i).pow(2)).sqrt(MathContext.DECIMAL128);
      BigDecimal squared = sum(k, i -> get(x, i).subtract(get(y, i)).pow(2));
      // k roundings of a sum, some more of each term and of the root.
      assertClose(norm("l1", x), l1, type, k, "l1");
      assertClose(norm("l2", x), l2, type, k + 2, "l2");
      assertClose(norm("distanceSquared", x, y), squared, type, k + 3, "distanceSquared");
      assertThat(norm("maximum", x))
          .as("maximum, k and seed %d", k)
          .isEqualByComparingTo(
              IntStream.range(0, k)
                  .mapToObj(i -> get(x, i).abs())
                  .reduce(BigDecimal::max)
                  .orElseThrow());
    }
  }

  private static void assertClose(
      BigDecimal actual, BigDecimal expected, ElementType type, int roundings, String name) {
    assertThat(actual)
        .as("%s after %d roundings", name, roundings)
        .isCloseTo(expected, within(type.gamma(roundings).multiply(expected)));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void vectorsAreDividedByTheirSumOrLength(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object shares = type.array(random.doubles(k).toArray());
      Object before = copy(shares);
      Object unit = call(Norms.class, "unitSum", shares);
      assertClose(sum(k, i -> get(unit, i)), BigDecimal.ONE, type, k + 2, "unitSum");
      assertThat(get(unit, k - 1).divide(get(shares, k - 1), MathContext.DECIMAL128))
          .as("factor, k and seed %d", k)
          .isCloseTo(
              BigDecimal.ONE.divide(sum(k, i -> get(shares, i)), MathContext.DECIMAL128),
              within(type.gamma(2 * k + 4)));
      Object x = type.vector(random, k);
      Object direction = call(Norms.class, "unitLength", x);
      BigDecimal squares = sum(k, i -> get(direction, i).pow(2));
      assertClose(squares, BigDecimal.ONE, type, 2 * k + 6, "unitLength");
      for (int i = 0; i < k; i++) {
        assertThat(get(direction, i).signum()).isEqualTo(get(x, i).signum());
      }
      assertThat(shares).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void whatCannotBeDividedIsCopied(ElementType type) {
    for (Object x : new Object[] {type.array(), type.array(0, 0, 0), type.array(1, -1)}) {
      assertThat(call(Norms.class, "unitSum", x)).isEqualTo(x).isNotSameAs(x);
    }
    Object zeros = type.array(0, 0);
    assertThat(call(Norms.class, "unitLength", zeros)).isEqualTo(zeros).isNotSameAs(zeros);
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void notANumberIsNotHidden(ElementType type) {
    Object x = type.array(1, Double.NaN, 3);
    for (String name : new String[] {"l1", "l2", "maximum"}) {
      assertThat(((Number) call(Norms.class, name, x)).doubleValue()).as(name).isNaN();
    }
    for (String name : new String[] {"unitSum", "unitLength"}) {
      Object divided = call(Norms.class, name, x);
      assertThat(((Number) Array.get(divided, 0)).doubleValue()).as(name).isNaN();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void distanceRefusesOtherLengths(ElementType type) {
    assertThatThrownBy(() -> call(Norms.class, "distanceSquared", type.array(1), type.array(1, 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("x has 1 element and y has 2 elements:");
  }
}
