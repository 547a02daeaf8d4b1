package org.sparkgpugraph.engine.cpu.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rows that have no room are refused by name, those that just fit are counted. */
@Tag("any-spark")
class ModeCounterTest {
  /** Of 64 places 32 may be used. */
  private static final int BITS = 6;

  @Test
  void moreMessagesThanAnArrayHasRoomFor() {
    ModeCounter counter = new ModeCounter(100, BITS);
    for (int i = 0; i < 100; i++) {
      counter.add(i % 7);
    }
    assertThat(counter.mode()).isEqualTo(0);
    assertThatThrownBy(() -> counter.add(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("more than 100 messages")
        .hasMessageContaining("parallel edges");
  }

  @Test
  void moreDifferentMessagesThanATableHasRoomFor() {
    ModeCounter counter = new ModeCounter(100, BITS);
    for (int i = 0; i < 32; i++) {
      counter.add(1000L * i);
    }
    for (int i = 0; i < 32; i++) {
      counter.add(1000L * Math.max(5, i));
    }
    assertThat(counter.mode()).isEqualTo(5000);
    counter.add(-1);
    assertThatThrownBy(counter::mode)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("more than 32 different messages");
  }
}
