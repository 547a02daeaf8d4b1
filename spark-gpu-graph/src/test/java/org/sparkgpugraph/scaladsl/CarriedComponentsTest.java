package org.sparkgpugraph.scaladsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.GpuPregel;
import org.sparkgpugraph.PregelBuilder;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.program.NotLiftableException;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.Compare;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;

/** Components that no function reads stay with their vertices and are in the result. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark-4")
class CarriedComponentsTest {
  /** A vertex attribute in Java. */
  record Named(String name, double rank) implements Serializable {}

  /** A result of another class. */
  record Ranked(double score, String label) implements Serializable {}

  private static <T> T neverFallingBack(JavaSparkContext context, int executors, Supplier<T> run) {
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), "never");
    context.setLocalProperty(GpuGraphConf.EXECUTORS.key(), Integer.toString(executors));
    try {
      return run.get();
    } finally {
      context.setLocalProperty(GpuGraphConf.FALLBACK.key(), null);
      context.setLocalProperty(GpuGraphConf.EXECUTORS.key(), null);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void resultsHaveTheSameObjectsAndAreInputsAgain(int executors, JavaSparkContext context) {
    Graph<Town, Object> towns = CarriedUser.towns(context.sc());
    Graph<Town, Object> once =
        neverFallingBack(context, executors, () -> CarriedUser.ours(towns)).cache();
    Graph<Town, Object> twice =
        neverFallingBack(context, executors, () -> CarriedUser.ours(once)).cache();
    assertThat(Compare.vertices(twice))
        .hasSize(30)
        .isEqualTo(Compare.vertices(CarriedUser.stock(CarriedUser.stock(towns))));
    assertThat(CarriedUser.differentObjects(towns, once)).isZero();
    assertThat(CarriedUser.differentObjects(towns, twice)).isZero();
  }

  @Test
  void whatIsReadIsNamed(JavaSparkContext context) {
    Graph<Town, Object> towns = CarriedUser.towns(context.sc());
    assertThatThrownBy(() -> neverFallingBack(context, 1, () -> CarriedUser.named(towns)))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("sendMsg at CarriedUser.scala:")
        .hasMessageContaining("component 'name' of a org.sparkgpugraph.scaladsl.Town")
        .hasMessageContaining("which is a String");
  }

  @Test
  void nullsThatAProgramMakesOrFindsLetItFallBack(JavaSparkContext context) {
    for (Double third : new Double[] {3.0, null}) {
      Graph<Measured, Object> graph =
          CarriedUser.measured(context.sc(), new Double[] {1.0, 2.0, third, 4.0});
      assertThat(Compare.vertices(CarriedUser.forgetting(graph)))
          .isEqualTo(Compare.vertices(CarriedUser.forgettingOnGraphX(graph)));
      assertThatThrownBy(() -> neverFallingBack(context, 1, () -> CarriedUser.forgetting(graph)))
          .isInstanceOf(NotLiftableException.class)
          .hasMessageContaining("null");
    }
  }

  private static PregelBuilder<Named, Integer, Named, Double, Named> ranks(
      PregelBuilder<Named, Integer, Named, Object, Named> program) {
    return program
        .initialMessage(0.0)
        .maxIterations(2)
        .vertexProgram((id, value, sum) -> new Named(value.name(), value.rank() + sum))
        .sendMessage(edge -> edge.sendToDst(edge.srcAttr().rank() / edge.attr()))
        .mergeMessage(Double::sum);
  }

  @Test
  void recordsInAResidentGraph(JavaSparkContext context) {
    TestGraph<Named, Integer> test =
        new TestGraph<>(
            "three",
            new long[] {5, 7, 9},
            List.of(new Named("five", 1), new Named(null, 2), new Named("nine", 4)),
            new long[] {5, 7},
            new long[] {7, 9},
            List.of(1, 2));
    Graph<Named, Integer> graph = test.toGraphx(context, 2, Named.class, Integer.class);
    RunOptions never = RunOptions.DEFAULT.withFallback(RunOptions.Fallback.NEVER);
    try (ResidentGraph<Named, Integer> resident =
        GpuPregel.load(graph, Named.class, Integer.class)) {
      for (int run = 0; run < 2; run++) {
        assertThat(Compare.vertices(ranks(GpuPregel.on(resident)).options(never).run()))
            .containsExactlyInAnyOrderEntriesOf(
                Map.of(
                    5L, new Named("five", 1), 7L, new Named(null, 4), 9L, new Named("nine", 6.5)));
      }
      Graph<Ranked, Integer> ranked =
          ranks(GpuPregel.on(resident))
              .result((id, before, after) -> new Ranked(after.rank(), before.name()))
              .options(never)
              .run();
      assertThat(Compare.vertices(ranked)).containsEntry(9L, new Ranked(6.5, "nine"));
      assertThatThrownBy(() -> ranks(GpuPregel.on(resident)).runVertices())
          .isInstanceOf(NotLiftableException.class)
          .hasMessageContaining("the result stays with the executors");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void valuesOfAnInnerClassReferToTheObjectThatTheyReferredTo(
      int executors, JavaSparkContext context) {
    Atlas atlas = new Atlas(0.5);
    Graph<Atlas.Spot, Object> spots = atlas.spots(context.sc());
    Graph<Atlas.Spot, Object> ours =
        neverFallingBack(context, executors, () -> atlas.ours(spots)).cache();
    assertThat(atlas.values(ours.vertices()))
        .isEqualTo(atlas.values(atlas.stock(spots).vertices()))
        .contains("(29,(");
    assertThat(atlas.elsewhere(spots, ours)).isZero();
  }

  @Test
  void valuesOfAnInnerClassAreNotMadeOfNothing(JavaSparkContext context) {
    Atlas atlas = new Atlas(0.5);
    Graph<Atlas.Spot, Object> spots = atlas.spots(context.sc());
    assertThat(atlas.values(atlas.farthest(spots)))
        .isEqualTo(atlas.values(atlas.farthestOnGraphX(spots)));
    assertThatThrownBy(() -> neverFallingBack(context, 1, () -> atlas.farthest(spots)))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("sends messages of class org.sparkgpugraph.scaladsl.Atlas.Spot");

    TestGraph<Integer, Integer> test =
        new TestGraph<>(
            "two", new long[] {5, 7}, List.of(1, 2), new long[] {5}, new long[] {7}, List.of(3));
    Graph<Integer, Integer> numbers = test.toGraphx(context, 2, Integer.class, Integer.class);
    assertThatThrownBy(
            () ->
                neverFallingBack(
                    context,
                    1,
                    () ->
                        GpuPregel.on(numbers, Integer.class, Integer.class)
                            .state((id, number, in, out) -> atlas.spot(number))
                            .initialMessage(0.0)
                            .vertexProgram((id, spot, far) -> atlas.spot(spot.far() + far))
                            .sendMessage(edge -> edge.sendToDst(edge.srcAttr().far()))
                            .mergeMessage(Double::sum)
                            .maxIterations(1)
                            .run()))
        .isInstanceOf(NotLiftableException.class)
        .hasMessageContaining("where the vertex attributes have none");
  }
}
