package org.sparkgpugraph.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.sparkgpugraph.vector.ElementType.LENGTHS;
import static org.sparkgpugraph.vector.ElementType.call;
import static org.sparkgpugraph.vector.ElementType.copy;
import static org.sparkgpugraph.vector.ElementType.get;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Solutions are put into their equations in exact numbers: what is left is bounded by theory. */
@Tag("any-spark")
class SolversTest {
  private static final Class<?>[] BOTH = {Lu.class, Cholesky.class};

  private static Object solve(Class<?> solver, Object a, Object b) {
    return call(solver, "solve", a, b);
  }

  /** Of elements between −1 and 1. */
  private static double[] uniform(Random random, int length) {
    return random.doubles(length, -1, 1).toArray();
  }

  /** The sum of 2 k outer products and a tenth of the identity. */
  private static Object positiveDefinite(ElementType type, Random random, int k) {
    Object a = type.array(new double[k * k]);
    for (int i = 0; i < 2 * k; i++) {
      Object x = type.array(uniform(random, k));
      call(Matrices.class, "addOuterTo", a, x, x);
    }
    call(Matrices.class, "addToDiagonal", a, type.rounded(new BigDecimal("0.1")));
    return a;
  }

  /** b − A x of one row. */
  private static BigDecimal residual(Object a, Object x, Object b, int row) {
    int k = Array.getLength(x);
    BigDecimal rest = get(b, row);
    for (int j = 0; j < k; j++) {
      rest = rest.subtract(get(a, row * k + j).multiply(get(x, j)));
    }
    return rest.abs();
  }

