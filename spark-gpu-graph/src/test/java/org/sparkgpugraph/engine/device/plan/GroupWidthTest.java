package org.sparkgpugraph.engine.device.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many lanes take a row, by degrees. */
class GroupWidthTest {
  private static int[] offsets(int rows, IntUnaryOperator degree) {
    int[] offsets = new int[rows + 1];
    for (int v = 0; v < rows; v++) {
      offsets[v + 1] = offsets[v] + degree.applyAsInt(v);
    }
    return offsets;
  }

  private static GroupWidth of(int[]... sides) {
    return new GroupWidth(List.of(sides), 1024, 64);
  }

  /** Rows that are alike: the widest group that they fill as well as any. */
  @ParameterizedTest
  @CsvSource({
    "1, 4", "3, 4", "4, 4", "6, 8", "8, 8", "15, 16", "16, 16", "24, 8", "31, 32", "32, 32"
  })
  void rowsThatAreAlikeFillTheirGroups(int degree, int width) {
    assertThat(of(offsets(3200, v -> degree)).best()).isEqualTo(width);
  }

  /** Long rows are taken by warps whatever the width, and hubs elsewhere: the others decide. */
  @Test
  void longRowsAndHubsDoNotDecide() {
    assertThat(of(offsets(3200, v -> v % 32 == 0 ? 640 : 4)).best()).isEqualTo(4);
    assertThat(of(offsets(3200, v -> v % 32 == 0 ? 100_000 : 8)).best()).isEqualTo(8);
    assertThat(of(offsets(3200, v -> 640)).best()).isEqualTo(32);
  }

  /** Groups of a warp take their rows in step: where the longest one decides, as in the kernel. */
  @Test
  void theLongestRowOfAStepDecides() {
    // Rows 0, 8, 16 and 24 are in the first step of groups of eight lanes.
    GroupWidth widths = of(offsets(32, v -> v == 8 ? 20 : 1));
    assertThat(widths.lanes(8)).isEqualTo(32 * (3 + 7));
    assertThat(widths.lanes(32)).isEqualTo(32 * 32);
    assertThat(widths.lanes(4)).isEqualTo(32 * (5 + 3));
  }

  @Test
  void bothSidesCountAndAHubOfOneIsNoRowOfTheOther() {
    int[] in = offsets(33, v -> v == 5 ? 2000 : 2);
    int[] out = offsets(33, v -> 4);
    // A word of 32 rows takes four steps on either side; the last row has one.
    assertThat(of(in, out).lanes(4)).isEqualTo(32 * (4 + 4 + 1 + 1));
    assertThat(of(new int[1]).best()).isEqualTo(32);
    assertThat(of(in).toString()).startsWith("lane efficiency by width 4: 0.");
  }

  /** A partition of millions of rows is not read as a whole: every so-many-th word is. */
  @Test
  void ofManyRowsSomeAreLookedAt() {
    int rows = 32 * GroupWidth.SAMPLE * 4;
    int[] offsets = new int[rows + 1];
    Arrays.setAll(offsets, v -> 3 * v);
    assertThat(of(offsets).best()).isEqualTo(4);
  }
}
