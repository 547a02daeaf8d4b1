package org.sparkgpugraph.engine.device.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How much is near, beside what a kernel declares, and what is refused. */
@Tag("any-spark")
class HotVerticesSettingsTest {
  private static final int H200 = 227 << 10;

  private static HotColumns columns(int bytes, int edgeBytes) {
    return new HotColumns(true, List.of(0), bytes, edgeBytes);
  }

  /** What was best on an H200, and as far from the whole on a GPU with less. */
  @Test
  void whatIsNearLeavesTheCacheAPart() {
    HotVertices hot = HotVertices.DEFAULT;
    HotColumns floats = columns(4, 4);
    HotColumns doubles = columns(8, 8);
    assertThat(hot.declaredBytes(floats, 4)).isEqualTo(18 << 10);
    assertThat(4 * hot.near(floats, 1 << 22, 4, H200)).isEqualTo(178_176);
    assertThat(hot.declaredBytes(doubles, 4)).isEqualTo(34 << 10);
    assertThat(8 * hot.near(doubles, 1 << 22, 4, H200)).isEqualTo(131_072);
    // A weight beside a float leaves less for values, not less for the cache.
    assertThat(4 * hot.near(columns(4, 8), 1 << 22, 4, H200)).isEqualTo(178_176 - (16 << 10));
    assertThat(4 * hot.near(floats, 1 << 22, 4, 163 << 10)).isEqualTo(110 << 10);
    assertThat(hot.near(doubles, 1 << 22, 4, 64 << 10)).isZero();
  }

  /** Kernels declare no more than 48 KiB: where edges are long, blocks are smaller. */
  @Test
  void blocksHaveRoomForTheirEdges() {
    HotVertices hot = HotVertices.DEFAULT;
    assertThat(hot.fitting(columns(8, 8), 4)).isEqualTo(hot);
    assertThat(hot.fitting(columns(16, 16), 4).threads()).isEqualTo(512);
    // 40 bytes are two edges of a lane, 200 one.
    assertThat(hot.declaredBytes(columns(40, 40), 4)).isEqualTo(1024 * 80 + 32 * 64);
    assertThat(hot.fitting(columns(40, 40), 4).threads()).isEqualTo(512);
    assertThat(hot.fitting(columns(200, 200), 4).threads()).isEqualTo(128);
    assertThat(hot.refusal(columns(8, 8), 4)).isEmpty();
    assertThat(hot.refusal(columns(16, 16), 4))
        .hasValueSatisfying(w -> assertThat(w).contains("16"));
    assertThat(hot.with(HotVertices.Choice.ON).refusal(columns(16, 16), 4)).isEmpty();
  }

  /** No more than there are, than is asked for, than a block has, and a multiple of four. */
  @Test
  void whatIsNearIsBounded() {
    HotVertices hot = HotVertices.DEFAULT.withThreads(64);
    HotColumns floats = columns(4, 4);
    assertThat(hot.near(floats, 31, 4, H200)).isEqualTo(16);
    assertThat(hot.near(floats, 15, 4, H200)).isZero();
    assertThat(hot.withNear(0).near(floats, 1000, 4, H200)).isZero();
    assertThat(hot.withNear(400).near(floats, 1000, 4, H200)).isEqualTo(96);
    assertThat(hot.near(floats, 1000, 4, 34 << 10)).isZero();
    // 64 lanes of 16 bytes, counts of two warps, and a KiB of the driver's.
    assertThat(hot.withNear(1 << 20).near(floats, 1 << 20, 4, 4 << 10))
        .isEqualTo((4096 - 1024 - 1024 - 128) / 4);
  }

  @Test
  void whatNoKernelCanBeIsRefused() {
    for (UnaryOperator<HotVertices> wrong :
        List.<UnaryOperator<HotVertices>>of(
            hot -> hot.withNear(-1), hot -> hot.withThreads(33), hot -> hot.withThreads(2048))) {
      assertThatThrownBy(() -> wrong.apply(HotVertices.DEFAULT))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("hot vertices");
    }
  }
}
