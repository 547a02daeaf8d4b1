package org.sparkgpugraph.engine.intersect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows of any length and any ranks are sorted, and nothing beside them is touched. */
@Tag("any-spark")
class EntrySortTest {
  private static final int[] LENGTHS = {
    0, 1, 2, 31, EntrySort.LONG - 1, EntrySort.LONG, EntrySort.LONG + 1, 255, 256, 257, 1000, 5000
  };

  /** Of one digit up to four, as the whole and as a bit more. */
  private static final int[] MOST = {
    0, 1, 255, 256, 65_535, 65_536, (1 << 24) - 1, 1 << 24, Integer.MAX_VALUE
  };

  @Test
  void rowsAreSorted() {
    EntrySort sort = new EntrySort();
    for (long seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      for (int length : LENGTHS) {
        for (int most : MOST) {
          int before = random.nextInt(3);
          int[] entries = random.ints(before + length + 2, 0, Integer.MAX_VALUE).toArray();
          for (int i = before; i < before + length; i++) {
            entries[i] = i % 7 == 0 ? most : (int) (entries[i] % (most + 1L));
          }
          int[] expected = entries.clone();
          Arrays.sort(expected, before, before + length);
          sort.sort(entries, before, before + length, most);
          assertThat(entries)
              .as("seed %d, %d entries of at most %d", seed, length, most)
              .isEqualTo(expected);
        }
      }
    }
  }
}
