package org.sparkgpugraph.engine.device.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.device.settings.TileSettings.Form;

/** How owners of tiles get their room. */
@Tag("any-spark")
class TileSettingsTest {
  private static final TileSettings DEFAULT = TileSettings.DEFAULT;

  /** What a block of an H100 may have. */
  private static final int H100 = 227 << 10;

  private static Optional<TileSettings> fitting(TileSettings settings, int words, int room) {
    return settings.fitting(words, false, room + TileLayout.DECLARED_BYTES);
  }

  private static int needed(TileSettings settings, int words) {
    return TileLayout.sharedBytes(settings, words, false);
  }

  @Test
  void theDefaultFitsWhereItWasMeasured() {
    // 4096 x 4096 vertices of 131 owners.
    int words = 4032;
    assertThat(DEFAULT.fitting(words, false, H100)).contains(DEFAULT);
    assertThat(DEFAULT.fitting(words, true, H100)).contains(DEFAULT);
    int beside = 2 * (8 * DEFAULT.far() + 4 * DEFAULT.posts()) + 4 * TileLayout.MAILS + 4 * words;
    int entries = 2 * DEFAULT.near() + TileLayout.MAILS;
    assertThat(TileLayout.sharedBytes(DEFAULT, words, false)).isEqualTo(16 * entries + beside);
    assertThat(TileLayout.sharedBytes(DEFAULT, words, true)).isEqualTo(24 * entries + beside);
  }

  /** Near, far and posts are halved together until they fit. */
  @Test
  void roomIsHalvedUntilItFits() {
    int words = 32;
    TileSettings settings = DEFAULT.withRoom(1536, 2560, 1024);
    TileSettings half = settings.withRoom(768, 1280, 512);
    assertThat(fitting(settings, words, needed(settings, words))).contains(settings);
    assertThat(fitting(settings, words, needed(settings, words) - 1)).contains(half);
    assertThat(fitting(settings, words, needed(half, words))).contains(half);
    assertThat(fitting(settings, words, needed(half, words) - 1))
        .contains(settings.withRoom(384, 640, 256));
    // Posts are never none.
    TileSettings least = DEFAULT.withRoom(32, 32, 1);
    assertThat(fitting(DEFAULT.withRoom(64, 64, 1), 1, needed(least, 1))).contains(least);
  }

  @Test
  void whatIsTooLargeDoesNotFit() {
    TileSettings least = DEFAULT.withRoom(32, 32, 1);
    int needed = needed(least, 10);
    assertThat(fitting(least, 10, needed)).contains(least);
    assertThat(fitting(least, 10, needed - 1)).isEmpty();
    assertThat(fitting(least, 11, needed)).as("its bitmap alone grows").isEmpty();
    // The summary has no bits for more, whatever room there is.
    assertThat(fitting(least, TileLayout.MOST_WORDS, 1 << 20)).contains(least);
    assertThat(fitting(least, TileLayout.MOST_WORDS + 1, 1 << 20)).isEmpty();
    assertThat(DEFAULT.fitting(0, false, 0)).isEmpty();
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
