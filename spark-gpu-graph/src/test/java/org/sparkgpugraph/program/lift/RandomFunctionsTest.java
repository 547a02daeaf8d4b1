package org.sparkgpugraph.program.lift;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ValueType;

/** Random Java functions, lifted, do what the original does: to the bit, faults included. */
@Tag("any-spark")
class RandomFunctionsTest {
  private static final int FUNCTIONS = 120;
  private static final int CASES = 50;

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  @SuppressWarnings("unchecked")
  void liftedIsOriginal(long seed) throws Exception {
    Class<?> generated =
        RuntimeCompiler.compile(
            directory, "generated.Generated", RandomSource.unit(FUNCTIONS, seed));
    Class<?> value = Class.forName("generated.Generated$V", true, generated.getClassLoader());
    ValueType type = ValueType.of(value);
    List<VertexProgram<Object, Object>> functions =
        (List<VertexProgram<Object, Object>>) generated.getField("ALL").get(null);
    for (int i = 0; i < functions.size(); i++) {
      VertexProgram<Object, Object> function = functions.get(i);
      FunctionTrial.Lifted lifted = FunctionTrial.lift(function, "apply", true, type, type, type);
      FunctionTrial.compare(
          "f" + i,
          lifted,
          (x, y) -> function.apply(42, x, y),
          value,
          value,
          42,
          seed * 1000 + i,
          CASES);
    }
  }
}
