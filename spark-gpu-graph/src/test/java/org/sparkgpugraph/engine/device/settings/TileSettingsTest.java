package org.sparkgpugraph.engine.device.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.settings.TileSettings.Form;

/** How owners of tiles get their room. */
@Tag("any-spark")
class TileSettingsTest {
  private static final TileSettings DEFAULT = TileSettings.DEFAULT;

  /** What a block of an H100 may have. */
  private static final int H100 = 227 << 10;

  @Test
  void theDefaultFitsWhereItWasMeasured() {
    // 4096 x 4096 vertices of 131 owners.
    assertThat(DEFAULT.fitting(4000, H100)).contains(DEFAULT);
    assertThat(TileLayout.sharedBytes(DEFAULT, 4000))
        .isEqualTo(2 * (24 * 1536 + 8 * 2560 + 4 * 1024) + 4 * 4000);
  }

  /** Near, far and posts are halved together until they fit. */
  @Test
  void roomIsHalvedUntilItFits() {
    int words = 32;
    TileSettings half = DEFAULT.withRoom(768, 1280, 512);
    int needed = TileLayout.sharedBytes(DEFAULT, words);
    assertThat(DEFAULT.fitting(words, needed)).contains(DEFAULT);
    assertThat(DEFAULT.fitting(words, needed - 1)).contains(half);
    int least = TileLayout.sharedBytes(half, words);
    assertThat(DEFAULT.fitting(words, least)).contains(half);
    assertThat(DEFAULT.fitting(words, least - 1)).contains(DEFAULT.withRoom(384, 640, 256));
    // Posts are never none.
    assertThat(DEFAULT.withRoom(64, 64, 1).fitting(1, 2 * (24 + 8) * 32 + 8 + 4))
        .contains(DEFAULT.withRoom(32, 32, 1));
  }

  @Test
  void whatIsTooLargeDoesNotFit() {
    TileSettings least = DEFAULT.withRoom(32, 32, 1);
    int needed = TileLayout.sharedBytes(least, 10);
    assertThat(least.fitting(10, needed)).contains(least);
    assertThat(least.fitting(10, needed - 1)).isEmpty();
    assertThat(least.fitting(11, needed)).as("its bitmap alone grows").isEmpty();
    // The summary has no bits for more, whatever room there is.
    assertThat(least.fitting(TileLayout.MOST_WORDS, 1 << 20)).contains(least);
    assertThat(least.fitting(TileLayout.MOST_WORDS + 1, 1 << 20)).isEmpty();
    assertThat(DEFAULT.fitting(0, 0)).isEmpty();
  }

  @Test
  void ownersAreAsManyAsMultiprocessorsButTheManagers() {
    assertThat(TileSettings.mostOwners(132)).isEqualTo(131);
    assertThat(TileSettings.mostOwners(1)).isZero();
    assertThat(TileSettings.mostOwners(1 << 20)).isEqualTo(TileLayout.MOST_OWNERS);
    assertThat(DEFAULT.owners(131)).isEqualTo(131);
    assertThat(DEFAULT.withBlocks(7, 64).owners(131)).isEqualTo(7);
    assertThat(DEFAULT.withBlocks(1 << 20, 64).owners(131)).isEqualTo(TileLayout.MOST_OWNERS);
  }

  /** A place has 16 bits for the owner, the first of them not used, and 16 for the word. */
  @Test
  void placesHoldAllThatMayBe() {
    int place = TileLayout.MOST_OWNERS << 16 | TileLayout.MOST_WORDS - 1;
    assertThat(place).isPositive();
    assertThat(place >>> 16).isEqualTo(TileLayout.MOST_OWNERS);
    assertThat(place & 0xffff).isEqualTo(TileLayout.MOST_WORDS - 1);
  }

  @Test
  void whatCannotBeIsSaid() {
    Map<String, Runnable> wrong =
        Map.ofEntries(
            Map.entry("width 0.0 must be positive", () -> DEFAULT.withWidth(0)),
            Map.entry("width NaN must be positive", () -> DEFAULT.withWidth(Double.NaN)),
            Map.entry("threads 0 a multiple of 32", () -> DEFAULT.withBlocks(0, 0)),
            Map.entry("threads 48 a multiple of 32", () -> DEFAULT.withBlocks(0, 48)),
            Map.entry("threads 544 a multiple of 32 up to 512", () -> DEFAULT.withBlocks(0, 544)),
            Map.entry("near 31 and far", () -> DEFAULT.withRoom(31, 32, 1)),
            Map.entry("far 31 at least 32", () -> DEFAULT.withRoom(32, 31, 1)),
            Map.entry("posts 0 positive", () -> DEFAULT.withRoom(32, 32, 0)),
            Map.entry("owners -1 not negative", () -> DEFAULT.withBlocks(-1, 32)),
            Map.entry("vertices 0 a multiple of 32", () -> DEFAULT.withTiles(0)),
            Map.entry("vertices 1000 a multiple of 32", () -> DEFAULT.withTiles(1000)),
            Map.entry(
                "inside -0.1 not negative",
                () -> new TileSettings(Form.AUTO, 32, 64, 64, 64, 1, 0, 1024, -0.1)));
    wrong.forEach(
        (message, make) ->
            assertThatThrownBy(make::run)
                .as(message)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message));
  }
}
