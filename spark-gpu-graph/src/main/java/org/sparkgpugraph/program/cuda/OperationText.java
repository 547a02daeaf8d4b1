package org.sparkgpugraph.program.cuda;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.UnaryOp;

/**
 * Operations as C expressions. Where C's meaning is Java's (floating-point arithmetic without
 * contraction, bitwise operations) the operator is printed, elsewhere a call of {@code java.cuh},
 * whose functions are overloaded by kind.
 */
final class OperationText {
  private OperationText() {}

  static String unary(UnaryOp op, Kind from, Kind to, String operand) {
    return switch (op) {
      case NEGATE -> from.isIntegral() ? "sgg_negate(" + operand + ")" : "-" + operand;
      case CONVERT -> convert(from, to, operand);
      case TO_BYTE -> "sgg_to_byte(" + operand + ")";
      case TO_SHORT -> "sgg_to_short(" + operand + ")";
      case TO_CHAR -> "sgg_to_char(" + operand + ")";
    };
  }

  /** Java's conversion between kinds; BOOLEAN and INT are one. */
  static String convert(Kind from, Kind to, String operand) {
    String target = CTypes.register(to);
    if (CTypes.register(from).equals(target)) {
      return operand;
    } else if (from.isIntegral() || !to.isIntegral()) {
      return "(" + target + ")" + operand;
    }
    return (to == Kind.LONG ? "sgg_to_long(" : "sgg_to_int(") + operand + ")";
  }

  static String binary(BinaryOp op, Kind kind, String left, String right) {
    boolean integral = kind.isIntegral();
    return switch (op) {
      case ADD -> integral ? two("sgg_add", left, right) : left + " + " + right;
      case SUBTRACT -> integral ? two("sgg_subtract", left, right) : left + " - " + right;
      case MULTIPLY -> integral ? two("sgg_multiply", left, right) : left + " * " + right;
      case DIVIDE -> integral ? two("sgg_divide", left, right) : left + " / " + right;
      case REMAINDER -> two("sgg_remainder", left, right);
      case AND -> left + " & " + right;
      case OR -> left + " | " + right;
      case XOR -> left + " ^ " + right;
      case SHIFT_LEFT -> two("sgg_shift_left", left, right);
      case SHIFT_RIGHT -> two("sgg_shift_right", left, right);
      case SHIFT_RIGHT_UNSIGNED -> two("sgg_shift_right_unsigned", left, right);
      case COMPARE_L -> two("sgg_compare_l", left, right);
      case COMPARE_G -> two("sgg_compare_g", left, right);
    };
  }

  static String condition(Condition condition, String left, String right) {
    return switch (condition) {
      case EQ -> left + " == " + right;
      case NE -> left + " != " + right;
      case LT -> left + " < " + right;
      case LE -> left + " <= " + right;
      case GT -> left + " > " + right;
      case GE -> left + " >= " + right;
      case NOT_LT -> "!(" + left + " < " + right + ")";
      case NOT_LE -> "!(" + left + " <= " + right + ")";
      case NOT_GT -> "!(" + left + " > " + right + ")";
      case NOT_GE -> "!(" + left + " >= " + right + ")";
    };
  }

  /**
   * A call of a library function: {@code sgg_} and the intrinsic's name in small letters.
   *
   * @param kinds kinds of the arguments
   * @param target kind of the result
   */
  static String call(Insn.Call call, List<Kind> kinds, List<String> arguments, Kind target) {
    if (kinds.size() != call.function().arity()) {
      throw new IllegalArgumentException(
          call.function() + " takes " + call.function().arity() + " arguments: " + call);
    }
    String name = "sgg_" + call.function().name().toLowerCase(Locale.ROOT);
    if (!call.function().isReal()
        || (call.function().isExact() && target == Kind.FLOAT && kinds.get(0) == Kind.FLOAT)) {
      return name + "(" + String.join(", ", arguments) + ")";
    }
    // Java has these on doubles only: a FLOAT is widened, a FLOAT result narrowed.
    List<String> widened = new ArrayList<>();
    for (int i = 0; i < kinds.size(); i++) {
      widened.add(convert(kinds.get(i), Kind.DOUBLE, arguments.get(i)));
    }
    return (target == Kind.FLOAT ? "(float)" : "") + name + "(" + String.join(", ", widened) + ")";
  }

  private static String two(String function, String left, String right) {
    return function + "(" + left + ", " + right + ")";
  }
}
