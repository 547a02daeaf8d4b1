package org.sparkgpugraph.program.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnaryOp;

/** Every instruction against the Java expression that it stands for, on the values that hurt. */
@Tag("any-spark")
class FunctionCompilerTest {
  private static final Object[] INTS = {
    0, 1, -1, 2, 31, 32, 33, -5, 7, 1 << 30, Integer.MAX_VALUE, Integer.MIN_VALUE
  };
  private static final Object[] LONGS = {
    0L, 1L, -1L, 63L, 64L, 65L, -7L, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE, 0x80000000L
  };
  private static final Object[] FLOATS = {
    0f,
    -0f,
    1f,
    -1f,
    0.5f,
    -2.5f,
    3e9f,
    -3e9f,
    Float.MIN_VALUE,
    Float.MAX_VALUE,
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
    -2.5,
    3e9,
    1e19,
    -1e19,
    Double.MIN_VALUE,
    Double.MAX_VALUE,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };

  private static Object[] samples(Kind kind) {
    return switch (kind) {
      case BOOLEAN -> new Object[] {false, true};
      case INT -> INTS;
      case LONG -> LONGS;
      case FLOAT -> FLOATS;
      case DOUBLE -> DOUBLES;
    };
  }

  @FunctionalInterface
  private interface Two {
    Object apply(Object left, Object right);
  }

  @FunctionalInterface
  private interface One {
    Object apply(Object value);
  }

  private static void checkBinary(Kind kind, BinaryOp op, Two expected) {
    boolean shift = op.name().startsWith("SHIFT");
    Kind rightKind = shift ? Kind.INT : kind;
    IrBuilder ir = new IrBuilder(op.name());
    int left = ir.parameter(Role.LEFT, 0, kind);
    int right = ir.parameter(Role.RIGHT, 0, rightKind);
    int result = ir.binary(op, left, right);
    CompiledFunction f = FunctionCompiler.compile(ir.returns(result).build(ir.kind(result)));
    for (Object a : samples(kind)) {
      for (Object b : samples(rightKind)) {
        boolean divides = op == BinaryOp.DIVIDE || op == BinaryOp.REMAINDER;
        if (divides && kind.isIntegral() && ((Number) b).longValue() == 0) {
          continue;
        }
        assertThat(f.call(a, b)[0]).as("%s %s %s", a, op, b).isEqualTo(expected.apply(a, b));
      }
    }
  }

  private static void checkUnary(UnaryOp op, Kind from, Kind to, One expected) {
    IrBuilder ir = new IrBuilder(op.name());
    int result = ir.unary(op, to, ir.parameter(Role.VALUE, 0, from));
    CompiledFunction f = FunctionCompiler.compile(ir.returns(result).build(to));
    for (Object a : samples(from)) {
      assertThat(f.call(a)[0]).as("%s %s to %s", op, a, to).isEqualTo(expected.apply(a));
    }
  }

  private static void checkCall(Intrinsic function, Kind to, Kind from, One expected) {
    IrBuilder ir = new IrBuilder(function.name());
    int result = ir.call(function, to, ir.parameter(Role.VALUE, 0, from));
    CompiledFunction f = FunctionCompiler.compile(ir.returns(result).build(to));
    for (Object a : samples(from)) {
      assertThat(f.call(a)[0]).as("%s(%s)", function, a).isEqualTo(expected.apply(a));
    }
  }

  private static void checkCall(Intrinsic function, Kind to, Kind left, Kind right, Two expected) {
    IrBuilder ir = new IrBuilder(function.name());
    int a = ir.parameter(Role.LEFT, 0, left);
    int b = ir.parameter(Role.RIGHT, 0, right);
    int result = ir.call(function, to, a, b);
    CompiledFunction f = FunctionCompiler.compile(ir.returns(result).build(to));
    for (Object x : samples(left)) {
      for (Object y : samples(right)) {
        boolean divides = function == Intrinsic.FLOOR_DIV || function == Intrinsic.FLOOR_MOD;
        if (divides && ((Number) y).longValue() == 0) {
          continue;
        }
        assertThat(f.call(x, y)[0])
            .as("%s(%s, %s)", function, x, y)
            .isEqualTo(expected.apply(x, y));
      }
    }
  }

