package org.sparkgpugraph.program.ir;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs an {@link IrFunction} one instruction at a time: the oracle for the printers. Written for
 * obviousness; shares no code with the library.
 */
public final class IrOracle {
  private static final int MAX_STEPS = 1_000_000;

  /** Gives the value of a parameter. */
  @FunctionalInterface
  public interface Inputs {
    /** The box of column {@code index} of {@code role}. */
    Object get(Role role, int index);
  }

  /** A message sent. */
  public record Sent(Side side, List<Object> message) {}

  /**
   * What a run did.
   *
   * @param values the result columns; null after a fault
   * @param sent the messages
   * @param fault null, or why it stopped
   */
  public record Outcome(List<Object> values, List<Sent> sent, Insn.Fail fault) {}

  private IrOracle() {}

  /** Runs a function without tables. */
  public static Outcome run(IrFunction function, Inputs inputs) {
    return run(function, inputs, List.of());
  }

  /**
   * Runs a function.
   *
   * @param tables arrays of primitives
   */
  public static Outcome run(IrFunction function, Inputs inputs, List<Object> tables) {
    Object[] variables = new Object[function.variables().size()];
    for (Param parameter : function.parameters()) {
      Object value = inputs.get(parameter.role(), parameter.index());
      if (Kind.of(value.getClass()) != function.variables().get(parameter.variable())) {
        throw new IllegalStateException(parameter + " is given " + value);
      }
      variables[parameter.variable()] = value instanceof Boolean b ? (b ? 1 : 0) : value;
    }
    int[] labels = new int[function.labels()];
    java.util.Arrays.fill(labels, -1);
    for (int i = 0; i < function.code().size(); i++) {
      if (function.code().get(i) instanceof Insn.Label label) {
        if (labels[label.label()] != -1) {
          throw new IllegalStateException("label " + label + " twice");
        }
        labels[label.label()] = i;
      }
    }
    List<Sent> sent = new ArrayList<>();
    int pc = 0;
    for (int steps = 0; steps < MAX_STEPS; steps++) {
      Insn insn = function.code().get(pc++);
      if (insn instanceof Insn.Constant c) {
        variables[c.target()] = c.value() instanceof Boolean b ? (b ? 1 : 0) : c.value();
      } else if (insn instanceof Insn.Copy c) {
        variables[c.target()] = read(variables, c.source());
      } else if (insn instanceof Insn.Unary u) {
        variables[u.target()] =
            unary(u.op(), function.variables().get(u.target()), read(variables, u.operand()));
      } else if (insn instanceof Insn.Binary b) {
        variables[b.target()] =
            binary(b.op(), read(variables, b.left()), read(variables, b.right()));
      } else if (insn instanceof Insn.Call c) {
        Object[] arguments =
            c.arguments().stream().map(a -> read(variables, a)).toArray(Object[]::new);
        variables[c.target()] = call(c.function(), function.variables().get(c.target()), arguments);
      } else if (insn instanceof Insn.Load l) {
        Object element = Array.get(tables.get(l.table()), (Integer) read(variables, l.index()));
        if (Kind.of(element.getClass()) != l.kind()) {
          throw new IllegalStateException("table " + l.table() + " has a " + element);
        }
        variables[l.target()] = element instanceof Boolean b ? (b ? 1 : 0) : element;
      } else if (insn instanceof Insn.Filled f) {
        Object[] elements = new Object[f.length()];
        java.util.Arrays.fill(elements, read(variables, f.value()));
        variables[f.target()] = elements;
      } else if (insn instanceof Insn.Element e) {
        Object[] elements = (Object[]) read(variables, e.array());
        variables[e.target()] = elements[(Integer) read(variables, e.index())];
      } else if (insn instanceof Insn.With w) {
        Object[] elements = ((Object[]) read(variables, w.array())).clone();
        elements[(Integer) read(variables, w.index())] = read(variables, w.value());
        variables[w.target()] = elements;
      } else if (insn instanceof Insn.Branch b) {
        if (test(b.condition(), read(variables, b.left()), read(variables, b.right()))) {
          pc = labels[b.label()];
        }
      } else if (insn instanceof Insn.Switch s) {
        int at = s.keys().indexOf(read(variables, s.value()));
        pc = labels[at < 0 ? s.otherwise() : s.labels().get(at)];
      } else if (insn instanceof Insn.Jump j) {
        pc = labels[j.label()];
      } else if (insn instanceof Insn.Emit e) {
        sent.add(new Sent(e.side(), e.message().stream().map(m -> read(variables, m)).toList()));
      } else if (insn instanceof Insn.Return r) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < r.values().size(); i++) {
          Object value = read(variables, r.values().get(i));
          Kind kind = function.results().get(i).kind();
          Object box = kind == Kind.BOOLEAN ? (Object) bool(value) : value;
          if (box.getClass() != kind.box()) {
            throw new IllegalStateException("result " + i + " is " + box + ", not " + kind);
          }
          values.add(box);
        }
        return new Outcome(values, sent, null);
      } else if (insn instanceof Insn.Fail f) {
        return new Outcome(null, sent, f);
      }
    }
    throw new IllegalStateException("no end after " + MAX_STEPS + " steps");
  }

  private static Object read(Object[] variables, int variable) {
    if (variables[variable] == null) {
      throw new IllegalStateException("v" + variable + " is read before it is written");
    }
    return variables[variable];
  }

  private static boolean bool(Object value) {
    return switch ((Integer) value) {
      case 0 -> false;
      case 1 -> true;
      default -> throw new IllegalStateException("a boolean is " + value);
    };
  }

  private static boolean test(Condition condition, Object left, Object right) {
    if (left instanceof Integer a && right instanceof Integer b) {
      return switch (condition) {
        case EQ -> a.intValue() == b.intValue();
        case NE -> a.intValue() != b.intValue();
        case LT, NOT_GE -> a < b;
        case LE, NOT_GT -> a <= b;
        case GT, NOT_LE -> a > b;
        case GE, NOT_LT -> a >= b;
      };
    } else if (left instanceof Long a && right instanceof Long b) {
      return switch (condition) {
        case EQ -> a.longValue() == b.longValue();
        case NE -> a.longValue() != b.longValue();
        case LT, NOT_GE -> a < b;
        case LE, NOT_GT -> a <= b;
        case GT, NOT_LE -> a > b;
        case GE, NOT_LT -> a >= b;
      };
    } else if (left.getClass() != right.getClass()) {
      throw new IllegalStateException(left + " " + condition + " " + right);
    }
    double a = ((Number) left).doubleValue();
    double b = ((Number) right).doubleValue();
    return switch (condition) {
      case EQ -> a == b;
      case NE -> a != b;
      case LT -> a < b;
      case LE -> a <= b;
      case GT -> a > b;
      case GE -> a >= b;
      case NOT_LT -> !(a < b);
      case NOT_LE -> !(a <= b);
      case NOT_GT -> !(a > b);
      case NOT_GE -> !(a >= b);
    };
  }

  private static Object unary(UnaryOp op, Kind target, Object operand) {
    if (op == UnaryOp.CONVERT) {
      if (operand instanceof Integer i) {
        return switch (target) {
          case INT -> i;
          case LONG -> (Object) (long) i;
          case FLOAT -> (Object) (float) i;
          case DOUBLE -> (Object) (double) i;
          case BOOLEAN -> throw new IllegalStateException("to BOOLEAN");
        };
      } else if (operand instanceof Long l) {
        return switch (target) {
          case INT -> (Object) (int) (long) l;
          case LONG -> l;
          case FLOAT -> (Object) (float) l;
          case DOUBLE -> (Object) (double) l;
          case BOOLEAN -> throw new IllegalStateException("to BOOLEAN");
        };
      } else if (operand instanceof Float f) {
        return switch (target) {
          case INT -> (Object) (int) (float) f;
          case LONG -> (Object) (long) (float) f;
          case FLOAT -> f;
          case DOUBLE -> (Object) (double) f;
          case BOOLEAN -> throw new IllegalStateException("to BOOLEAN");
        };
      }
      double d = (Double) operand;
      return switch (target) {
        case INT -> (Object) (int) d;
        case LONG -> (Object) (long) d;
        case FLOAT -> (Object) (float) d;
        case DOUBLE -> (Object) d;
        case BOOLEAN -> throw new IllegalStateException("to BOOLEAN");
      };
    }
    if (op == UnaryOp.NEGATE) {
      if (operand instanceof Integer i) {
        return -i;
      } else if (operand instanceof Long l) {
        return -l;
      } else if (operand instanceof Float f) {
        return -f;
      }
      return -(Double) operand;
    }
    int i = (Integer) operand;
    return switch (op) {
      case TO_BYTE -> (int) (byte) i;
      case TO_SHORT -> (int) (short) i;
      default -> (int) (char) i;
    };
  }

  private static Object binary(BinaryOp op, Object left, Object right) {
    if (left instanceof Integer a && right instanceof Integer b) {
      return switch (op) {
        case ADD -> a + b;
        case SUBTRACT -> a - b;
        case MULTIPLY -> a * b;
        case DIVIDE -> a / b;
        case REMAINDER -> a % b;
        case AND -> a & b;
        case OR -> a | b;
        case XOR -> a ^ b;
        case SHIFT_LEFT -> a << b;
        case SHIFT_RIGHT -> a >> b;
        case SHIFT_RIGHT_UNSIGNED -> a >>> b;
        case COMPARE_L, COMPARE_G -> a < b ? -1 : a > b ? 1 : 0;
      };
    } else if (left instanceof Long a && right instanceof Long b) {
      return switch (op) {
        case ADD -> (Object) (a + b);
        case SUBTRACT -> (Object) (a - b);
        case MULTIPLY -> (Object) (a * b);
        case DIVIDE -> (Object) (a / b);
        case REMAINDER -> (Object) (a % b);
        case AND -> (Object) (a & b);
        case OR -> (Object) (a | b);
        case XOR -> (Object) (a ^ b);
        case COMPARE_L, COMPARE_G -> (Object) (a < b ? -1 : a > b ? 1 : 0);
        default -> throw new IllegalStateException(op + " on LONG and LONG");
      };
    } else if (left instanceof Long a && right instanceof Integer b) {
      return switch (op) {
        case SHIFT_LEFT -> a << b;
        case SHIFT_RIGHT -> a >> b;
        case SHIFT_RIGHT_UNSIGNED -> a >>> b;
        default -> throw new IllegalStateException(op + " on LONG and INT");
      };
    } else if (left instanceof Float a && right instanceof Float b) {
      return switch (op) {
        case ADD -> (Object) (a + b);
        case SUBTRACT -> (Object) (a - b);
        case MULTIPLY -> (Object) (a * b);
        case DIVIDE -> (Object) (a / b);
        case REMAINDER -> (Object) (a % b);
        case COMPARE_L -> (Object) compare(a, b, -1);
        case COMPARE_G -> (Object) compare(a, b, 1);
        default -> throw new IllegalStateException(op + " on FLOAT");
      };
    }
    double a = (Double) left;
    double b = (Double) right;
    return switch (op) {
      case ADD -> (Object) (a + b);
      case SUBTRACT -> (Object) (a - b);
      case MULTIPLY -> (Object) (a * b);
      case DIVIDE -> (Object) (a / b);
      case REMAINDER -> (Object) (a % b);
      case COMPARE_L -> (Object) compare(a, b, -1);
      case COMPARE_G -> (Object) compare(a, b, 1);
      default -> throw new IllegalStateException(op + " on DOUBLE");
    };
  }

  private static int compare(double a, double b, int onNan) {
    return Double.isNaN(a) || Double.isNaN(b) ? onNan : a < b ? -1 : a > b ? 1 : 0;
  }

  private static Object call(Intrinsic function, Kind result, Object[] x) {
    Object a = x[0];
    Object b = x.length > 1 ? x[1] : null;
    switch (function) {
      case MIN:
        return a instanceof Integer i
            ? (Object) Math.min(i, (Integer) b)
            : a instanceof Long l
                ? (Object) Math.min(l, (Long) b)
                : a instanceof Float f
                    ? (Object) Math.min(f, (Float) b)
                    : (Object) Math.min((Double) a, (Double) b);
      case LEAST:
        return a instanceof Float f
            ? (Object) (Float.compare(f, (Float) b) <= 0 ? f : (Float) b)
            : (Object) (Double.compare((Double) a, (Double) b) <= 0 ? (Double) a : (Double) b);
      case MAX:
        return a instanceof Integer i
            ? (Object) Math.max(i, (Integer) b)
            : a instanceof Long l
                ? (Object) Math.max(l, (Long) b)
                : a instanceof Float f
                    ? (Object) Math.max(f, (Float) b)
                    : (Object) Math.max((Double) a, (Double) b);
      case ABS:
        return a instanceof Integer i
            ? (Object) Math.abs(i)
            : a instanceof Long l
                ? (Object) Math.abs(l)
                : a instanceof Float f ? (Object) Math.abs(f) : (Object) Math.abs((Double) a);
      case COMPARE_TOTAL:
        return a instanceof Integer i
            ? Integer.compare(i, (Integer) b)
            : a instanceof Long l
                ? Long.compare(l, (Long) b)
                : a instanceof Float f
                    ? Float.compare(f, (Float) b)
                    : Double.compare((Double) a, (Double) b);
      case ROUND:
        return a instanceof Float f ? (Object) Math.round(f) : (Object) Math.round((Double) a);
      case FMA:
        return a instanceof Float f
            ? (Object) Math.fma(f, (Float) b, (Float) x[2])
            : (Object) Math.fma((Double) a, (Double) b, (Double) x[2]);
      case SIGNUM:
        return a instanceof Integer i
            ? (Object) Integer.signum(i)
            : a instanceof Long l
                ? (Object) Long.signum(l)
                : a instanceof Float f ? (Object) Math.signum(f) : (Object) Math.signum((Double) a);
      case COPY_SIGN:
        return a instanceof Float f
            ? (Object) StrictMath.copySign(f, (Float) b)
            : (Object) StrictMath.copySign((Double) a, (Double) b);
      case IS_NAN:
        return Double.isNaN(((Number) a).doubleValue()) ? 1 : 0;
      case IS_INFINITE:
        return Double.isInfinite(((Number) a).doubleValue()) ? 1 : 0;
      case IS_FINITE:
        return Double.isFinite(((Number) a).doubleValue()) ? 1 : 0;
      case TO_BITS:
        return a instanceof Float f
            ? (Object) Float.floatToIntBits(f)
            : (Object) Double.doubleToLongBits((Double) a);
      case TO_RAW_BITS:
        return a instanceof Float f
            ? (Object) Float.floatToRawIntBits(f)
            : (Object) Double.doubleToRawLongBits((Double) a);
      case FROM_BITS:
        return a instanceof Integer i
            ? (Object) Float.intBitsToFloat(i)
            : (Object) Double.longBitsToDouble((Long) a);
      case BIT_COUNT:
        return a instanceof Integer i ? Integer.bitCount(i) : Long.bitCount((Long) a);
      case LEADING_ZEROS:
        return a instanceof Integer i
            ? Integer.numberOfLeadingZeros(i)
            : Long.numberOfLeadingZeros((Long) a);
      case TRAILING_ZEROS:
        return a instanceof Integer i
            ? Integer.numberOfTrailingZeros(i)
            : Long.numberOfTrailingZeros((Long) a);
      case REVERSE:
        return a instanceof Integer i
            ? (Object) Integer.reverse(i)
            : (Object) Long.reverse((Long) a);
      case HIGHEST_ONE_BIT:
        return a instanceof Integer i
            ? (Object) Integer.highestOneBit(i)
            : (Object) Long.highestOneBit((Long) a);
      case LOWEST_ONE_BIT:
        return a instanceof Integer i
            ? (Object) Integer.lowestOneBit(i)
            : (Object) Long.lowestOneBit((Long) a);
      case ROTATE_LEFT:
        return a instanceof Integer i
            ? (Object) Integer.rotateLeft(i, (Integer) b)
            : (Object) Long.rotateLeft((Long) a, (Integer) b);
      case ROTATE_RIGHT:
        return a instanceof Integer i
            ? (Object) Integer.rotateRight(i, (Integer) b)
            : (Object) Long.rotateRight((Long) a, (Integer) b);
      case MULTIPLY_HIGH:
        return Math.multiplyHigh((Long) a, (Long) b);
      case FLOOR_DIV:
        return a instanceof Integer i
            ? (Object) Math.floorDiv(i, (Integer) b)
            : (Object) Math.floorDiv((Long) a, ((Number) b).longValue());
      case FLOOR_MOD:
        return a instanceof Integer i
            ? (Object) Math.floorMod(i, (Integer) b)
            : b instanceof Integer j
                ? (Object) Math.floorMod((Long) a, j)
                : (Object) Math.floorMod((Long) a, (Long) b);
      default:
        double value =
            onDoubles(
                function,
                ((Number) a).doubleValue(),
                b == null ? null : (Double) ((Number) b).doubleValue());
        return result == Kind.FLOAT ? (Object) (float) value : (Object) value;
    }
  }

  private static Double onDoubles(Intrinsic function, double a, Double b) {
    return switch (function) {
      case SQRT -> Math.sqrt(a);
      case FLOOR -> Math.floor(a);
      case CEIL -> Math.ceil(a);
      case RINT -> Math.rint(a);
      case EXP -> Math.exp(a);
      case EXPM1 -> Math.expm1(a);
      case LOG -> Math.log(a);
      case LOG10 -> Math.log10(a);
      case LOG1P -> Math.log1p(a);
      case SIN -> Math.sin(a);
      case COS -> Math.cos(a);
      case TAN -> Math.tan(a);
      case ASIN -> Math.asin(a);
      case ACOS -> Math.acos(a);
      case ATAN -> Math.atan(a);
      case ATAN2 -> Math.atan2(a, b);
      case SINH -> Math.sinh(a);
      case COSH -> Math.cosh(a);
      case TANH -> Math.tanh(a);
      case CBRT -> Math.cbrt(a);
      case HYPOT -> Math.hypot(a, b);
      case POW -> Math.pow(a, b);
      default -> throw new IllegalStateException(function + " on DOUBLE");
    };
  }
}
