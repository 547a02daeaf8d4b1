package org.sparkgpugraph.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sparkgpugraph.vector.ElementType.LENGTHS;
import static org.sparkgpugraph.vector.ElementType.call;
import static org.sparkgpugraph.vector.ElementType.copy;
import static org.sparkgpugraph.vector.ElementType.exact;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BinaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Vectors made of vectors, and changed, against exact numbers rounded once a step. */
@Tag("any-spark")
class VectorsTest {
  private static final Map<String, BinaryOperator<BigDecimal>> NEW = new LinkedHashMap<>();
  private static final Map<String, BinaryOperator<BigDecimal>> CHANGED = new LinkedHashMap<>();

  static {
    NEW.put("add", BigDecimal::add);
    NEW.put("subtract", BigDecimal::subtract);
    NEW.put("multiply", BigDecimal::multiply);
    NEW.put("min", BigDecimal::min);
    NEW.put("max", BigDecimal::max);
    CHANGED.put("addTo", BigDecimal::add);
    CHANGED.put("subtractFrom", BigDecimal::subtract);
    CHANGED.put("multiplyInto", BigDecimal::multiply);
    CHANGED.put("minInto", BigDecimal::min);
    CHANGED.put("maxInto", BigDecimal::max);
  }

  @ParameterizedTest
  @EnumSource
  void newVectorsAreWhatTheOperatorsMake(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object x = type.vector(random, k);
      Object y = type.vector(random, k);
      Object before = copy(x);
      Object beforeY = copy(y);
      NEW.forEach(
          (name, operator) ->
              assertThat(call(Vectors.class, name, x, y))
                  .as("%s, k and seed %d", name, k)
                  .isEqualTo(type.combined(x, y, operator)));
      Object factor = type.number(random);
      assertThat(call(Vectors.class, "scale", factor, x))
          .as("scale, k and seed %d", k)
          .isEqualTo(type.combined(x, x, (a, same) -> a.multiply(exact(factor))));
      assertThat(call(Vectors.class, "axpy", factor, x, y))
          .as("axpy, k and seed %d", k)
          .isEqualTo(type.combined(x, y, (a, b) -> axpy(type, factor, a, b)));
      assertThat(x).isEqualTo(before);
      assertThat(y).isEqualTo(beforeY);
    }
  }

  private static BigDecimal axpy(ElementType type, Object factor, BigDecimal a, BigDecimal b) {
    return exact(type.rounded(exact(factor).multiply(a))).add(b);
  }

  @ParameterizedTest
  @EnumSource
  void updatesChangeTheFirstArgumentAlone(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(1000 + k);
      Object x = type.vector(random, k);
      Object before = copy(x);
      CHANGED.forEach(
          (name, operator) -> {
            Object y = type.vector(random, k);
            Object expected = type.combined(y, x, operator);
            call(Updates.class, name, y, x);
            assertThat(y).as("%s, k %d, seed %d", name, k, 1000 + k).isEqualTo(expected);
          });
      Object factor = type.number(random);
      Object y = type.vector(random, k);
      Object expected = type.combined(y, x, (b, a) -> axpy(type, factor, a, b));
      call(Updates.class, "addScaledTo", y, factor, x);
      assertThat(y).as("addScaledTo, k %d, seed %d", k, 1000 + k).isEqualTo(expected);
      Object scaled = type.combined(y, y, (a, same) -> a.multiply(exact(factor)));
      call(Updates.class, "scaleInPlace", y, factor);
      assertThat(y).as("scaleInPlace, k %d, seed %d", k, 1000 + k).isEqualTo(scaled);
      assertThat(x).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void bothArgumentsMayBeOneArray(ElementType type) {
    Object y = type.array(1, -2, 3);
    call(Updates.class, "addTo", y, y);
    assertThat(y).isEqualTo(type.array(2, -4, 6));
    call(Updates.class, "multiplyInto", y, y);
    assertThat(y).isEqualTo(type.array(4, 16, 36));
    call(Updates.class, "subtractFrom", y, y);
    assertThat(y).isEqualTo(type.array(0, 0, 0));
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void theSmallerAndLargerAreThoseOfMath(ElementType type) {
    Object x = type.array(Double.NaN, 1, 0.0, -0.0, Double.NEGATIVE_INFINITY);
    Object y = type.array(1, Double.NaN, -0.0, 0.0, 7);
    // Arrays are compared by bits.
    assertThat(call(Vectors.class, "min", x, y))
        .isEqualTo(type.array(Double.NaN, Double.NaN, -0.0, -0.0, Double.NEGATIVE_INFINITY));
    assertThat(call(Vectors.class, "max", x, y))
        .isEqualTo(type.array(Double.NaN, Double.NaN, 0.0, 0.0, 7));
  }

  @ParameterizedTest
  @EnumSource
  void otherLengthsAreRefusedBeforeAnythingIsWritten(ElementType type) {
    Object two = type.array(1, 2);
    Object three = type.array(1, 2, 3);
    Object factor = type.number(new Random(0));
    for (String name : NEW.keySet()) {
      assertThatThrownBy(() -> call(Vectors.class, name, two, three))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "x has 2 elements and y has 3 elements: make both vectors of the same length k");
    }
    assertThatThrownBy(() -> call(Vectors.class, "axpy", factor, three, type.array(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("x has 3 elements and y has 1 element:");
    for (String name : CHANGED.keySet()) {
      assertThatThrownBy(() -> call(Updates.class, name, two, three))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("y has 2 elements and x has 3 elements:");
      assertThatThrownBy(() -> call(Updates.class, name, three, two))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> call(Updates.class, "addScaledTo", three, factor, two))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("y has 3 elements and x has 2 elements:");
    assertThat(two).isEqualTo(type.array(1, 2));
    assertThat(three).isEqualTo(type.array(1, 2, 3));
  }
}
