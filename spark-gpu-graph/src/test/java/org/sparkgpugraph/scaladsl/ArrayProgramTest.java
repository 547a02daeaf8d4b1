package org.sparkgpugraph.scaladsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.SharedSpark;

/**
 * Arrays of Scala programs: on the engines they are as long everywhere, or it is said whose is not;
 * unless fallback is never, such programs are GraphX's, which takes what it can.
 */
@ExtendWith(SharedSpark.class)
@Tag("any-spark-4")
class ArrayProgramTest {
  private static final List<IntUnaryOperator> UNEQUAL =
      List.of(i -> i == 2 ? 4 : 3, i -> i == 2 ? 0 : 3, i -> i == 2 ? 1025 : 3);

  private final JavaSparkContext context;
  private final SparkContext sc;

  ArrayProgramTest(JavaSparkContext context) {
    this.context = context;
    sc = context.sc();
  }

  private <T> T onEngines(Supplier<T> run) {
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), "never");
    try {
      return run.get();
    } finally {
      context.setLocalProperty(GpuGraphConf.FALLBACK.key(), null);
    }
  }

  private static Stream<ArrayProgram<?, ?, ?>> programs() {
    return Stream.of(ArrayProgram.all());
  }

  private void refused(ArrayProgram<?, ?, ?> program, IntUnaryOperator lengths, String... why) {
    assertThatThrownBy(() -> onEngines(() -> program.ours(sc, lengths, 1)))
        .as(program.name())
        .hasMessageContainingAll(why);
  }

  private static String owner(ArrayProgram<?, ?, ?> program) {
    return program.name().equals("edges") ? "edge 12->13" : "vertex 12";
  }

  private static String component(ArrayProgram<?, ?, ?> program) {
    return program.name().contains("_") || program.name().contains("array")
        ? " in its component '" + program.name() + "'"
        : "";
  }

  @Test
  void arraysOfOneLengthAreValues() {
    programs()
        .forEach(
            program ->
                assertThat(onEngines(() -> program.ours(sc, i -> 3, 1)))
                    .as(program.name())
                    .isEqualTo(program.stock(sc, i -> 3, 1)));
  }

  @Test
  void theVertexWhoseArrayHasAnotherLengthIsNamed() {
    programs()
        .forEach(
            program -> {
              for (IntUnaryOperator lengths : UNEQUAL) {
                refused(
                    program,
                    lengths,
                    "the value of "
                        + owner(program)
                        + " is an array of "
                        + lengths.applyAsInt(2)
                        + " elements"
                        + component(program)
                        + ", but all have 3");
              }
            });
  }

  @Test
  void whoseArrayIsNoValueIsNamed() {
    programs()
        .forEach(
            program -> {
              String kind = program.name().equals("edges") ? "edge 1" : "vertex 1";
              refused(program, i -> 0, "the value of " + kind, "[] of 0 elements");
              refused(
                  program,
                  i -> 1025,
                  "the value of " + kind,
                  "[] of 1025 elements; arrays that are values have 1 to 1024");
              refused(
                  program,
                  i -> i == 2 ? -1 : 3,
                  "the value of " + owner(program) + " is null" + component(program));
            });
  }

  @Test
  void graphxTakesArraysOfAnyLength() {
    programs()
        .filter(program -> List.of("doubles", "array", "edges").contains(program.name()))
        .forEach(
            program -> {
              for (IntUnaryOperator lengths : UNEQUAL) {
                assertThat(program.ours(sc, lengths, 1))
                    .as(program.name())
                    .isEqualTo(program.stock(sc, lengths, 1));
              }
              for (int length : new int[] {0, 1025}) {
                assertThat(program.ours(sc, i -> length, 1))
                    .as(program.name())
                    .isEqualTo(program.stock(sc, i -> length, 1));
              }
            });
    ArrayProgram<?, ?, ?> unread = ArrayProgram.unread();
    for (IntUnaryOperator lengths : List.<IntUnaryOperator>of(i -> i, i -> i - 1, i -> 5 - i)) {
      assertThat(unread.ours(sc, lengths, 1)).isEqualTo(unread.stock(sc, lengths, 1));
    }
  }

  @Test
  void explainSaysWhoseArrayIsNoValue() {
    assertThat(ArrayProgram.unread().explained(sc, i -> 0, 1))
        .startsWith("engine: stock GraphX")
        .contains("the value of vertex 1", "a double[] of 0 elements");
  }

  @Test
  void messagesOfAnotherLengthAreRefused() {
    ArrayProgram<?, ?, ?> program = ArrayProgram.messages();
    assertThat(onEngines(() -> program.ours(sc, i -> 3, 3)))
        .isEqualTo(program.stock(sc, i -> 3, 3));
    assertThatThrownBy(() -> onEngines(() -> program.ours(sc, i -> 3, 4)))
        .hasMessageContaining(
            "the array here has 3 elements, but those of vertices or of the initial message have 4");
    assertThatThrownBy(() -> onEngines(() -> program.ours(sc, i -> 3, 0)))
        .hasMessageContaining("the initial message")
        .hasMessageContaining("a double[] of 0 elements");
    assertThatThrownBy(() -> onEngines(() -> program.ours(sc, i -> 3, 1025)))
        .hasMessageContaining("the initial message")
        .hasMessageContaining("a double[] of 1025 elements");
    assertThatThrownBy(() -> onEngines(() -> program.ours(sc, i -> 3, -1)))
        .hasMessageContaining("component 'array' of the message is a null");
    // The merge function reads as many elements as its first argument has.
    for (int length : new int[] {4, 1025}) {
      assertThat(program.ours(sc, i -> 3, length)).isEqualTo(program.stock(sc, i -> 3, length));
    }
  }

  @Test
  void messagesOfAggregateMessages() {
    assertThat(onEngines(() -> ArrayProgram.aggregated(sc, i -> 3, false)))
        .isEqualTo(ArrayProgram.aggregated(sc, i -> 3, true));
    for (IntUnaryOperator lengths : UNEQUAL) {
      assertThatThrownBy(() -> onEngines(() -> ArrayProgram.aggregated(sc, lengths, false)))
          .hasMessageContaining(
              "the value of vertex 12 is an array of "
                  + lengths.applyAsInt(2)
                  + " elements, but all have 3");
      assertThat(ArrayProgram.aggregated(sc, lengths, false))
          .isEqualTo(ArrayProgram.aggregated(sc, lengths, true));
    }
    assertThat(ArrayProgram.aggregated(sc, i -> 0, false))
        .isEqualTo(ArrayProgram.aggregated(sc, i -> 0, true));
  }

  @Test
  void anArrayOfTwoVerticesIsCopied() {
    double[] shared = {1, 2, 3};
    assertThat(onEngines(() -> ArrayProgram.shared(sc, shared)))
        // Superstep 0 adds 10 to element id % 3, superstep 1 that and the in-edge's 0 to 4.
        .isEqualTo("1.0 26.0 3.0; 1.0 2.0 23.0; 22.0 2.0 3.0; 1.0 24.0 3.0; 1.0 2.0 26.0");
    assertThat(shared).containsExactly(1, 2, 3);
  }
}
