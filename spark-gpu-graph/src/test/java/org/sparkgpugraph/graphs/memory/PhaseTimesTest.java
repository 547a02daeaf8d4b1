package org.sparkgpugraph.graphs.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-spark")
class PhaseTimesTest {
  @Test
  void phasesAddUpBetweenStartAndStop() {
    PhaseTimes.ended("before", System.nanoTime());
    PhaseTimes.start();
    long start = System.nanoTime() - 1_000_000;
    long next = PhaseTimes.ended("first", start);
    assertThat(next).isGreaterThan(start);
    PhaseTimes.ended("second", next);
    PhaseTimes.ended("first", start);
    List<PhaseTimes.Phase> phases = PhaseTimes.stop();
    assertThat(phases).extracting(PhaseTimes.Phase::name).containsExactly("first", "second");
    assertThat(phases).extracting(PhaseTimes.Phase::times).containsExactly(2, 1);
    assertThat(phases.get(0).nanos()).isGreaterThanOrEqualTo(2_000_000);
    PhaseTimes.ended("after", start);
    assertThat(PhaseTimes.stop()).isEmpty();
  }
}
