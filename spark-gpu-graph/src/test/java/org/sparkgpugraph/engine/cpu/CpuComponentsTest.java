package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.ComponentCases;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.SimpleGraph;

/** Union-find on the CPU against a sequential one. */
@Tag("any-spark")
class CpuComponentsTest {
  private final CpuEngine engine = new CpuEngine();

  @Test
  void rootsAreTheSmallestOfTheirComponents() {
    for (int n : new int[] {2, 70, 1500}) {
      for (ComponentCases.Case one : ComponentCases.all(n, n)) {
        for (int threads : new int[] {1, 4}) {
          assertThat(engine.components(one.graph(), threads).roots())
              .as("%s of %d, %d threads", one.name(), n, threads)
              .isEqualTo(one.roots());
        }
        assertThat(engine.components(one.graph().withTransposes(), 2).roots())
            .as("%s of %d, edges by sources at hand", one.name(), n)
            .isEqualTo(one.roots());
      }
    }
  }

  /** Many blocks of rows and ranges of vertices, so that threads meet. */
  @Test
  void threadsThatRaceGiveTheSame() {
    for (ComponentCases.Case one : ComponentCases.of(8, 70_000, 1)) {
      assertThat(engine.components(one.graph(), 8).roots()).as(one.name()).isEqualTo(one.roots());
    }
  }

  @Test
  void anInterruptEndsIt() {
    SimpleGraph graph = RandomSimpleGraphs.of(new Random(1), 50_000, 8, false, false, 1);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> engine.components(graph, 2)).isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }
}
