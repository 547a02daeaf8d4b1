package org.sparkgpugraph.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sparkgpugraph.vector.ElementType.LENGTHS;
import static org.sparkgpugraph.vector.ElementType.call;
import static org.sparkgpugraph.vector.ElementType.copy;
import static org.sparkgpugraph.vector.ElementType.exact;
import static org.sparkgpugraph.vector.ElementType.get;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Random;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("any-spark")
class MatricesTest {
  @Test
  void elementsStandRowByRow() {
    assertThat(Matrices.index(3, 0, 2)).isEqualTo(2);
    assertThat(Matrices.index(3, 2, 0)).isEqualTo(6);
    for (int[] outside : new int[][] {{-1, 0}, {0, -1}, {3, 0}, {0, 3}}) {
      assertThatThrownBy(() -> Matrices.index(3, outside[0], outside[1]))
          .isInstanceOf(IndexOutOfBoundsException.class)
          .hasMessage(
              "row %d, column %d of a matrix of 3 x 3: rows and columns are 0 to 2",
              outside[0], outside[1]);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void productsAreSumsInTheOrderOfTheIndex(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object a = type.vector(random, k * k);
      Object x = type.vector(random, k);
      Object y = call(Matrices.class, "multiply", a, x);
      Object transposed = call(Matrices.class, "multiplyTransposed", x, a);
      for (int i = 0; i < k; i++) {
        int row = i;
        assertThat(get(y, i))
            .as("row %d, k and seed %d", i, k)
            .isEqualByComparingTo(dot(type, a, x, (j, n) -> row * n + j));
        assertThat(get(transposed, i))
            .as("column %d, k and seed %d", i, k)
            .isEqualByComparingTo(dot(type, a, x, (j, n) -> j * n + row));
      }
    }
  }

  private static BigDecimal dot(ElementType type, Object a, Object x, IntBinaryOperator at) {
    int k = Array.getLength(x);
    BigDecimal sum = BigDecimal.ZERO;
    for (int j = 0; j < k; j++) {
      BigDecimal product = get(a, at.applyAsInt(j, k)).multiply(get(x, j));
      sum = exact(type.rounded(sum.add(exact(type.rounded(product)))));
    }
    return sum;
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void outerProductsAndDiagonalsAreAdded(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object a = type.vector(random, k * k);
      Object before = copy(a);
      Object x = type.vector(random, k);
      Object y = type.vector(random, k);
      call(Matrices.class, "addOuterTo", a, x, y);
      for (int i = 0; i < k; i++) {
        for (int j = 0; j < k; j++) {
          BigDecimal product = exact(type.rounded(get(x, i).multiply(get(y, j))));
          assertThat(Array.get(a, i * k + j))
              .as("row %d, column %d, k and seed %d", i, j, k)
              .isEqualTo(type.rounded(get(before, i * k + j).add(product)));
        }
      }
      Object regularised = copy(a);
      call(Matrices.class, "addToDiagonal", regularised, type.rounded(BigDecimal.TEN));
      for (int i = 0; i < k * k; i++) {
        BigDecimal added = i % (k + 1) == 0 ? BigDecimal.TEN : BigDecimal.ZERO;
        assertThat(Array.get(regularised, i)).isEqualTo(type.rounded(get(a, i).add(added)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void transposeAndIdentity(ElementType type) {
    assertThat(call(Matrices.class, "transpose", type.array(1, 2, 3, 4, 5, 6, 7, 8, 9)))
        .isEqualTo(type.array(1, 4, 7, 2, 5, 8, 3, 6, 9));
    assertThat(call(Matrices.class, "transpose", type.array())).isEqualTo(type.array());
    for (int k : LENGTHS) {
      Object identity =
          type == ElementType.FLOAT ? Matrices.floatIdentity(k) : Matrices.doubleIdentity(k);
      Object x = type.vector(new Random(k), k);
      assertThat(call(Matrices.class, "multiply", identity, x)).isEqualTo(x);
      assertThat(call(Matrices.class, "multiplyTransposed", x, identity)).isEqualTo(x);
      Object a = type.vector(new Random(k), k * k);
      Object transposed = call(Matrices.class, "transpose", a);
      assertThat(call(Matrices.class, "multiply", transposed, x))
          .isEqualTo(call(Matrices.class, "multiplyTransposed", x, a));
    }
  }

  @Test
  void identitiesThatNoArrayHoldsAreRefused() {
    for (int k : new int[] {-1, 46341, Integer.MAX_VALUE}) {
      assertThatThrownBy(() -> Matrices.floatIdentity(k))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a matrix of k x k with k = %d: k may be 0 to 46340", k);
      assertThatThrownBy(() -> Matrices.doubleIdentity(k))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThat(Matrices.floatIdentity(0)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void otherShapesAreRefused(ElementType type) {
    Object x = type.array(1, 2, 3);
    Object a = type.array(1, 2, 3, 4);
    String message =
        "the matrix has 4 elements and the vector has 3 elements: with a vector of k numbers goes a"
            + " matrix of k x k, here of 9 elements, row by row";
    assertThatThrownBy(() -> call(Matrices.class, "multiply", a, x))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> call(Matrices.class, "multiplyTransposed", x, a))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> call(Matrices.class, "addOuterTo", a, x, x))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> call(Matrices.class, "addOuterTo", a, x, type.array(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("x has 3 elements and y has 1 element:");
    assertThat(a).isEqualTo(type.array(1, 2, 3, 4));
    for (Object odd : new Object[] {type.array(1, 2), type.array(1, 2, 3, 4, 5, 6, 7, 8)}) {
      assertThatThrownBy(() -> call(Matrices.class, "transpose", odd))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the matrix has %d elements, which is no k x k: give all elements of a square"
                  + " matrix, row by row",
              Array.getLength(odd));
      assertThatThrownBy(
              () -> call(Matrices.class, "addToDiagonal", odd, type.rounded(BigDecimal.ONE)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
