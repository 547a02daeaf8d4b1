package org.sparkgpugraph.program.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.IrOracle;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.UnaryOp;
import org.sparkgpugraph.program.jvm.CompiledFunction;
import org.sparkgpugraph.program.jvm.FunctionCompiler;
import org.sparkgpugraph.program.jvm.IrBuilder;

/**
 * Every operator, condition and intrinsic as printed C == interpreter == hidden class, to the bit,
 * on the values that hurt; transcendental functions within a few ulp.
 */
public final class JavaSemanticsTrial {
  private static final long SEED = 20261120;

  /** How far two correct implementations may be apart: Java's Math + the C library. */
  private static final int ULPS = 2;

  /** Java allows 2.5 ulp for these, and glibc 2. */
  private static final Set<Intrinsic> LOOSE =
      EnumSet.of(Intrinsic.SINH, Intrinsic.COSH, Intrinsic.TANH);

  private static final int LOOSE_ULPS = 4;

  private static final Object[] BOOLEANS = {false, true};
  private static final Object[] INTS = {
    0,
    1,
    -1,
    2,
    -2,
    3,
    7,
    -5,
    31,
    32,
    33,
    -31,
    63,
    64,
    65,
    255,
    128,
    -129,
    65535,
    32768,
    -32769,
    1 << 30,
    0x55555555,
    46341,
    Integer.MAX_VALUE,
    Integer.MAX_VALUE - 1,
    Integer.MIN_VALUE,
    Integer.MIN_VALUE + 1,
    0x7f800001,
    0x7fc00000,
    0xff800000,
    0x3f000000
  };
  private static final Object[] LONGS = {
    0L,
    1L,
    -1L,
    2L,
    -2L,
    3L,
    -7L,
    31L,
    63L,
    64L,
    65L,
    1L << 31,
    1L << 32,
    -(1L << 31) - 1,
    0x80000000L,
    1L << 40,
    3037000500L,
    (1L << 24) + 1,
    (1L << 53) + 1,
    -(1L << 53) - 1,
    (1L << 62) + (1L << 38),
    0x5555555555555555L,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1,
    0x7ff0000000000001L,
    0x3fe0000000000000L
  };
  private static final Object[] FLOATS = {
    0f,
    -0f,
    1f,
    -1f,
    0.5f,
    -0.5f,
    0.49999997f,
    -0.49999997f,
    0.50000006f,
    1.5f,
    2.5f,
    -1.5f,
    -2.5f,
    3.7f,
    -3.7f,
    0.1f,
    8388607.5f,
    8388609f,
    -8388607.5f,
    16777217f,
    2147483520f,
    2147483648f,
    -2147483648f,
    -2147483904f,
    9.223371e18f,
    9.223372e18f,
    -9.223372e18f,
    3e9f,
    1e30f,
    -1e30f,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY
  };
  private static final Object[] DOUBLES = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    0.49999999999999994,
    -0.49999999999999994,
    0.5000000000000001,
    -0.5000000000000001,
    1.5,
    2.5,
    -1.5,
    -2.5,
    3.7,
    -3.7,
    0.1,
    4503599627370495.5,
    -4503599627370495.5,
    4503599627370497.0,
    9007199254740993.0,
    2147483646.5,
    2147483647.0,
    2147483647.5,
    2147483648.0,
    -2147483648.0,
    -2147483648.5,
    -2147483649.0,
    9.223372036854775E18,
    9.223372036854776E18,
    -9.223372036854776E18,
    -9.3E18,
    1e300,
    -1e300,
    1e-20,
    -1e-20,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Math.PI,
    3.4028235677973366e38,
    1.401298464324817E-45,
    7.006492321624085E-46
  };

  /** One function under test, with what it may not be given. */
  record Subject(IrFunction function, int ulps, boolean divides) {}

  /** A call of a function under test. */
  public record Case(Subject subject, CompiledFunction compiled, List<Object> arguments) {}

  private final List<Subject> subjects = new ArrayList<>();

  public JavaSemanticsTrial() {
    for (Kind kind : Kind.values()) {
      for (BinaryOp op : BinaryOp.values()) {
        binary(op, kind);
      }
      for (Condition condition : Condition.values()) {
        condition(condition, kind);
      }
    }
    for (Kind from : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      unary(UnaryOp.NEGATE, from, from);
      for (Kind to : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
        unary(UnaryOp.CONVERT, from, to);
      }
    }
    unary(UnaryOp.TO_BYTE, Kind.INT, Kind.INT);
    unary(UnaryOp.TO_SHORT, Kind.INT, Kind.INT);
    unary(UnaryOp.TO_CHAR, Kind.INT, Kind.INT);
    for (Intrinsic function : Intrinsic.values()) {
      intrinsic(function);
    }
  }

  private void binary(BinaryOp op, Kind kind) {
    boolean shift = op.name().startsWith("SHIFT");
    boolean compare = op.name().startsWith("COMPARE");
    boolean bitwise = op == BinaryOp.AND || op == BinaryOp.OR || op == BinaryOp.XOR;
    boolean real = kind == Kind.FLOAT || kind == Kind.DOUBLE;
    if ((real && (shift || bitwise)) || (kind == Kind.BOOLEAN && !bitwise)) {
      return;
    }
    IrBuilder ir = new IrBuilder(op + " on " + kind);
    int left = ir.parameter(Role.LEFT, 0, kind);
    int right = ir.parameter(Role.RIGHT, 0, shift ? Kind.INT : kind);
    int result = ir.binary(op, left, right);
    boolean divides = !real && (op == BinaryOp.DIVIDE || op == BinaryOp.REMAINDER);
    subjects.add(new Subject(ir.returns(result).build(compare ? Kind.INT : kind), 0, divides));
  }

  private void condition(Condition condition, Kind kind) {
    IrBuilder ir = new IrBuilder(condition + " on " + kind);
    int left = ir.parameter(Role.LEFT, 0, kind);
    int right = ir.parameter(Role.RIGHT, 0, kind);
    int taken = ir.newLabel();
    ir.branch(condition, left, right, taken);
    ir.returns(ir.constant(Kind.BOOLEAN, false));
    ir.label(taken);
    ir.returns(ir.constant(Kind.BOOLEAN, true));
    subjects.add(new Subject(ir.build(Kind.BOOLEAN), 0, false));
  }

  private void unary(UnaryOp op, Kind from, Kind to) {
    IrBuilder ir = new IrBuilder(op + " from " + from + " to " + to);
    int result = ir.unary(op, to, ir.parameter(Role.VALUE, 0, from));
    subjects.add(new Subject(ir.returns(result).build(to), 0, false));
  }

  private void call(Intrinsic function, int ulps, Kind result, Kind... arguments) {
    IrBuilder ir = new IrBuilder(function + " of " + List.of(arguments) + " as " + result);
    Integer[] variables = new Integer[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      variables[i] = ir.parameter(Role.VALUE, i, arguments[i]);
    }
    int value = ir.call(function, result, variables);
    boolean divides = function == Intrinsic.FLOOR_DIV || function == Intrinsic.FLOOR_MOD;
    subjects.add(new Subject(ir.returns(value).build(result), ulps, divides));
  }

  private void intrinsic(Intrinsic function) {
    switch (function) {
      case MIN, MAX -> {
        for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
          call(function, 0, kind, kind, kind);
        }
      }
      case LEAST -> {
        for (Kind kind : List.of(Kind.FLOAT, Kind.DOUBLE)) {
          call(function, 0, kind, kind, kind);
        }
      }
      case ABS -> {
        for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
          call(function, 0, kind, kind);
        }
      }
      case COMPARE_TOTAL -> {
        for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
          call(function, 0, Kind.INT, kind, kind);
        }
      }
      case SQRT, FLOOR, CEIL, RINT -> {
        call(function, 0, Kind.DOUBLE, Kind.DOUBLE);
        call(function, 0, Kind.FLOAT, Kind.FLOAT);
        call(function, 0, Kind.DOUBLE, Kind.FLOAT);
        call(function, 0, Kind.FLOAT, Kind.DOUBLE);
      }
      case ROUND -> {
        call(function, 0, Kind.LONG, Kind.DOUBLE);
        call(function, 0, Kind.INT, Kind.FLOAT);
      }
      case FMA -> {
        call(function, 0, Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE);
        call(function, 0, Kind.FLOAT, Kind.FLOAT, Kind.FLOAT, Kind.FLOAT);
      }
      case SIGNUM -> {
        call(function, 0, Kind.INT, Kind.INT);
        call(function, 0, Kind.INT, Kind.LONG);
        call(function, 0, Kind.FLOAT, Kind.FLOAT);
        call(function, 0, Kind.DOUBLE, Kind.DOUBLE);
      }
      case COPY_SIGN -> {
        call(function, 0, Kind.FLOAT, Kind.FLOAT, Kind.FLOAT);
        call(function, 0, Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE);
      }
      case EXP,
          EXPM1,
          LOG,
          LOG10,
          LOG1P,
          SIN,
          COS,
          TAN,
          ASIN,
          ACOS,
          ATAN,
          SINH,
          COSH,
          TANH,
          CBRT -> {
        int ulps = LOOSE.contains(function) ? LOOSE_ULPS : ULPS;
        call(function, ulps, Kind.DOUBLE, Kind.DOUBLE);
        call(function, ulps, Kind.FLOAT, Kind.FLOAT);
      }
      case ATAN2, HYPOT, POW -> {
        call(function, ULPS, Kind.DOUBLE, Kind.DOUBLE, Kind.DOUBLE);
        call(function, ULPS, Kind.FLOAT, Kind.FLOAT, Kind.DOUBLE);
      }
      case IS_NAN, IS_INFINITE, IS_FINITE -> {
        call(function, 0, Kind.INT, Kind.FLOAT);
        call(function, 0, Kind.BOOLEAN, Kind.DOUBLE);
      }
      case TO_BITS, TO_RAW_BITS -> {
        call(function, 0, Kind.INT, Kind.FLOAT);
        call(function, 0, Kind.LONG, Kind.DOUBLE);
      }
      case FROM_BITS -> {
        call(function, 0, Kind.FLOAT, Kind.INT);
        call(function, 0, Kind.DOUBLE, Kind.LONG);
      }
      case BIT_COUNT, LEADING_ZEROS, TRAILING_ZEROS -> {
        call(function, 0, Kind.INT, Kind.INT);
        call(function, 0, Kind.INT, Kind.LONG);
      }
      case REVERSE, HIGHEST_ONE_BIT, LOWEST_ONE_BIT -> {
        call(function, 0, Kind.INT, Kind.INT);
        call(function, 0, Kind.LONG, Kind.LONG);
      }
      case ROTATE_LEFT, ROTATE_RIGHT -> {
        call(function, 0, Kind.INT, Kind.INT, Kind.INT);
        call(function, 0, Kind.LONG, Kind.LONG, Kind.INT);
      }
      case MULTIPLY_HIGH -> call(function, 0, Kind.LONG, Kind.LONG, Kind.LONG);
      case FLOOR_DIV -> {
        call(function, 0, Kind.INT, Kind.INT, Kind.INT);
        call(function, 0, Kind.LONG, Kind.LONG, Kind.LONG);
        call(function, 0, Kind.LONG, Kind.LONG, Kind.INT);
      }
      case FLOOR_MOD -> {
        call(function, 0, Kind.INT, Kind.INT, Kind.INT);
        call(function, 0, Kind.LONG, Kind.LONG, Kind.LONG);
        call(function, 0, Kind.INT, Kind.LONG, Kind.INT);
      }
    }
  }

  private static List<Object> samples(Kind kind, Random random) {
    List<Object> samples =
        new ArrayList<>(
            List.of(
                switch (kind) {
                  case BOOLEAN -> BOOLEANS;
                  case INT -> INTS;
                  case LONG -> LONGS;
                  case FLOAT -> FLOATS;
                  case DOUBLE -> DOUBLES;
                }));
    for (int i = 0; i < 12 && kind != Kind.BOOLEAN; i++) {
      samples.add(
          switch (kind) {
            case INT -> (Object) random.nextInt();
            case LONG -> (Object) random.nextLong();
            case FLOAT ->
                i % 2 == 0
                    ? (Object) Float.intBitsToFloat(random.nextInt())
                    : (Object) ((random.nextFloat() - 0.5f) * 40);
            default ->
                i % 2 == 0
                    ? (Object) Double.longBitsToDouble(random.nextLong())
                    : (Object) ((random.nextDouble() - 0.5) * 40);
          });
    }
    return samples;
  }

  private static List<List<Object>> arguments(Subject subject) {
    Random random = new Random(SEED);
    List<List<Object>> all = List.of(List.of());
    List<Param> parameters = subject.function().parameters();
    for (int p = 0; p < parameters.size(); p++) {
      Kind kind = subject.function().variables().get(parameters.get(p).variable());
      List<Object> samples = samples(kind, random);
      if (parameters.size() == 3) {
        // Of triples, a third of the values in each place, another third in the next.
        int third = p;
        samples = samples.stream().filter(s -> (s.hashCode() & 0x7fffffff) % 3 == third).toList();
      }
      boolean divisor = subject.divides() && p == 1;
      List<List<Object>> longer = new ArrayList<>();
      for (List<Object> start : all) {
        for (Object sample : samples) {
          if (!divisor || ((Number) sample).longValue() != 0) {
            List<Object> row = new ArrayList<>(start);
            row.add(sample);
            longer.add(row);
          }
        }
      }
      all = longer;
    }
    return all;
  }

  /**
   * All functions, with the calls to make.
   *
   * @param cases is given what was called
   */
  public TranslationUnit unit(List<Case> cases) {
    TranslationUnit unit = new TranslationUnit();
    for (Subject subject : subjects) {
      int index = unit.add(subject.function());
      CompiledFunction compiled = FunctionCompiler.compile(subject.function());
      for (List<Object> arguments : arguments(subject)) {
        unit.call(index, arguments);
        cases.add(new Case(subject, compiled, arguments));
      }
    }
    return unit;
  }

  /**
   * Compares what came out with the oracles.
   *
   * @param slack ulp by which the library of this machine's transcendental functions is worse than
   *     glibc
   */
  public static void check(List<Case> cases, List<TranslationUnit.Outcome> outcomes, int slack) {
    for (int i = 0; i < cases.size(); i++) {
      Case c = cases.get(i);
      IrFunction function = c.subject().function();
      Object printed = outcomes.get(i).values().get(0);
      Object interpreted =
          IrOracle.run(
                  function,
                  (role, index) -> {
                    for (int p = 0; p < function.parameters().size(); p++) {
                      Param parameter = function.parameters().get(p);
                      if (parameter.role() == role && parameter.index() == index) {
                        return c.arguments().get(p);
                      }
                    }
                    throw new AssertionError(role);
                  })
              .values()
              .get(0);
      Object compiled = c.compiled().call(c.arguments().toArray())[0];
      String context = function.name() + " " + c.arguments();
      if (c.subject().ulps() == 0) {
        assertThat(TranslationUnit.canonical(printed))
            .as(context)
            .isEqualTo(TranslationUnit.canonical(interpreted));
      } else {
        Object expected = specified(function, c.arguments(), interpreted);
        assertThat(ulps(printed, expected))
            .as("%s: %s and %s, ulps apart", context, printed, expected)
            .isLessThanOrEqualTo(c.subject().ulps() + slack);
      }
      assertThat(TranslationUnit.canonical(compiled))
          .as("hidden class: " + context)
          .isEqualTo(TranslationUnit.canonical(interpreted));
    }
  }

  /**
   * Math.pow of HotSpot 17 on x86 takes 4503599627370495.5 for an odd integer (the power of −0.0 to
   * it has the wrong sign, against its specification), StrictMath.pow does not.
   */
  private static Object specified(IrFunction function, List<Object> arguments, Object value) {
    if (!function.name().startsWith("POW")) {
      return value;
    }
    double x = ((Number) arguments.get(0)).doubleValue();
    double strict = StrictMath.pow(x, ((Number) arguments.get(1)).doubleValue());
    boolean odd = Double.isInfinite(strict) || strict == 0;
    return !odd ? value : value instanceof Float ? (Object) (float) strict : (Object) strict;
  }

  /** Numbers of one kind between two values; the kinds of zero are apart, the NaNs are not. */
  private static long ulps(Object a, Object b) {
    if (TranslationUnit.canonical(a).equals(TranslationUnit.canonical(b))) {
      return 0;
    }
    double x = ((Number) a).doubleValue();
    double y = ((Number) b).doubleValue();
    if (Double.isNaN(x) || Double.isNaN(y) || x == y || x < 0 != y < 0) {
      return Long.MAX_VALUE;
    }
    return a instanceof Float f
        ? Math.abs((long) Float.floatToIntBits(f) - Float.floatToIntBits((Float) b))
        : Math.abs(Double.doubleToLongBits(x) - Double.doubleToLongBits(y));
  }
}
