package org.sparkgpugraph.scaladsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.program.lift.NotLiftableException;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** The Scala entry point: lifted where it can be, stock GraphX otherwise. */
@ExtendWith(SharedSpark.class)
class ScalaPregelTest {
  private static <T> T neverFallingBack(
      JavaSparkContext context, java.util.function.Supplier<T> run) {
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), "never");
    try {
      return run.get();
    } finally {
      context.setLocalProperty(GpuGraphConf.FALLBACK.key(), null);
    }
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void aScalaProgramIsLiftedAndRight(JavaSparkContext context) {
    TestGraph<Double, Double> graph =
        RandomGraphs.of(RandomGraphs.Shape.SKEWED, 21)
            .withAttributes(new Random(1), r -> Double.POSITIVE_INFINITY, r -> 1.0 + r.nextInt(9));
    long source = graph.ids()[0];
    graph.attributes().set(0, 0.0);
    Graph<Double, Double> input = graph.toGraphx(context, 3, Double.class, Double.class);
    Graph<?, ?> found = neverFallingBack(context, () -> ScalaUser.shortestPaths((Graph) input));
    assertThat((Object) Compare.vertices(found))
        .isEqualTo(Compare.vertices(Sssp.run(input, source)));
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void whatCannotBeLiftedRunsOnGraphx(JavaSparkContext context) {
    TestGraph<String, Double> graph =
        new TestGraph<>(
            "two",
            new long[] {1, 2},
            java.util.List.of("a", "b"),
            new long[] {1},
            new long[] {2},
            Collections.nCopies(1, 1.0));
    Graph<String, Double> input = graph.toGraphx(context, 1, String.class, Double.class);
    assertThat(Compare.vertices(ScalaUser.labels((Graph) input)))
        .containsEntry(1L, "a")
        .containsEntry(2L, "bxx");
    assertThatThrownBy(() -> neverFallingBack(context, () -> ScalaUser.labels((Graph) input)))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("java.lang.String");
  }
}
