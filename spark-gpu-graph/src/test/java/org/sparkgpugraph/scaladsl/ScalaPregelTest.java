package org.sparkgpugraph.scaladsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Random;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.lib.Sssp;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import scala.Tuple2;

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
    // An engine is chosen for what is lifted; it says nothing about what is not.
    context.setLocalProperty(GpuGraphConf.ENGINE.key(), "cpu");
    try {
      assertThat(Compare.vertices(ScalaUser.labels((Graph) input))).containsEntry(2L, "bxx");
    } finally {
      context.setLocalProperty(GpuGraphConf.ENGINE.key(), null);
    }
    assertThatThrownBy(() -> neverFallingBack(context, () -> ScalaUser.labels((Graph) input)))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("the vertex value is a String; use Int, ");
  }

  @Test
  void aValueThatIsNotLikeTheOthersLetsTheProgramFallBack(JavaSparkContext context) {
    for (Object odd : Arrays.asList("text", 7, null)) {
      assertThat(sums(context, odd))
          .as("with %s", odd)
          .containsExactlyInAnyOrderEntriesOf(
              Map.of(
                  0L, new Tuple2<>(0, 1.5),
                  1L, new Tuple2<>(1, 2.5),
                  2L, new Tuple2<>(6, odd),
                  3L, new Tuple2<>(21, 3.5)));
      assertThatThrownBy(() -> neverFallingBack(context, () -> sums(context, odd)))
          .isInstanceOf(NotLiftableException.class)
          .hasMessageContaining("vertex 2");
    }
    assertThat(neverFallingBack(context, () -> sums(context, 0.5)))
        .containsEntry(2L, new Tuple2<>(6, 0.5));
  }

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"})
  void aNullInitialMessageFallsBack(JavaSparkContext context) {
    Graph<?, ?> graph = ScalaUser.pairs(context.sc(), 1, 2, 3, 4);
    Map<Long, Object> found =
        Compare.vertices((Graph) ScalaUser.withoutInitialMessage((Graph) graph));
    assertThat(found).containsExactlyInAnyOrderEntriesOf(Map.of(0L, 0, 1L, 3, 2L, 6, 3L, 9));
    assertThatThrownBy(
            () -> neverFallingBack(context, () -> ScalaUser.withoutInitialMessage((Graph) graph)))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("initial message is null");
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Map<Long, Object> sums(JavaSparkContext context, Object odd) {
    return Compare.vertices(
        (Graph) ScalaUser.sums(ScalaUser.pairs(context.sc(), 1.5, 2.5, odd, 3.5)));
  }
}