  @Test
  void intArithmeticIsJavas() {
    checkBinary(Kind.INT, BinaryOp.ADD, (a, b) -> (int) a + (int) b);
    checkBinary(Kind.INT, BinaryOp.SUBTRACT, (a, b) -> (int) a - (int) b);
    checkBinary(Kind.INT, BinaryOp.MULTIPLY, (a, b) -> (int) a * (int) b);
    checkBinary(Kind.INT, BinaryOp.DIVIDE, (a, b) -> (int) a / (int) b);
    checkBinary(Kind.INT, BinaryOp.REMAINDER, (a, b) -> (int) a % (int) b);
    checkBinary(Kind.INT, BinaryOp.AND, (a, b) -> (int) a & (int) b);
    checkBinary(Kind.INT, BinaryOp.OR, (a, b) -> (int) a | (int) b);
    checkBinary(Kind.INT, BinaryOp.XOR, (a, b) -> (int) a ^ (int) b);
    checkBinary(Kind.INT, BinaryOp.SHIFT_LEFT, (a, b) -> (int) a << (int) b);
    checkBinary(Kind.INT, BinaryOp.SHIFT_RIGHT, (a, b) -> (int) a >> (int) b);
    checkBinary(Kind.INT, BinaryOp.SHIFT_RIGHT_UNSIGNED, (a, b) -> (int) a >>> (int) b);
    checkBinary(Kind.INT, BinaryOp.COMPARE_L, (a, b) -> Integer.compare((int) a, (int) b));
  }

  @Test
  void longArithmeticIsJavas() {
    checkBinary(Kind.LONG, BinaryOp.ADD, (a, b) -> (long) a + (long) b);
    checkBinary(Kind.LONG, BinaryOp.SUBTRACT, (a, b) -> (long) a - (long) b);
    checkBinary(Kind.LONG, BinaryOp.MULTIPLY, (a, b) -> (long) a * (long) b);
    checkBinary(Kind.LONG, BinaryOp.DIVIDE, (a, b) -> (long) a / (long) b);
    checkBinary(Kind.LONG, BinaryOp.REMAINDER, (a, b) -> (long) a % (long) b);
    checkBinary(Kind.LONG, BinaryOp.AND, (a, b) -> (long) a & (long) b);
    checkBinary(Kind.LONG, BinaryOp.OR, (a, b) -> (long) a | (long) b);
    checkBinary(Kind.LONG, BinaryOp.XOR, (a, b) -> (long) a ^ (long) b);
    checkBinary(Kind.LONG, BinaryOp.SHIFT_LEFT, (a, b) -> (long) a << (int) b);
    checkBinary(Kind.LONG, BinaryOp.SHIFT_RIGHT, (a, b) -> (long) a >> (int) b);
    checkBinary(Kind.LONG, BinaryOp.SHIFT_RIGHT_UNSIGNED, (a, b) -> (long) a >>> (int) b);
    checkBinary(Kind.LONG, BinaryOp.COMPARE_G, (a, b) -> Long.compare((long) a, (long) b));
  }

