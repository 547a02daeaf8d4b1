package org.sparkgpugraph.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What counts as growth. */
class SoakSamplesTest {
  private static ProcessSample sample(String executor, long megabytes, int threads, int held) {
    return new ProcessSample(executor, 1, megabytes << 20, 0, threads, 100, 5000, 10, held, 0);
  }

  @Test
  void whatVariesHasNotGrown() {
    SoakSamples samples = new SoakSamples();
    for (int i = 0; i < 8; i++) {
      // The first are of a process that warms up; a run may be under way in single ones.
      samples.add(List.of(sample("0", i == 0 ? 20 : 60 + i % 3, i < 2 ? 40 : 80, i == 7 ? 3 : 0)));
    }
    assertThat(samples.grown()).isEmpty();
    assertThat(samples.toString()).contains("heap MB").containsPattern("0 +8 +6\\d -> 6\\d");
  }

  @Test
  void whatGoesOnGrowingIsNamed() {
    SoakSamples samples = new SoakSamples();
    for (int i = 0; i < 8; i++) {
      samples.add(List.of(sample("0", 60, 80 + 3 * i, 0), sample("1", 60 + 5 * i, 80, i / 6)));
    }
    assertThat(samples.grown())
        .containsExactly(
            "threads of 0 grew from 86 to 98",
            "heap MB of 1 grew from 70 to 90",
            "held of 1 grew from 0 to 1");
  }

  @Test
  void aProcessThatWasKilledSoonIsNotJudged() {
    SoakSamples samples = new SoakSamples();
    for (int i = 0; i < 4; i++) {
      samples.add(List.of(sample("0", 60 << i, 80 << i, i)));
    }
    assertThat(samples.grown()).isEmpty();
  }
}
