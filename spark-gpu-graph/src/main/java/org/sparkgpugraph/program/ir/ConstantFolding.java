package org.sparkgpugraph.program.ir;

import java.util.Map;

/** Java's arithmetic on constants. */
public final class ConstantFolding {
  private ConstantFolding() {}

  /** Decides a branch. Operands are boxes of one kind; Boolean counts as 0 or 1. */
  public static boolean test(Condition condition, Object left, Object right) {
    if (left instanceof Float || left instanceof Double) {
      return condition.holds(((Number) left).doubleValue(), ((Number) right).doubleValue());
    }
    return condition.holds(Long.compare(integer(left), integer(right)));
  }

  private static long integer(Object box) {
    return box instanceof Boolean flag ? (flag ? 1 : 0) : ((Number) box).longValue();
  }

  /**
   * What an instruction computes; null when that is not known, or not folded.
   *
   * @param target kind of the variable that it assigns
   * @param known values of the variables that it reads, where they are known
   */
  public static Object value(Insn insn, Kind target, Map<Integer, Object> known) {
    if (insn instanceof Insn.Constant constant) {
      return constant.value();
    } else if (insn instanceof Insn.Copy copy) {
      // A copy may make a BOOLEAN of an INT; both are computed with as numbers.
      return known.get(copy.source());
    } else if (insn instanceof Insn.Unary unary) {
      Object operand = known.get(unary.operand());
      return operand == null ? null : unary(unary.op(), target, operand);
    } else if (insn instanceof Insn.Binary binary) {
      Object left = known.get(binary.left());
      Object right = known.get(binary.right());
      return left == null || right == null ? null : binary(binary.op(), left, right);
    }
    return null;
  }

  /** The value of a unary operation, as a box of {@code target}; null when it is not folded. */
  public static Object unary(UnaryOp op, Kind target, Object value) {
    Number operand = value instanceof Boolean flag ? (Number) (flag ? 1 : 0) : (Number) value;
    return switch (op) {
      case NEGATE ->
          switch (target) {
            case INT, BOOLEAN -> -operand.intValue();
            case LONG -> -operand.longValue();
            case FLOAT -> -operand.floatValue();
            case DOUBLE -> -operand.doubleValue();
          };
      case CONVERT -> convert(operand, target);
      case TO_BYTE -> (int) operand.byteValue();
      case TO_SHORT -> (int) operand.shortValue();
      case TO_CHAR -> (int) (char) operand.intValue();
    };
  }

  // Number's own conversions go the same way as Java's casts for each of the four boxes: d2i and
  // d2l saturate, l2i truncates.
  private static Object convert(Number operand, Kind target) {
    return switch (target) {
      case INT -> operand.intValue();
      case LONG -> operand.longValue();
      case FLOAT -> operand.floatValue();
      case DOUBLE -> operand.doubleValue();
      case BOOLEAN -> null;
    };
  }

  /** The value of a binary operation, or null when it is not folded. */
  public static Object binary(BinaryOp op, Object left, Object right) {
    if (left instanceof Integer a && right instanceof Integer b) {
      return onInts(op, a, b);
    } else if (left instanceof Long a && (right instanceof Long || right instanceof Integer)) {
      return onLongs(op, a, ((Number) right).longValue());
    } else if (left instanceof Float a && right instanceof Float b) {
      return switch (op) {
        case ADD -> a + b;
        case SUBTRACT -> a - b;
        case MULTIPLY -> a * b;
        case DIVIDE -> a / b;
        case REMAINDER -> a % b;
        case COMPARE_L -> a > b ? 1 : a.floatValue() == b ? 0 : -1;
        case COMPARE_G -> a < b ? -1 : a.floatValue() == b ? 0 : 1;
        default -> null;
      };
    } else if (left instanceof Double a && right instanceof Double b) {
      return switch (op) {
        case ADD -> a + b;
        case SUBTRACT -> a - b;
        case MULTIPLY -> a * b;
        case DIVIDE -> a / b;
        case REMAINDER -> a % b;
        case COMPARE_L -> a > b ? 1 : a.doubleValue() == b ? 0 : -1;
        case COMPARE_G -> a < b ? -1 : a.doubleValue() == b ? 0 : 1;
        default -> null;
      };
    }
    return null;
  }

  private static Object onInts(BinaryOp op, int a, int b) {
    return switch (op) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> b == 0 ? null : (Integer) (a / b);
      case REMAINDER -> b == 0 ? null : (Integer) (a % b);
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHIFT_LEFT -> a << b;
      case SHIFT_RIGHT -> a >> b;
      case SHIFT_RIGHT_UNSIGNED -> a >>> b;
      case COMPARE_L, COMPARE_G -> Integer.compare(a, b);
    };
  }

  /** The right operand is a long, too, or the count of a shift. */
  private static Object onLongs(BinaryOp op, long a, long b) {
    return switch (op) {
      case ADD -> a + b;
      case SUBTRACT -> a - b;
      case MULTIPLY -> a * b;
      case DIVIDE -> b == 0 ? null : (Long) (a / b);
      case REMAINDER -> b == 0 ? null : (Long) (a % b);
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHIFT_LEFT -> a << b;
      case SHIFT_RIGHT -> a >> b;
      case SHIFT_RIGHT_UNSIGNED -> a >>> b;
      case COMPARE_L, COMPARE_G -> Long.compare(a, b);
    };
  }
}