  @Test
  void realArithmeticIsJavas() {
    checkBinary(Kind.FLOAT, BinaryOp.ADD, (a, b) -> (float) a + (float) b);
    checkBinary(Kind.FLOAT, BinaryOp.SUBTRACT, (a, b) -> (float) a - (float) b);
    checkBinary(Kind.FLOAT, BinaryOp.MULTIPLY, (a, b) -> (float) a * (float) b);
    checkBinary(Kind.FLOAT, BinaryOp.DIVIDE, (a, b) -> (float) a / (float) b);
    checkBinary(Kind.FLOAT, BinaryOp.REMAINDER, (a, b) -> (float) a % (float) b);
    checkBinary(Kind.DOUBLE, BinaryOp.ADD, (a, b) -> (double) a + (double) b);
    checkBinary(Kind.DOUBLE, BinaryOp.SUBTRACT, (a, b) -> (double) a - (double) b);
    checkBinary(Kind.DOUBLE, BinaryOp.MULTIPLY, (a, b) -> (double) a * (double) b);
    checkBinary(Kind.DOUBLE, BinaryOp.DIVIDE, (a, b) -> (double) a / (double) b);
    checkBinary(Kind.DOUBLE, BinaryOp.REMAINDER, (a, b) -> (double) a % (double) b);
    checkBinary(
        Kind.FLOAT,
        BinaryOp.COMPARE_L,
        (a, b) -> (float) a > (float) b ? 1 : (float) a == (float) b ? 0 : -1);
    checkBinary(
        Kind.DOUBLE,
        BinaryOp.COMPARE_G,
        (a, b) -> (double) a < (double) b ? -1 : (double) a == (double) b ? 0 : 1);
  }

  @Test
  void conversionsSaturateAndNegationKeepsTheSignOfZero() {
    checkUnary(UnaryOp.CONVERT, Kind.INT, Kind.LONG, a -> (long) (int) a);
    checkUnary(UnaryOp.CONVERT, Kind.INT, Kind.FLOAT, a -> (float) (int) a);
    checkUnary(UnaryOp.CONVERT, Kind.INT, Kind.DOUBLE, a -> (double) (int) a);
    checkUnary(UnaryOp.CONVERT, Kind.LONG, Kind.INT, a -> (int) (long) a);
    checkUnary(UnaryOp.CONVERT, Kind.LONG, Kind.FLOAT, a -> (float) (long) a);
    checkUnary(UnaryOp.CONVERT, Kind.LONG, Kind.DOUBLE, a -> (double) (long) a);
    checkUnary(UnaryOp.CONVERT, Kind.FLOAT, Kind.INT, a -> (int) (float) a);
    checkUnary(UnaryOp.CONVERT, Kind.FLOAT, Kind.LONG, a -> (long) (float) a);
    checkUnary(UnaryOp.CONVERT, Kind.FLOAT, Kind.DOUBLE, a -> (double) (float) a);
    checkUnary(UnaryOp.CONVERT, Kind.DOUBLE, Kind.INT, a -> (int) (double) a);
    checkUnary(UnaryOp.CONVERT, Kind.DOUBLE, Kind.LONG, a -> (long) (double) a);
    checkUnary(UnaryOp.CONVERT, Kind.DOUBLE, Kind.FLOAT, a -> (float) (double) a);
    checkUnary(UnaryOp.TO_BYTE, Kind.INT, Kind.INT, a -> (int) (byte) (int) a);
    checkUnary(UnaryOp.TO_SHORT, Kind.INT, Kind.INT, a -> (int) (short) (int) a);
    checkUnary(UnaryOp.TO_CHAR, Kind.INT, Kind.INT, a -> (int) (char) (int) a);
    checkUnary(UnaryOp.NEGATE, Kind.INT, Kind.INT, a -> -(int) a);
    checkUnary(UnaryOp.NEGATE, Kind.LONG, Kind.LONG, a -> -(long) a);
    checkUnary(UnaryOp.NEGATE, Kind.FLOAT, Kind.FLOAT, a -> -(float) a);
    checkUnary(UnaryOp.NEGATE, Kind.DOUBLE, Kind.DOUBLE, a -> -(double) a);
  }

