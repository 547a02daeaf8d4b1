package org.sparkgpugraph.engine.cpu.components;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Few edges are listed, many are counted: what comes of it is the same. */
@Tag("any-spark")
class OutsideEdgesTest {
  private static final int VERTICES = 64_000;

  /** Up to a sixteenth of the vertices are listed; with 4001 the last ones come too late for it. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 256, 257, 3999, 4000, 4001, 50_000})
  void edgesAreCountedByTheirSources(int edges) {
    Random random = new Random(edges);
    int[] sources =
        IntStream.range(0, edges)
            .map(e -> (int) (VERTICES * Math.pow(random.nextDouble(), 3)))
            .toArray();
    int[] wanted = new int[VERTICES];
    IntStream.of(sources).forEach(v -> wanted[v]++);
    OutsideEdges outside = new OutsideEdges(VERTICES);
    int parts = 7;
    IntStream.range(0, parts)
        .parallel()
        .forEach(
            p -> {
              OutsideEdges.Part part = outside.part();
              for (int e = p; e < edges; e += parts) {
                part.add(sources[e]);
              }
              part.end();
              // Nothing is added twice.
              part.end();
            });
    outside.seal();
    OutsideEdges.Ascending all = outside.from(0);
    assertThat(IntStream.range(0, VERTICES).map(all::leaving).toArray())
        .as(edges + " edges")
        .isEqualTo(wanted);
    // Ranges begin anywhere, and not every vertex is asked for.
    for (int from = 1; from < VERTICES; from += from) {
      OutsideEdges.Ascending some = outside.from(from);
      for (int v = from; v < Math.min(VERTICES, from + 100); v += 1 + from % 3) {
        assertThat(some.leaving(v)).as(edges + " edges, " + v).isEqualTo(wanted[v]);
      }
    }
  }
}
