package org.sparkgpugraph.graphs.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Iterator;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;

@Tag("any-spark")
class VertexSketchTest {
  private static Iterator<EdgeBlock> ring(long first, int vertices, long step) {
    long[] sources = LongStream.range(0, vertices).map(v -> (first + v) * step).toArray();
    long[] destinations =
        LongStream.range(0, vertices).map(v -> (first + (v + 1) % vertices) * step).toArray();
    return List.<EdgeBlock>of(new GlobalEdgeBlock(vertices, sources, destinations, null))
        .iterator();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1000, 20_000, 60_000, 1_000_000})
  void differentEndsAreCounted(int vertices) {
    for (long step : new long[] {1, -7, 1L << 40}) {
      VertexSketch sketch = VertexSketch.of(ring(5, vertices, step));
      assertThat(sketch.edges()).isEqualTo(vertices);
      assertThat((double) sketch.vertices()).isCloseTo(vertices, within(0.5 + 0.03 * vertices));
    }
  }

  @Test
  void partsAreMerged() {
    VertexSketch sketch = VertexSketch.empty();
    for (int part = 0; part < 8; part++) {
      // Each half of the one before, too.
      sketch.merge(VertexSketch.of(ring(part * 5000L, 10_000, 1)));
    }
    assertThat(sketch.edges()).isEqualTo(80_000);
    assertThat((double) sketch.vertices()).isCloseTo(45_000, within(1350.0));
    assertThat(VertexSketch.empty().vertices()).isZero();
  }
}