  private static boolean holds(Condition condition, int order, boolean unordered) {
    return switch (condition) {
      case EQ -> !unordered && order == 0;
      case NE -> unordered || order != 0;
      case LT -> !unordered && order < 0;
      case LE -> !unordered && order <= 0;
      case GT -> !unordered && order > 0;
      case GE -> !unordered && order >= 0;
      case NOT_LT -> unordered || order >= 0;
      case NOT_LE -> unordered || order > 0;
      case NOT_GT -> unordered || order <= 0;
      case NOT_GE -> unordered || order < 0;
    };
  }

  @Test
  void conditionsTreatNanAsTheyPromise() {
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      for (Condition condition : Condition.values()) {
        IrBuilder ir = new IrBuilder(condition.name());
        int a = ir.parameter(Role.LEFT, 0, kind);
        int b = ir.parameter(Role.RIGHT, 0, kind);
        int yes = ir.newLabel();
        ir.branch(condition, a, b, yes);
        ir.returns(ir.constant(Kind.BOOLEAN, false));
        ir.label(yes);
        ir.returns(ir.constant(Kind.BOOLEAN, true));
        CompiledFunction f = FunctionCompiler.compile(ir.build(Kind.BOOLEAN));
        for (Object x : samples(kind)) {
          for (Object y : samples(kind)) {
            boolean unordered =
                !kind.isIntegral()
                    && (Double.isNaN(((Number) x).doubleValue())
                        || Double.isNaN(((Number) y).doubleValue()));
            int order =
                kind.isIntegral()
                    ? Long.compare(((Number) x).longValue(), ((Number) y).longValue())
                    : ((Number) x).doubleValue() < ((Number) y).doubleValue()
                        ? -1
                        : ((Number) x).doubleValue() > ((Number) y).doubleValue() ? 1 : 0;
            assertThat(f.call(x, y)[0])
                .as("%s %s %s", x, condition, y)
                .isEqualTo(holds(condition, order, unordered));
          }
        }
      }
    }
  }

  @Test
  void intrinsicsAreTheMethodsTheyName() {
    checkCall(Intrinsic.MIN, Kind.INT, Kind.INT, Kind.INT, (a, b) -> Math.min((int) a, (int) b));
    checkCall(
        Intrinsic.MAX, Kind.LONG, Kind.LONG, Kind.LONG, (a, b) -> Math.max((long) a, (long) b));
    checkCall(
        Intrinsic.MIN,
        Kind.FLOAT,
        Kind.FLOAT,
        Kind.FLOAT,
        (a, b) -> Math.min((float) a, (float) b));
    checkCall(
        Intrinsic.MAX,
        Kind.DOUBLE,
        Kind.DOUBLE,
        Kind.DOUBLE,
        (a, b) -> Math.max((double) a, (double) b));
    checkCall(
        Intrinsic.LEAST,
        Kind.FLOAT,
        Kind.FLOAT,
        Kind.FLOAT,
        (a, b) -> Float.compare((float) a, (float) b) <= 0 ? a : b);
    checkCall(
        Intrinsic.LEAST,
        Kind.DOUBLE,
        Kind.DOUBLE,
        Kind.DOUBLE,
        (a, b) -> Double.compare((double) a, (double) b) <= 0 ? a : b);
    checkCall(Intrinsic.ABS, Kind.INT, Kind.INT, a -> Math.abs((int) a));
    checkCall(Intrinsic.ABS, Kind.DOUBLE, Kind.DOUBLE, a -> Math.abs((double) a));
    checkCall(
        Intrinsic.COMPARE_TOTAL,
        Kind.INT,
        Kind.DOUBLE,
        Kind.DOUBLE,
        (a, b) -> Double.compare((double) a, (double) b));
    checkCall(
        Intrinsic.COMPARE_TOTAL,
        Kind.INT,
        Kind.BOOLEAN,
        Kind.BOOLEAN,
        (a, b) -> Boolean.compare((boolean) a, (boolean) b));
    checkCall(Intrinsic.SQRT, Kind.DOUBLE, Kind.DOUBLE, a -> Math.sqrt((double) a));
    checkCall(Intrinsic.SQRT, Kind.FLOAT, Kind.FLOAT, a -> (float) Math.sqrt((float) a));
    checkCall(Intrinsic.FLOOR, Kind.DOUBLE, Kind.DOUBLE, a -> Math.floor((double) a));
    checkCall(Intrinsic.CEIL, Kind.DOUBLE, Kind.DOUBLE, a -> Math.ceil((double) a));
    checkCall(Intrinsic.RINT, Kind.DOUBLE, Kind.DOUBLE, a -> Math.rint((double) a));
    checkCall(Intrinsic.ROUND, Kind.LONG, Kind.DOUBLE, a -> Math.round((double) a));
    checkCall(Intrinsic.ROUND, Kind.INT, Kind.FLOAT, a -> Math.round((float) a));
    checkCall(Intrinsic.SIGNUM, Kind.INT, Kind.LONG, a -> Long.signum((long) a));
    checkCall(Intrinsic.SIGNUM, Kind.FLOAT, Kind.FLOAT, a -> Math.signum((float) a));
    checkCall(
        Intrinsic.COPY_SIGN,
        Kind.DOUBLE,
        Kind.DOUBLE,
        Kind.DOUBLE,
        (a, b) -> Math.copySign((double) a, (double) b));
    checkCall(Intrinsic.EXP, Kind.DOUBLE, Kind.DOUBLE, a -> Math.exp((double) a));
    checkCall(Intrinsic.EXPM1, Kind.DOUBLE, Kind.DOUBLE, a -> Math.expm1((double) a));
    checkCall(Intrinsic.LOG, Kind.DOUBLE, Kind.DOUBLE, a -> Math.log((double) a));
    checkCall(Intrinsic.LOG10, Kind.DOUBLE, Kind.DOUBLE, a -> Math.log10((double) a));
    checkCall(Intrinsic.LOG1P, Kind.DOUBLE, Kind.DOUBLE, a -> Math.log1p((double) a));
    checkCall(Intrinsic.SIN, Kind.DOUBLE, Kind.DOUBLE, a -> Math.sin((double) a));
    checkCall(Intrinsic.ASIN, Kind.DOUBLE, Kind.DOUBLE, a -> Math.asin((double) a));
    checkCall(Intrinsic.ATAN, Kind.DOUBLE, Kind.DOUBLE, a -> Math.atan((double) a));
    checkCall(Intrinsic.SINH, Kind.DOUBLE, Kind.DOUBLE, a -> Math.sinh((double) a));
    checkCall(Intrinsic.TANH, Kind.DOUBLE, Kind.DOUBLE, a -> Math.tanh((double) a));
    checkCall(Intrinsic.CBRT, Kind.DOUBLE, Kind.DOUBLE, a -> Math.cbrt((double) a));
    checkCall(
        Intrinsic.POW,
        Kind.DOUBLE,
        Kind.DOUBLE,
        Kind.DOUBLE,
        (a, b) -> Math.pow((double) a, (double) b));
    checkCall(
        Intrinsic.ATAN2,
        Kind.DOUBLE,
        Kind.DOUBLE,
        Kind.DOUBLE,
        (a, b) -> Math.atan2((double) a, (double) b));
    checkCall(
        Intrinsic.HYPOT,
        Kind.DOUBLE,
        Kind.DOUBLE,
        Kind.DOUBLE,
        (a, b) -> Math.hypot((double) a, (double) b));
    checkCall(Intrinsic.IS_NAN, Kind.INT, Kind.DOUBLE, a -> Double.isNaN((double) a) ? 1 : 0);
    checkCall(
        Intrinsic.IS_INFINITE, Kind.INT, Kind.FLOAT, a -> Float.isInfinite((float) a) ? 1 : 0);
    checkCall(Intrinsic.IS_FINITE, Kind.INT, Kind.FLOAT, a -> Float.isFinite((float) a) ? 1 : 0);
    checkCall(Intrinsic.TO_BITS, Kind.LONG, Kind.DOUBLE, a -> Double.doubleToLongBits((double) a));
    checkCall(Intrinsic.TO_RAW_BITS, Kind.INT, Kind.FLOAT, a -> Float.floatToRawIntBits((float) a));
    checkCall(Intrinsic.FROM_BITS, Kind.DOUBLE, Kind.LONG, a -> Double.longBitsToDouble((long) a));
    checkCall(Intrinsic.FROM_BITS, Kind.FLOAT, Kind.INT, a -> Float.intBitsToFloat((int) a));
    checkCall(Intrinsic.BIT_COUNT, Kind.INT, Kind.LONG, a -> Long.bitCount((long) a));
    checkCall(
        Intrinsic.LEADING_ZEROS, Kind.INT, Kind.INT, a -> Integer.numberOfLeadingZeros((int) a));
    checkCall(
        Intrinsic.TRAILING_ZEROS, Kind.INT, Kind.LONG, a -> Long.numberOfTrailingZeros((long) a));
    checkCall(Intrinsic.REVERSE, Kind.LONG, Kind.LONG, a -> Long.reverse((long) a));
    checkCall(Intrinsic.HIGHEST_ONE_BIT, Kind.INT, Kind.INT, a -> Integer.highestOneBit((int) a));
    checkCall(Intrinsic.LOWEST_ONE_BIT, Kind.LONG, Kind.LONG, a -> Long.lowestOneBit((long) a));
    checkCall(
        Intrinsic.ROTATE_LEFT,
        Kind.LONG,
        Kind.LONG,
        Kind.INT,
        (a, b) -> Long.rotateLeft((long) a, (int) b));
    checkCall(
        Intrinsic.ROTATE_RIGHT,
        Kind.INT,
        Kind.INT,
        Kind.INT,
        (a, b) -> Integer.rotateRight((int) a, (int) b));
    checkCall(
        Intrinsic.MULTIPLY_HIGH,
        Kind.LONG,
        Kind.LONG,
        Kind.LONG,
        (a, b) -> Math.multiplyHigh((long) a, (long) b));
    checkCall(
        Intrinsic.FLOOR_DIV,
        Kind.INT,
        Kind.INT,
        Kind.INT,
        (a, b) -> Math.floorDiv((int) a, (int) b));
    checkCall(
        Intrinsic.FLOOR_MOD,
        Kind.LONG,
        Kind.LONG,
        Kind.LONG,
        (a, b) -> Math.floorMod((long) a, (long) b));
    checkCall(
        Intrinsic.FLOOR_MOD,
        Kind.INT,
        Kind.LONG,
        Kind.INT,
        (a, b) -> Math.floorMod((long) a, (int) b));
  }

  @Test
  void everyIntrinsicCompiles() {
    for (Intrinsic function : Intrinsic.values()) {
      Kind from =
          switch (function) {
            case FROM_BITS,
                BIT_COUNT,
                LEADING_ZEROS,
                TRAILING_ZEROS,
                REVERSE,
                HIGHEST_ONE_BIT,
                LOWEST_ONE_BIT,
                MULTIPLY_HIGH,
                FLOOR_DIV,
                FLOOR_MOD ->
                Kind.LONG;
            case ROTATE_LEFT, ROTATE_RIGHT -> Kind.INT;
            default -> Kind.DOUBLE;
          };
      Kind to =
          switch (function) {
            case COMPARE_TOTAL,
                IS_NAN,
                IS_FINITE,
                IS_INFINITE,
                BIT_COUNT,
                LEADING_ZEROS,
                TRAILING_ZEROS,
                ROTATE_LEFT,
                ROTATE_RIGHT ->
                Kind.INT;
            case ROUND,
                TO_BITS,
                TO_RAW_BITS,
                REVERSE,
                HIGHEST_ONE_BIT,
                LOWEST_ONE_BIT,
                MULTIPLY_HIGH,
                FLOOR_DIV,
                FLOOR_MOD ->
                Kind.LONG;
            default -> Kind.DOUBLE;
          };
      IrBuilder ir = new IrBuilder(function.name());
      Integer[] arguments = new Integer[function.arity()];
      Object[] values = new Object[function.arity()];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = ir.parameter(Role.VALUE, i, from);
        values[i] = samples(from)[2];
      }
      int result = ir.call(function, to, arguments);
      CompiledFunction f = FunctionCompiler.compile(ir.returns(result).build(to));
      assertThat(f.call(values)[0]).as("%s", function).isInstanceOf(to.box());
    }
  }

  @Test
  void tablesOfEveryKindAreRead() {
    List<Object> tables =
        List.of(
            new boolean[] {true, false},
            new int[] {5, -6},
            new long[] {7L << 40, -8},
            new float[] {-0f, 1.5f},
            new double[] {Double.NaN, 2.5});
    for (Kind kind : Kind.values()) {
      IrBuilder ir = new IrBuilder("lookup");
      int index = ir.parameter(Role.VALUE, 0, Kind.INT);
      CompiledFunction f =
          FunctionCompiler.compile(
              ir.returns(ir.load(kind.ordinal(), kind, index)).build(kind), tables);
      for (int i = 0; i < 2; i++) {
        assertThat(f.call(i)[0]).isEqualTo(Array.get(tables.get(kind.ordinal()), i));
      }
    }
  }

  @Test
  void loopsEmitsAndFaultsWork() {
    // for (i = 0; i < n; i++) { if (i == 3) throw; emit(DESTINATION, (long) i); }
    IrBuilder ir = new IrBuilder("send");
    int n = ir.parameter(Role.SOURCE, 0, Kind.INT);
    int i = ir.constant(Kind.INT, 0);
    int one = ir.constant(Kind.INT, 1);
    int three = ir.constant(Kind.INT, 3);
    int loop = ir.newLabel();
    int end = ir.newLabel();
    int fault = ir.newLabel();
    ir.label(loop).branch(Condition.GE, i, n, end).branch(Condition.EQ, i, three, fault);
    ir.emit(Side.DESTINATION, ir.unary(UnaryOp.CONVERT, Kind.LONG, i));
    ir.copy(i, ir.binary(BinaryOp.ADD, i, one)).jump(loop);
    ir.label(fault).fail(FaultCode.THROWN, "three");
    ir.label(end).returns();
    IrFunction send = ir.build();
    CompiledFunction f = FunctionCompiler.compile(send);
    List<Object> messages = new ArrayList<>();
    CompiledFunction.MessageSink sink = (side, message) -> messages.add(message[0]);
    assertThat(f.call(new Object[] {2}, sink)).isEmpty();
    assertThat(messages).containsExactly(0L, 1L);
    assertThatThrownBy(() -> f.call(new Object[] {9}, sink))
        .isInstanceOf(FunctionFault.class)
        .hasMessageContaining("three")
        .hasMessageContaining("Test.send:");
  }

  @Test
  void aVariableThatIsOnlyAssignedOnOnePathIsZeroOnTheOther() {
    IrBuilder ir = new IrBuilder("partial");
    int a = ir.parameter(Role.VALUE, 0, Kind.INT);
    int x = ir.variable(Kind.DOUBLE);
    int skip = ir.newLabel();
    int zero = ir.constant(Kind.INT, 0);
    ir.branch(Condition.EQ, a, zero, skip);
    ir.copy(x, ir.constant(Kind.DOUBLE, 2.5));
    ir.label(skip).returns(x);
    CompiledFunction f = FunctionCompiler.compile(ir.build(Kind.DOUBLE));
    assertThat(f.call(0)[0]).isEqualTo(0.0);
    assertThat(f.call(1)[0]).isEqualTo(2.5);
  }
}
