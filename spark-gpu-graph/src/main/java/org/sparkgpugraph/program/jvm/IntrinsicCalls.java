package org.sparkgpugraph.program.jvm;

import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;

/** Calls of library functions: each is the Java method that {@code Intrinsic} names. */
final class IntrinsicCalls {
  private IntrinsicCalls() {}

  /**
   * Pushes the result of a call.
   *
   * @param kinds kinds of the arguments
   * @param argument pushes argument i
   * @param target kind of the result
   */
  static void call(
      CodeBuilder code, Insn.Call call, List<Kind> kinds, IntConsumer argument, Kind target) {
    if (kinds.size() != call.function().arity()) {
      throw new IllegalArgumentException(
          call.function() + " takes " + call.function().arity() + " arguments: " + call);
    }
    Intrinsic function = call.function();
    if (function.isReal()) {
      real(code, function.method(), kinds, argument, target);
      return;
    }
    for (int i = 0; i < kinds.size(); i++) {
      argument.accept(i);
    }
    String name = function.method();
    boolean isIntegral = kinds.get(0).isIntegral();
    Class<?> box = kinds.get(0).box();
    Class<?> first = kinds.get(0).primitive();
    Class<?> last = kinds.get(kinds.size() - 1).primitive();
    switch (function) {
      case MIN, MAX, ABS, FMA, MULTIPLY_HIGH -> numeric(code, Math.class, function, first);
      case LEAST -> numeric(code, TotalOrder.class, function, first);
      // StrictMath's: a NaN counts as positive, on every engine (a computed NaN's sign is left
      // open).
      case COPY_SIGN -> numeric(code, StrictMath.class, function, first);
      case SIGNUM -> {
        if (isIntegral) {
          code.invokeStatic(box, name, int.class, first);
        } else {
          numeric(code, Math.class, function, first);
        }
      }
      case COMPARE_TOTAL -> code.invokeStatic(box, name, int.class, first, first);
      case ROUND ->
          code.invokeStatic(Math.class, name, first == float.class ? int.class : long.class, first);
      case IS_NAN, IS_INFINITE, IS_FINITE -> code.invokeStatic(box, name, boolean.class, first);
      case TO_BITS, TO_RAW_BITS -> {
        String raw = function == Intrinsic.TO_RAW_BITS ? "Raw" : "";
        if (first == float.class) {
          code.invokeStatic(Float.class, "floatTo" + raw + "IntBits", int.class, float.class);
        } else {
          code.invokeStatic(Double.class, "doubleTo" + raw + "LongBits", long.class, double.class);
        }
      }
      case FROM_BITS -> {
        if (first == int.class) {
          code.invokeStatic(Float.class, "intBitsToFloat", float.class, int.class);
        } else {
          code.invokeStatic(Double.class, "longBitsToDouble", double.class, long.class);
        }
      }
      case BIT_COUNT, LEADING_ZEROS, TRAILING_ZEROS ->
          code.invokeStatic(box, name, int.class, first);
      case REVERSE, HIGHEST_ONE_BIT, LOWEST_ONE_BIT -> code.invokeStatic(box, name, first, first);
      case ROTATE_LEFT, ROTATE_RIGHT -> code.invokeStatic(box, name, first, first, last);
      case FLOOR_DIV -> code.invokeStatic(Math.class, name, first, first, last);
      // floorMod(long, int) gives an int.
      case FLOOR_MOD -> code.invokeStatic(Math.class, name, last, first, last);
      default -> throw new IllegalArgumentException("unknown function " + function);
    }
  }

  /** A method whose arguments and result are all of one kind. */
  private static void numeric(CodeBuilder code, Class<?> owner, Intrinsic function, Class<?> kind) {
    Class<?>[] kinds = Collections.nCopies(function.arity(), kind).toArray(Class<?>[]::new);
    code.invokeStatic(owner, function.method(), kind, kinds);
  }

  /**
   * A method of Math on doubles. A FLOAT argument is widened and a FLOAT result narrowed, which for
   * SQRT and the rounding functions is still correctly rounded.
   */
  private static void real(
      CodeBuilder code, String name, List<Kind> kinds, IntConsumer argument, Kind target) {
    Class<?>[] types = new Class<?>[kinds.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = double.class;
      argument.accept(i);
      if (kinds.get(i) == Kind.FLOAT) {
        code.op(Opcodes.F2D);
      }
    }
    code.invokeStatic(Math.class, name, double.class, types);
    if (target == Kind.FLOAT) {
      code.op(Opcodes.D2F);
    }
  }
}
