package org.sparkgpugraph.program.lift;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;

/** Random Java functions of an id and two values, lifted, for tests outside of this package. */
public final class RandomFunctions {
  /** Kinds of the columns of both values and of the result. */
  public static final List<Kind> COLUMNS = RandomSource.COLUMNS;

  /**
   * A function of ID, LEFT and RIGHT.
   *
   * @param captures one box per captured value
   */
  public record Lifted(IrFunction function, List<Object> captures) {}

  private RandomFunctions() {}

  /**
   * Writes, compiles and lifts functions.
   *
   * @param directory where to compile them
   */
  @SuppressWarnings("unchecked") // the generated class has such a field
  public static List<Lifted> of(Path directory, int count, long seed) throws Exception {
    Class<?> generated =
        RuntimeCompiler.compile(directory, "generated.Generated", RandomSource.unit(count, seed));
    Class<?> value = Class.forName("generated.Generated$V", true, generated.getClassLoader());
    ValueType type = ValueType.of(value);
    List<Lifted> lifted = new ArrayList<>();
    for (var function : (List<VertexProgram<?, ?>>) generated.getField("ALL").get(null)) {
      FunctionTrial.Lifted one = FunctionTrial.lift(function, "apply", true, type, type, type);
      lifted.add(new Lifted(one.function(), one.captures()));
    }
    return lifted;
  }
}
