package org.sparkgpugraph.program.lift;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.bytecode.RefusedException;
import org.sparkgpugraph.program.ir.Kind;
import scala.Function2;

/** What the JVM computes and what is lifted agree in order, aliases, laziness and exceptions. */
class ScalaSnippetsTest {
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
}