  /** Each row's rest is small beside the row's own numbers, whatever their scale. */
  private static void assertSolves(ElementType type, Object a, Object x, Object b, String what) {
    int k = Array.getLength(x);
    double magnitudes = 0;
    for (int j = 0; j < k; j++) {
      magnitudes += get(x, j).abs().doubleValue();
    }
    for (int i = 0; i < k; i++) {
      double largest = 0;
      for (int j = 0; j < k; j++) {
        largest = Math.max(largest, get(a, i * k + j).abs().doubleValue());
      }
      // 3 γ(k) |L| |U| with rows of at most k elements that hardly grow; 16 leaves room for that.
      double bound =
          type.gamma(16 * k).doubleValue() * (largest * magnitudes + get(b, i).abs().doubleValue());
      assertThat(residual(a, x, b, i).doubleValue())
          .as("%s, row %d of %d", what, i, k)
          .isLessThanOrEqualTo(bound);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void luSolvesAnyMatrix(ElementType type) {
    for (int k : LENGTHS) {
      for (int seed = 0; seed < 3; seed++) {
        Random random = new Random(1000L * k + seed);
        Object a = type.array(uniform(random, k * k));
        Object b = type.array(uniform(random, k));
        Object beforeA = copy(a);
        Object beforeB = copy(b);
        assertSolves(type, a, solve(Lu.class, a, b), b, "seed " + (1000L * k + seed));
        assertThat(a).isEqualTo(beforeA);
        assertThat(b).isEqualTo(beforeB);
      }
    }
  }

  /**
   * |ΔA| ≤ γ(3 k + 1) |L| |Lᵀ|, whose elements are at most the roots of the diagonal's products.
   */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void choleskySolvesPositiveDefiniteMatrices(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object a = positiveDefinite(type, random, k);
      Object b = type.array(uniform(random, k));
      Object beforeA = copy(a);
      Object beforeB = copy(b);
      Object x = solve(Cholesky.class, a, b);
      double weighted = 0;
      for (int j = 0; j < k; j++) {
        weighted += Math.sqrt(get(a, j * k + j).doubleValue()) * get(x, j).abs().doubleValue();
      }
      for (int i = 0; i < k; i++) {
        assertThat(residual(a, x, b, i).doubleValue())
            .as("row %d, k and seed %d", i, k)
            .isLessThanOrEqualTo(
                type.gamma(4 * k + 4).doubleValue()
                    * Math.sqrt(get(a, i * k + i).doubleValue())
                    * weighted);
      }
      assertSolves(type, a, solve(Lu.class, a, b), b, "seed " + k);
      assertThat(a).isEqualTo(beforeA);
      assertThat(b).isEqualTo(beforeB);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void inversesHaveTheSolutionsForTheIdentity(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Object any = type.array(uniform(random, k * k));
      Object definite = positiveDefinite(type, random, k);
      Object inverse = call(Lu.class, "inverse", any);
      Object symmetric = call(Cholesky.class, "inverse", definite);
      for (int column = 0; column < k; column++) {
        double[] unit = new double[k];
        unit[column] = 1;
        Object x = solve(Lu.class, any, type.array(unit));
        Object y = solve(Cholesky.class, definite, type.array(unit));
        for (int i = 0; i < k; i++) {
          String place = "row " + i + ", column " + column + ", k and seed " + k;
          assertThat(Array.get(inverse, i * k + column)).as(place).isEqualTo(Array.get(x, i));
          assertThat(Array.get(symmetric, Math.max(i, column) * k + Math.min(i, column)))
              .as(place)
              .isEqualTo(Array.get(symmetric, Math.min(i, column) * k + Math.max(i, column)));
          if (i >= column) {
            assertThat(Array.get(symmetric, i * k + column)).as(place).isEqualTo(Array.get(y, i));
          }
        }
      }
    }
  }

  /** Nothing is rounded, and every pivot has to be looked for. */
  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void permutationsAndPowersOfTwoAreExact(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      Integer[] order = new Integer[k];
      Arrays.setAll(order, i -> i);
      Collections.shuffle(Arrays.asList(order), random);
      double[] a = new double[k * k];
      double[] b = new double[k];
      double[] expected = new double[k];
      for (int i = 0; i < k; i++) {
        double power = Math.scalb(1.0, random.nextInt(200) - 100);
        a[i * k + order[i]] = power;
        expected[order[i]] = i - 3;
        b[i] = power * (i - 3);
      }
      assertThat(solve(Lu.class, type.array(a), type.array(b)))
          .as("k and seed %d", k)
          .isEqualTo(type.array(expected));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void theUnitOfAnEquationDoesNotMatter(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      double[] a = uniform(random, k * k);
      double[] b = uniform(random, k);
      Object plain = solve(Lu.class, type.array(a), type.array(b));
      for (int i = 0; i < k; i++) {
        double power = Math.scalb(1.0, random.nextInt(160) - 80);
        b[i] *= power;
        for (int j = 0; j < k; j++) {
          a[i * k + j] *= power;
        }
      }
      assertThat(solve(Lu.class, type.array(a), type.array(b)))
          .as("k and seed %d", k)
          .isEqualTo(plain);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void aSmallFirstElementIsNoPivot(ElementType type) {
    Object x = solve(Lu.class, type.array(1e-20, 1, 1, 1), type.array(1, 2));
    assertThat(get(x, 0)).isCloseTo(BigDecimal.ONE, within(type.gamma(4)));
    assertThat(get(x, 1)).isCloseTo(BigDecimal.ONE, within(type.gamma(4)));
    // Subnormal rows, and a row whose power of two is the largest.
    Object tiny = type == ElementType.FLOAT ? type.array(1e-44) : type.array(3e-323);
    assertThat(solve(Lu.class, tiny, tiny)).isEqualTo(type.array(1));
  }

  private static double[] hilbert(int k) {
    double[] a = new double[k * k];
    for (int i = 0; i < k * k; i++) {
      a[i] = 1.0 / (i / k + i % k + 1);
    }
    return a;
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void illConditionedMatricesAreSolvedOrRefused(ElementType type) {
    int most = type == ElementType.FLOAT ? 3 : 8;
    for (int k = 1; k <= most; k++) {
      Object a = type.array(hilbert(k));
      Object b = type.array(uniform(new Random(k), k));
      for (Class<?> solver : BOTH) {
        assertSolves(type, a, solve(solver, a, b), b, solver.getSimpleName() + ", seed " + k);
      }
    }
    for (int k : new int[] {31, 32, 33, 64, 100, 128}) {
      Object a = type.array(hilbert(k));
      assertThatThrownBy(() -> solve(Lu.class, a, type.array(new double[k])))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("singular up to rounding: of column ");
      assertThatThrownBy(() -> solve(Cholesky.class, a, type.array(new double[k])))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("singular up to rounding: of row ");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void singularMatricesAreRefused(ElementType type) {
    for (int k : LENGTHS) {
      Random random = new Random(k);
      double[] twice = uniform(random, k * k);
      double[] ranked = new double[k * k];
      double[] gram = asDoubles(positiveDefinite(type, random, k));
      double[] x = random.ints(k, 1, 100).asDoubleStream().toArray();
      int from = random.nextInt(k);
      int to = (from + 1) % k;
      for (int i = 0; i < k; i++) {
        twice[i * k + to] = twice[i * k + from];
        for (int j = 0; j < k; j++) {
          ranked[i * k + j] = x[i] * x[j];
        }
        gram[i * k + to] = gram[i * k + from];
      }
      System.arraycopy(gram, from * k, gram, to * k, k);
      double[] b = uniform(random, k);
      assertSingular(type, new double[k * k], b, BOTH);
      if (k > 1) {
        assertSingular(type, twice, b, Lu.class);
        assertSingular(type, asDoubles(transposed(type, twice)), b, Lu.class);
        assertSingular(type, ranked, b, BOTH);
        assertSingular(type, gram, b, BOTH);
      }
    }
    assertThatThrownBy(() -> solve(Lu.class, type.array(1, 2, 0, 0), type.array(1, 1)))
        .hasMessage(
            "the matrix is singular: all elements of row 1 are 0.0; add a small number to the"
                + " diagonal (Matrices.addToDiagonal), or drop what depends on the rest");
    assertThatThrownBy(() -> solve(Lu.class, type.array(1, 2, 1, 2), type.array(1, 1)))
        .hasMessage(
            "the matrix is singular up to rounding: of column 1, whose largest element is 1.0 (rows"
                + " scaled to 1), 0.0 is left once the columns before it are taken out; add a small"
                + " number to the diagonal (Matrices.addToDiagonal), or drop what depends on the"
                + " rest");
  }

  private static Object transposed(ElementType type, double[] a) {
    return call(Matrices.class, "transpose", type.array(a));
  }

  private static double[] asDoubles(Object array) {
    double[] numbers = new double[Array.getLength(array)];
    Arrays.setAll(numbers, i -> get(array, i).doubleValue());
    return numbers;
  }

  private static void assertSingular(
      ElementType type, double[] a, double[] b, Class<?>... solvers) {
    for (Class<?> solver : solvers) {
      assertThatThrownBy(() -> solve(solver, type.array(a), type.array(b)))
          .as("%s, k and seed %d", solver.getSimpleName(), b.length)
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("singular")
          .hasMessageContaining("Matrices.addToDiagonal");
      assertThatThrownBy(() -> call(solver, "inverse", type.array(a)))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("singular");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void indefiniteMatricesAreForLu(ElementType type) {
    Object a = type.array(1, 2, 2, 1);
    assertThatThrownBy(() -> solve(Cholesky.class, a, type.array(3, 3)))
        .isInstanceOf(ArithmeticException.class)
        .hasMessage(
            "the matrix is not positive definite, or singular up to rounding: of row 1, column 1,"
                + " which is 1.0, -3.0 is left once the rows before it are taken out; add a small"
                + " number to the diagonal (Matrices.addToDiagonal), or drop what depends on the"
                + " rest; a matrix that is not positive definite is for Lu");
    assertThat(solve(Lu.class, a, type.array(3, 3))).isEqualTo(type.array(1, 1));
    for (double first : new double[] {-1, 0, -0.0}) {
      assertThatThrownBy(() -> solve(Cholesky.class, type.array(first), type.array(1)))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageContaining("of row 0, column 0, which is " + first);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void numbersThatAreNotFiniteAreRefused(ElementType type) {
    double[] good = {4, 1, 0, 1, 4, 1, 0, 1, 4};
    for (double bad :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      for (int at = 0; at < 9; at++) {
        double[] a = good.clone();
        a[at] = bad;
        String place = "row " + at / 3 + ", column " + at % 3 + " of the matrix is " + bad + ":";
        for (Class<?> solver : BOTH) {
          if (solver == Cholesky.class && at % 3 > at / 3) {
            // Above the diagonal nothing is read.
            assertThat(solve(solver, type.array(a), type.array(1, 2, 3)))
                .isEqualTo(solve(solver, type.array(good), type.array(1, 2, 3)));
            assertThat(call(solver, "inverse", type.array(a)))
                .isEqualTo(call(solver, "inverse", type.array(good)));
            continue;
          }
          assertThatThrownBy(() -> solve(solver, type.array(a), type.array(1, 2, 3)))
              .isInstanceOf(ArithmeticException.class)
              .hasMessageStartingWith(place);
          assertThatThrownBy(() -> call(solver, "inverse", type.array(a)))
              .isInstanceOf(ArithmeticException.class)
              .hasMessageStartingWith(place);
        }
      }
      for (Class<?> solver : BOTH) {
        assertThatThrownBy(() -> solve(solver, type.array(good), type.array(1, bad, 3)))
            .isInstanceOf(ArithmeticException.class)
            .hasMessageStartingWith("element 1 of the right-hand side is " + bad + ":");
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void solutionsThatOverflowAreRefused(ElementType type) {
    double small = type == ElementType.FLOAT ? 1e-30 : 1e-200;
    for (Class<?> solver : BOTH) {
      assertThatThrownBy(() -> solve(solver, type.array(small), type.array(1 / small)))
          .isInstanceOf(ArithmeticException.class)
          .hasMessage(
              "element 0 of the solution is Infinity: the solution is too large for its type, scale"
                  + " the equations or use doubles");
      // What overflowed may be NaN after it was multiplied by 0.
      assertThatThrownBy(() -> solve(solver, type.array(small, 0, 0, 1), type.array(1 / small, 1)))
          .isInstanceOf(ArithmeticException.class)
          .hasMessageStartingWith("element 0 of the solution is ");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"FLOAT", "DOUBLE"})
  void otherShapesAreRefused(ElementType type) {
    for (Class<?> solver : BOTH) {
      assertThatThrownBy(() -> solve(solver, type.array(1, 2, 3, 4, 5), type.array(1, 2)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("the matrix has 5 elements and the vector has 2 elements:");
      assertThatThrownBy(() -> call(solver, "inverse", type.array(1, 2, 3)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("the matrix has 3 elements, which is no k x k:");
      assertThat(solve(solver, type.array(), type.array())).isEqualTo(type.array());
      assertThat(call(solver, "inverse", type.array())).isEqualTo(type.array());
    }
  }
}
