package org.sparkgpugraph.program.jvm;

import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.objectweb.asm.Opcodes;
import org.sparkgpugraph.program.ir.Insn;
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
    Kind first = kinds.get(0);
    switch (call.function()) {
      case MIN -> numeric(code, Math.class, "min", kinds, argument);
      case MAX -> numeric(code, Math.class, "max", kinds, argument);
      case ABS -> numeric(code, Math.class, "abs", kinds, argument);
      case COMPARE_TOTAL -> {
        pushAll(kinds, argument);
        code.invokeStatic(first.box(), "compare", int.class, first.primitive(), first.primitive());
      }
      case SQRT -> real(code, "sqrt", kinds, argument, target);
      case FLOOR -> real(code, "floor", kinds, argument, target);
      case CEIL -> real(code, "ceil", kinds, argument, target);
      case RINT -> real(code, "rint", kinds, argument, target);
      case EXP -> real(code, "exp", kinds, argument, target);
      case EXPM1 -> real(code, "expm1", kinds, argument, target);
      case LOG -> real(code, "log", kinds, argument, target);
      case LOG10 -> real(code, "log10", kinds, argument, target);
      case LOG1P -> real(code, "log1p", kinds, argument, target);
      case SIN -> real(code, "sin", kinds, argument, target);
      case COS -> real(code, "cos", kinds, argument, target);
      case TAN -> real(code, "tan", kinds, argument, target);
      case ASIN -> real(code, "asin", kinds, argument, target);
      case ACOS -> real(code, "acos", kinds, argument, target);
      case ATAN -> real(code, "atan", kinds, argument, target);
      case ATAN2 -> real(code, "atan2", kinds, argument, target);
      case SINH -> real(code, "sinh", kinds, argument, target);
      case COSH -> real(code, "cosh", kinds, argument, target);
      case TANH -> real(code, "tanh", kinds, argument, target);
      case CBRT -> real(code, "cbrt", kinds, argument, target);
      case HYPOT -> real(code, "hypot", kinds, argument, target);
      case POW -> real(code, "pow", kinds, argument, target);
      case ROUND -> {
        pushAll(kinds, argument);
        code.invokeStatic(
            Math.class,
            "round",
            first == Kind.FLOAT ? int.class : long.class,
            first == Kind.FLOAT ? float.class : double.class);
      }
      case FMA -> numeric(code, Math.class, "fma", kinds, argument);
      // StrictMath's: a NaN counts as positive, on every engine (a computed NaN's sign is left
      // open).
      case COPY_SIGN -> numeric(code, StrictMath.class, "copySign", kinds, argument);
      case SIGNUM -> {
        if (first == Kind.INT || first == Kind.LONG) {
          pushAll(kinds, argument);
          code.invokeStatic(first.box(), "signum", int.class, first.primitive());
        } else {
          numeric(code, Math.class, "signum", kinds, argument);
        }
      }
      case IS_NAN -> predicate(code, "isNaN", first, argument);
      case IS_INFINITE -> predicate(code, "isInfinite", first, argument);
      case IS_FINITE -> predicate(code, "isFinite", first, argument);
      case TO_BITS -> {
        argument.accept(0);
        if (first == Kind.FLOAT) {
          code.invokeStatic(Float.class, "floatToIntBits", int.class, float.class);
        } else {
          code.invokeStatic(Double.class, "doubleToLongBits", long.class, double.class);
        }
      }
      case TO_RAW_BITS -> {
        argument.accept(0);
        if (first == Kind.FLOAT) {
          code.invokeStatic(Float.class, "floatToRawIntBits", int.class, float.class);
        } else {
          code.invokeStatic(Double.class, "doubleToRawLongBits", long.class, double.class);
        }
      }
      case FROM_BITS -> {
        argument.accept(0);
        if (first == Kind.INT) {
          code.invokeStatic(Float.class, "intBitsToFloat", float.class, int.class);
        } else {
          code.invokeStatic(Double.class, "longBitsToDouble", double.class, long.class);
        }
      }
      case BIT_COUNT -> bits(code, "bitCount", int.class, kinds, argument);
      case LEADING_ZEROS -> bits(code, "numberOfLeadingZeros", int.class, kinds, argument);
      case TRAILING_ZEROS -> bits(code, "numberOfTrailingZeros", int.class, kinds, argument);
      case REVERSE -> bits(code, "reverse", first.primitive(), kinds, argument);
      case HIGHEST_ONE_BIT -> bits(code, "highestOneBit", first.primitive(), kinds, argument);
      case LOWEST_ONE_BIT -> bits(code, "lowestOneBit", first.primitive(), kinds, argument);
      case ROTATE_LEFT -> bits(code, "rotateLeft", first.primitive(), kinds, argument);
      case ROTATE_RIGHT -> bits(code, "rotateRight", first.primitive(), kinds, argument);
      case MULTIPLY_HIGH -> numeric(code, Math.class, "multiplyHigh", kinds, argument);
      case FLOOR_DIV -> {
        pushAll(kinds, argument);
        code.invokeStatic(
            Math.class, "floorDiv", first.primitive(), first.primitive(), kinds.get(1).primitive());
      }
      case FLOOR_MOD -> {
        // floorMod(long, int) gives an int.
        pushAll(kinds, argument);
        code.invokeStatic(
            Math.class,
            "floorMod",
            kinds.get(1).primitive(),
            first.primitive(),
            kinds.get(1).primitive());
      }
    }
  }

  private static void pushAll(List<Kind> kinds, IntConsumer argument) {
    for (int i = 0; i < kinds.size(); i++) {
      argument.accept(i);
    }
  }

  /** A method whose arguments and result are all of one kind. */
  private static void numeric(
      CodeBuilder code, Class<?> owner, String name, List<Kind> kinds, IntConsumer argument) {
    pushAll(kinds, argument);
    Class<?> type = kinds.get(0).primitive();
    Class<?>[] types = new Class<?>[kinds.size()];
    Arrays.fill(types, type);
    code.invokeStatic(owner, name, type, types);
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

  private static void predicate(CodeBuilder code, String name, Kind kind, IntConsumer argument) {
    argument.accept(0);
    code.invokeStatic(kind.box(), name, boolean.class, kind.primitive());
  }

  /** A bit method of Integer or Long; a second argument is an int distance. */
  private static void bits(
      CodeBuilder code, String name, Class<?> result, List<Kind> kinds, IntConsumer argument) {
    pushAll(kinds, argument);
    Class<?>[] types = new Class<?>[kinds.size()];
    for (int i = 0; i < types.length; i++) {
      types[i] = kinds.get(i).primitive();
    }
    code.invokeStatic(kinds.get(0).box(), name, result, types);
  }
}
