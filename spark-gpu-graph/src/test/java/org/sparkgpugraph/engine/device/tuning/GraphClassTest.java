package org.sparkgpugraph.engine.device.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.graphs.model.Csr;

/** Classes of graphs, by their degrees. */
@Tag("any-spark")
class GraphClassTest {
  private static GraphClass.Degrees rows(int... degrees) {
    int[] offsets = new int[degrees.length + 1];
    for (int v = 0; v < degrees.length; v++) {
      offsets[v + 1] = offsets[v] + degrees[v];
    }
    return GraphClass.Degrees.of(new Csr(offsets, new int[offsets[degrees.length]]));
  }

  private static GraphClass of(GraphClass.Degrees... sides) {
    return GraphClass.of(GraphClass.Degrees.of(Stream.of(sides)));
  }

  private static String key(int... degrees) {
    return of(rows(degrees)).key();
  }

  @Test
  void theLongestRowSaysWhoHasWork() {
    assertThat(key(0)).isEqualTo("v0-d0");
    assertThat(key(0, 0, 0)).isEqualTo("v1-d0");
    assertThat(key(31, 31)).isEqualTo("v1-d4");
    assertThat(key(32, 32)).isEqualTo("v1-d5-warp");
    assertThat(key(255, 255)).isEqualTo("v1-d7-warp");
    assertThat(key(256, 256)).isEqualTo("v1-d8-block");
    int[] hub = new int[1000];
    Arrays.fill(hub, 1);
    hub[500] = 100_000;
    assertThat(key(hub)).isEqualTo("v9-d6-block-hubs");
  }

  @Test
  void sidesAndPartitionsCountTogether() {
    GraphClass both = of(rows(1, 1, 1, 1), rows(40, 0, 0, 0));
    assertThat(both.key()).isEqualTo("v3-d2-warp");
    assertThat(of().key()).isEqualTo("v0-d0");
  }

  @Test
  void itIsToldInWords() {
    assertThat(of(rows(2, 2, 2, 2)))
        .hasToString("2^2 rows of about 2^1 edges, the longest below 32 edges, no hubs");
    assertThat(of(rows(300, 300)))
        .hasToString("2^1 rows of about 2^8 edges, the longest of 256 edges and more, no hubs");
  }
}
