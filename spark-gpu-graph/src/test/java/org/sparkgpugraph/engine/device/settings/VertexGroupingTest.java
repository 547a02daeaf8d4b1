package org.sparkgpugraph.engine.device.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.Csr;

@Tag("any-spark")
public class VertexGroupingTest {
  /** Figures 3.2 and 3.4 of Khorasani 2016: the out-neighbours of eight vertices. */
  public static final Csr FIGURE =
      new Csr(new int[] {0, 2, 3, 4, 5, 8, 10, 10, 10}, new int[] {1, 2, 3, 4, 5, 3, 6, 7, 4, 6});

  @Test
  void groupsTheGraphOfTheFigure() {
    Csr pairs = VertexGrouping.group(FIGURE, 8, VertexGrouping.shift(2));
    assertThat(pairs.offsets()).containsExactly(0, 2, 3, 6, 6);
    assertThat(pairs.neighbours()).containsExactly(0, 1, 2, 1, 2, 3);
    Csr fours = VertexGrouping.group(FIGURE, 8, VertexGrouping.shift(4));
    assertThat(fours.offsets()).containsExactly(0, 2, 4);
    assertThat(fours.neighbours()).containsExactly(0, 1, 0, 1);
    assertThat(VertexGrouping.group(FIGURE, 8, VertexGrouping.shift(1))).isSameAs(FIGURE);
  }

  @Test
  void countsGroups() {
    assertThat(VertexGrouping.groups(0, 6)).isZero();
    assertThat(VertexGrouping.groups(64, 6)).isEqualTo(1);
    assertThat(VertexGrouping.groups(65, 6)).isEqualTo(2);
    assertThat(VertexGrouping.groups(Integer.MAX_VALUE, 1)).isEqualTo(1 << 30);
  }

  /** Group A has neighbour B, once and in order, iff a member of A has a neighbour in B. */
  @Property(tries = 200)
  void groupsEqualBruteForce(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 200) int targets,
      @ForAll @IntRange(max = 100) int ghosts,
      @ForAll @IntRange(max = 4) int ratio) {
    Random random = new Random(seed);
    int rows = targets + ghosts;
    int[] offsets = new int[rows + 1];
    for (int r = 0; r < rows; r++) {
      offsets[r + 1] = offsets[r] + (random.nextInt(4) == 0 ? random.nextInt(30) : 0);
    }
    int[] neighbours = random.ints(offsets[rows], 0, targets).toArray();
    int shift = VertexGrouping.shift(VertexGrouping.RATIOS.get(ratio));
    Csr grouped = VertexGrouping.group(new Csr(offsets, neighbours), targets, shift);
    if (shift == 0) {
      assertThat(grouped.neighbours()).isEqualTo(neighbours);
      return;
    }
    assertThat(grouped.rows()).isEqualTo((rows + (1 << shift) - 1) >> shift);
    for (int g = 0; g < grouped.rows(); g++) {
      TreeSet<Integer> expected = new TreeSet<>();
      for (int r = g << shift; r < Math.min(rows, (g + 1) << shift); r++) {
        for (int e = offsets[r]; e < offsets[r + 1]; e++) {
          expected.add(neighbours[e] >> shift);
        }
      }
      int[] row =
          java.util.Arrays.copyOfRange(
              grouped.neighbours(), grouped.offsets()[g], grouped.offsets()[g + 1]);
      assertThat(row)
          .as("group %s", g)
          .containsExactly(expected.stream().mapToInt(i -> i).toArray());
    }
  }
}
