package org.sparkgpugraph.graphs.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RankedBitmapTest {
  private static final long SEED = 20261127;

  @Test
  void countsAndFindsBits() {
    Random random = new Random(SEED);
    for (int size : new int[] {0, 1, 63, 64, 65, 1000}) {
      BitSet bits = new BitSet(size);
      for (int i = 0; i < size; i++) {
        bits.set(i, random.nextInt(3) == 0);
      }
      bits.set(size);
      RankedBitmap ranked = new RankedBitmap(bits.toLongArray());
      assertThat(ranked.cardinality()).as("seed %d", SEED).isEqualTo(bits.cardinality());
      int rank = 0;
      for (int i = 0; i <= size; i++) {
        assertThat(ranked.get(i)).isEqualTo(bits.get(i));
        assertThat(ranked.rank(i)).isEqualTo(rank);
        if (bits.get(i)) {
          assertThat(ranked.select(rank++)).isEqualTo(i);
        }
      }
      assertThat(ranked.get(-1)).isFalse();
      assertThat(ranked.get(64L * bits.toLongArray().length)).isFalse();
    }
  }

  @Test
  void moreVerticesThanAnExecutorNumbersAreRefusedWithTheirNumber() {
    long[] words = new long[1 << 25];
    Arrays.fill(words, -1);
    assertThatThrownBy(() -> new RankedBitmap(words))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("2147483648 vertices, but an executor holds at most 2147483647")
        .hasMessageContaining("spark.gpugraph.executors");
    words[0] = -2;
    assertThat(new RankedBitmap(words).cardinality()).isEqualTo(Integer.MAX_VALUE);
  }
}
