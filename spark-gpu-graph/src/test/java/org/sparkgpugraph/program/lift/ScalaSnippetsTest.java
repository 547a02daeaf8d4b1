package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objectweb.asm.MethodTooLargeException;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.Kind;
import scala.Function2;

/** What the JVM computes and what is lifted agree in order, aliases, laziness and exceptions. */
@Tag("any-spark-4")
class ScalaSnippetsTest {
  private static final int PIPELINES = Integer.getInteger("pipelines", 60);

  static Stream<Snippet> snippets() {
    return Stream.of(ScalaSnippets.all());
  }

  private static FunctionTrial.Lifted lift(Snippet snippet) {
    ValueType type = new ValueType.Scalar(Kind.of(snippet.kind()));
    return FunctionTrial.lift(snippet.function(), "apply", false, type, type, type);
  }

  @ParameterizedTest
  @MethodSource("snippets")
  @SuppressWarnings("unchecked")
  void givesWhatTheJvmGivesOrIsRefused(Snippet snippet) throws Exception {
    if (!snippet.lifts()) {
      assertThatThrownBy(() -> lift(snippet)).isInstanceOf(RefusedException.class);
      return;
    }
    Function2<Object, Object, Object> original =
        (Function2<Object, Object, Object>) snippet.function();
    Class<?> box = Kind.of(snippet.kind()).box();
    FunctionTrial.compare(snippet.name(), lift(snippet), original::apply, box, box, 0, 16, 400);
  }

  @Test
  @SuppressWarnings("unchecked")
  void pipelinesOfRandomStepsGiveWhatTheJvmGives() throws Exception {
    long seed = Long.getLong("pipelineSeed", 16);
    int lifted = 0;
    Object[] pipelines = ScalaPipelines.random(PIPELINES, seed);
    for (int i = 0; i < PIPELINES; i++) {
      Function2<Object, Object, Object> original = (Function2<Object, Object, Object>) pipelines[i];
      FunctionTrial.Lifted function;
      try {
        ValueType type = new ValueType.Scalar(Kind.LONG);
        function = FunctionTrial.lift(original, "apply", false, type, type, type);
      } catch (RefusedException e) {
        // What is refused is never wrong; but it should be the exception.
        continue;
      }
      String name = "pipeline " + i + " (-DpipelineSeed=" + seed + ")";
      try {
        FunctionTrial.compare(name, function, original::apply, Long.class, Long.class, 0, seed, 50);
        lifted++;
      } catch (MethodTooLargeException e) {
        // The CPU engine finds that before a run.
        continue;
      }
    }
    assertThat(lifted).isGreaterThan(PIPELINES / 2);
  }
}
