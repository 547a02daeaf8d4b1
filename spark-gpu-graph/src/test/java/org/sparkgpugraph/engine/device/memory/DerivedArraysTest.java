package org.sparkgpugraph.engine.device.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.Csr;
import org.sparkgpugraph.program.ir.ArrayType;
import org.sparkgpugraph.program.ir.Kind;

/** Edge values in the order of a transpose, by one thread and by several. */
@Tag("any-spark")
class DerivedArraysTest {
  private static final int ROWS = 5000;
  private static final int ENDS = 900;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void valuesAreInTheOrderOfTheTranspose(int threads) {
    Random random = new Random(threads);
    // A row and an end that most edges have, empty ones, parallel edges; more edges than a
    // thread's.
    int[] degrees = new int[ROWS];
    for (int e = 0; e < 300_000; e++) {
      degrees[random.nextInt(4) == 0 ? 17 : 3 * random.nextInt(ROWS / 3)]++;
    }
    int[] offsets = new int[ROWS + 1];
    for (int r = 0; r < ROWS; r++) {
      offsets[r + 1] = offsets[r] + degrees[r];
    }
    int[] ends = new int[offsets[ROWS]];
    int[] counts = new int[ENDS + 1];
    Columns values =
        Columns.allocate(List.of(Kind.LONG, new ArrayType(Kind.FLOAT, 3)), ends.length);
    for (int e = 0; e < ends.length; e++) {
      ends[e] = random.nextInt(3) == 0 ? 400 : 2 * random.nextInt(ENDS / 2);
      counts[ends[e] + 1]++;
      values.longs(0)[e] = e;
      values.floats(1)[3 * e + 1] = e;
    }
    for (int end = 0; end < ENDS; end++) {
      counts[end + 1] += counts[end];
    }
    int[] place = counts.clone();
    int[] rows = new int[ends.length];
    long[] expected = new long[ends.length];
    for (int r = 0; r < ROWS; r++) {
      for (int e = offsets[r]; e < offsets[r + 1]; e++) {
        rows[place[ends[e]]] = r;
        expected[place[ends[e]]++] = e;
      }
    }
    Csr edges = new Csr(offsets, ends);
    Csr transpose = new Csr(counts, rows);
    DerivedArrays derived = new DerivedArrays();
    Columns ordered = derived.transposed(edges, values, transpose, threads);
    assertThat(ordered.longs(0)).as("seed %d", threads).isEqualTo(expected);
    for (int e = 0; e < expected.length; e++) {
      assertThat(ordered.floats(1)[3 * e + 1]).isEqualTo(expected[e]);
    }
    assertThat(derived.transposed(edges, values, transpose, threads)).isSameAs(ordered);
  }
}
