package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.WorkerTeam;

/** The least and the largest of columns that several threads look at, and of none. */
class EdgeBoundsTest {
  private static final int SIZE = 3 * 65_536 + 7;

  private static Object of(Object column) {
    try (WorkerTeam team = new WorkerTeam("bounds", 3)) {
      EdgeBounds bounds = new EdgeBounds();
      Object found = bounds.of(column, team, true);
      assertThat(bounds.of(column, team, false)).as("what is known").isSameAs(found);
      return found;
    }
  }

  @Test
  void theyMayBeInAnyPiece() {
    for (int place : new int[] {0, 65_535, 65_536, SIZE - 1}) {
      int[] ints = new int[SIZE];
      ints[place] = Integer.MIN_VALUE;
      ints[SIZE / 2] = 5;
      assertThat(of(ints)).isEqualTo(new int[] {Integer.MIN_VALUE, 5});
      long[] longs = new long[SIZE];
      longs[place] = Long.MAX_VALUE;
      assertThat(of(longs)).isEqualTo(new long[] {0, Long.MAX_VALUE});
      float[] floats = new float[SIZE];
      Arrays.fill(floats, Float.NaN);
      floats[place] = -2;
      floats[SIZE / 2] = 3;
      assertThat(of(floats)).isEqualTo(new float[] {-2, 3});
      double[] doubles = new double[SIZE];
      doubles[place] = 1e300;
      assertThat(of(doubles)).isEqualTo(new double[] {0, 1e300});
    }
  }

  @Test
  void thereMayBeNone() {
    assertThat(of(new int[0])).isNull();
    assertThat(of(new long[0])).isNull();
    assertThat(of(new float[0])).isNull();
    assertThat(of(new double[] {Double.NaN, Double.NaN})).isNull();
    assertThat(of(new double[] {0, Double.NEGATIVE_INFINITY})).isNull();
    assertThat(of(new float[] {0, Float.POSITIVE_INFINITY, 1})).isNull();
  }
}
