package org.sparkgpugraph.runtime.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.vector.Cholesky;
import org.sparkgpugraph.vector.Lu;
import org.sparkgpugraph.vector.Matrices;
import org.sparkgpugraph.vector.Norms;
import org.sparkgpugraph.vector.Reductions;
import org.sparkgpugraph.vector.Updates;
import org.sparkgpugraph.vector.Vectors;

/** Programs whose functions make arrays of numbers for themselves, as jobs. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark")
class LocalArraysTest {
  private final Graph<Integer, Integer> graph;

  LocalArraysTest(JavaSparkContext sc) {
    graph =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 7)
            .withAttributes(new Random(7), r -> r.nextInt(1000), r -> r.nextInt(9))
            .toGraphx(sc, 2, Integer.class, Integer.class);
  }

  @FunctionalInterface
  private interface Function extends Serializable {
    int of(int a, int b);
  }

  /** Counts of digits, most of them zero; the digit with the largest count. */
  private static int commonDigit(int a, int b) {
    int[] counts = new int[16];
    for (int rest = Math.abs(a * 7919 + b); rest > 0; rest /= 16) {
      counts[rest % 16]++;
    }
    int best = 0;
    for (int i = 1; i < counts.length; i++) {
      best = counts[i] > counts[best] ? i : best;
    }
    return best;
  }

  private static int insertionSort(int a, int b) {
    long[] sorted = new long[12];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = (long) a * (i + 3) * 31 % 101 - (long) b * i % 7;
    }
    for (int i = 1; i < sorted.length; i++) {
      long moved = sorted[i];
      int j = i;
      while (j > 0 && sorted[j - 1] > moved) {
        sorted[j] = sorted[j - 1];
        j--;
      }
      sorted[j] = moved;
    }
    return (int) (sorted[0] * 31 + sorted[6] * 7 + sorted[11]);
  }

  /** Powers of a matrix, by two arrays that change places. */
  private static int matrixPower(int a, int b) {
    double[] power = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double[] times = {a % 5, 1, 0.5, b % 3, 0.25, 1, 2, 0, a % 2};
    double[] next = new double[9];
    for (int step = 0; step < 4; step++) {
      for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
          double sum = 0;
          for (int i = 0; i < 3; i++) {
            sum += power[row * 3 + i] * times[i * 3 + column];
          }
          next[row * 3 + column] = sum;
        }
      }
      double[] other = power;
      power = next;
      next = other;
    }
    return (int) (power[0] + 3 * power[4] + 5 * power[8]);
  }

  /** Elements of small types, and what a copy does not share. */
  private static int narrow(int a, int b) {
    byte[] bytes = new byte[10];
    short[] shorts = new short[10];
    char[] characters = new char[10];
    boolean[] odd = new boolean[10];
    float[] floats = new float[10];
    for (int i = 0; i < 10; i++) {
      bytes[i] = (byte) (a * 57 + i);
      shorts[i] = (short) (a * 7919 - i);
      characters[i] = (char) (b - i - 1);
      odd[i] = (a + i) % 2 == 1;
      floats[i] = a / 3f;
    }
    byte[] copy = bytes.clone();
    copy[a % 10] = 100;
    short[] filled = Arrays.copyOf(shorts, 10);
    Arrays.fill(filled, (short) b);
    filled[b % 10]++;
    int sum = 0;
    for (int i = 0; i < 10; i++) {
      sum += bytes[i] + copy[i] * 3 + shorts[i] + filled[i] + characters[i] % 91;
      sum += odd[i] ? 5 : 0;
      sum += (int) (floats[i] * 3);
    }
    return sum;
  }

  /** Few elements, whose indexes are known until one is not; an array that two variables name. */
  private static int few(int a, int b) {
    int[] some = {a, b, a ^ b};
    int[] same = some;
    some[1] = b > 4 ? a : -a;
    same[(a & 1) + 1] += 10;
    int[] none = new int[0];
    return some[0] + 3 * some[1] + 7 * some[2] + none.length;
  }

  /** Methods of the library of vectors, on arrays that they make of each other. */
  private static int vectors(int a, int b) {
    double[] x = new double[33];
    float[] y = new float[33];
    for (int i = 0; i < x.length; i++) {
      x[i] = (a * 7 + i * b) % 13 - 6;
      y[i] = (a + i) % 5;
    }
    double[] sum = Vectors.axpy(2, x, Vectors.multiply(x, x));
    Updates.addScaledTo(sum, -0.5, x);
    float[] most = Vectors.max(y, Vectors.scale(0.5f, y));
    double length = Norms.l1(x) + Norms.maximum(sum) + Norms.distanceSquared(x, sum);
    return (int) (Reductions.dot(x, sum) + length)
        + Reductions.argMax(sum)
        + (int) Reductions.sum(most);
  }

  /** The solution of equations, by both ways; numbers that are exact. */
  private static int solved(int a, int b) {
    int k = 5;
    double[] matrix = new double[k * k];
    for (int row = 0; row < k; row++) {
      for (int column = 0; column < k; column++) {
        matrix[Matrices.index(k, row, column)] = row == column ? 20 + a % 3 : (row + column) % 4;
      }
    }
    double[] wanted = new double[k];
    for (int i = 0; i < k; i++) {
      wanted[i] = (a + i * b) % 9 - 4;
    }
    double[] right = Matrices.multiply(matrix, wanted);
    double[] one = Lu.solve(matrix, right);
    double[] other = Cholesky.solve(matrix, right);
    double[] inverse = Matrices.multiply(Lu.inverse(matrix), right);
    int sum = 0;
    for (int i = 0; i < k; i++) {
      sum = sum * 11 + (int) Math.rint(one[i]);
      sum += Math.abs(one[i] - other[i]) < 1e-9 && Math.abs(one[i] - inverse[i]) < 1e-9 ? 1 : 5000;
    }
    return Math.abs(sum) % 1000;
  }

  private static Map<String, Function> functions() {
    int length = 20;
    Map<String, Function> all = new LinkedHashMap<>();
    all.put("common digit", LocalArraysTest::commonDigit);
    all.put("insertion sort", LocalArraysTest::insertionSort);
    all.put("matrix power", LocalArraysTest::matrixPower);
    all.put("narrow", LocalArraysTest::narrow);
    all.put("few", LocalArraysTest::few);
    all.put("vectors", LocalArraysTest::vectors);
    all.put("solved", LocalArraysTest::solved);
    all.put(
        "captured length",
        (a, b) -> {
          int[] sums = new int[length];
          for (int i = 1; i < length; i++) {
            sums[i] = sums[i - 1] + a % i;
          }
          return sums[b % length];
        });
    return all;
  }

  /** A function in all places of a program, also where messages are merged. */
  private Map<Long, Integer> run(EngineChoice engine, Function function) {
    return Compare.vertices(
        GpuPregel.on(graph, Integer.class, Integer.class)
            .initialMessage(1)
            .maxIterations(3)
            .vertexProgram((id, value, message) -> Math.abs(function.of(value, message)) % 1000)
            .sendMessage(
                edge -> {
                  edge.sendToDst(function.of(edge.srcAttr(), edge.attr()) & 1023);
                  edge.sendToSrc(function.of(edge.attr(), 3) & 1023);
                })
            .mergeMessage((a, b) -> function.of(a, b) == 123_456_789 ? 0 : Math.max(a, b))
            .options(RunOptions.DEFAULT.withEngine(engine).withFallback(RunOptions.Fallback.NEVER))
            .run());
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED"})
  void arraysGiveWhatGraphxGives(EngineChoice engine) {
    functions()
        .forEach(
            (name, function) ->
                assertThat(run(engine, function))
                    .as(name)
                    .isEqualTo(run(EngineChoice.GRAPHX, function)));
  }

  @Test
  @Tag("gpu")
  void aGpuGivesWhatGraphxGives() {
    arraysGiveWhatGraphxGives(EngineChoice.CUDA);
  }

  @ParameterizedTest
  @EnumSource(
      value = EngineChoice.class,
      names = {"CPU", "EMULATED", "GRAPHX"})
  void anIndexOutsideEndsTheRun(EngineChoice engine) {
    for (int shift : new int[] {-1, 9}) {
      assertThatThrownBy(
              () ->
                  run(
                      engine,
                      (a, b) -> {
                        int[] nine = new int[9];
                        nine[b % 9 + shift] = a;
                        return nine[a % 9];
                      }))
          .as("shift %s", shift)
          .hasStackTraceContaining("java.lang.ArrayIndexOutOfBoundsException")
          .hasStackTraceContaining("out of bounds for length 9");
    }
  }

  @Test
  void whatCannotBeLiftedSaysWhy() {
    assertThatThrownBy(() -> run(EngineChoice.CPU, (a, b) -> new int[a].length))
        .hasMessageContaining("makes an array whose length only the run knows");
    assertThatThrownBy(() -> run(EngineChoice.CPU, (a, b) -> new int[1025].length + a))
        .hasMessageContaining("makes an array of 1025 numbers; 1024 are the most");
    assertThatThrownBy(
            () ->
                run(
                    EngineChoice.CPU,
                    (a, b) -> {
                      int[] all = new int[20];
                      Arrays.sort(all);
                      return all[0];
                    }))
        .hasMessageContaining("java.util.Arrays.sort");
  }
}
