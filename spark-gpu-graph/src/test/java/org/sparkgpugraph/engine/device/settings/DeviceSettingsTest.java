package org.sparkgpugraph.engine.device.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DeviceSettingsTest {
  /** Longer ones where a partition has so many edges that all warps have several. */
  @Test
  void chunksAreAsLongAsEdgesSay() {
    DeviceSettings settings = DeviceSettings.DEFAULT;
    assertThat(settings.chunkEdges(0, 0)).isEqualTo(2048);
    assertThat(settings.chunkEdges(0, (1 << 25) - 1)).isEqualTo(2048);
    assertThat(settings.chunkEdges(0, 1 << 25)).isEqualTo(4096);
    assertThat(settings.chunkEdges(0, 1 << 26)).isEqualTo(8192);
    assertThat(settings.chunkEdges(0, 1 << 27)).isEqualTo(16_384);
    assertThat(settings.chunkEdges(0, 4L << 30)).isEqualTo(16_384);
    assertThat(settings.chunkEdges(0)).isEqualTo(2048);
  }

  @Test
  void chunksThatAreSetStayAsTheyAre() {
    DeviceSettings settings = DeviceSettings.DEFAULT.withHubs(100, 300);
    assertThat(settings.chunkEdges(0, 1 << 27)).isEqualTo(300);
    assertThatThrownBy(() -> DeviceSettings.DEFAULT.withHubs(100, -1))
        .hasMessage("the edges of a chunk must not be negative, but got -1");
  }

  /** A warp has few rounds then, whatever the graph. */
  @Test
  void chunksOfSharedEdgesAreBoundByRounds() {
    assertThat(DeviceSettings.DEFAULT.chunkEdges(32, 1 << 27)).isEqualTo(4096);
    assertThat(DeviceSettings.DEFAULT.chunkEdges(4, 1 << 27)).isEqualTo(512);
  }
}
