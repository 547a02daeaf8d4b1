package org.sparkgpugraph.program.cuda;

import java.util.List;
import java.util.Locale;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lanes.Reduction;

/** How kinds are written in C: types in registers and in memory, structs of columns, literals. */
public final class CTypes {
  private static final int EXACT_DECIMAL_LIMIT = 1 << 20;
  private static final int EXACT_DECIMAL_FRACTION = 1 << 10;

  private CTypes() {}

  /** Type of a variable, parameter or struct member; a BOOLEAN is an int that is 0 or 1. */
  public static String register(Kind kind) {
    return switch (kind) {
      case BOOLEAN, INT -> "int";
      case LONG -> "long long";
      case FLOAT -> "float";
      case DOUBLE -> "double";
    };
  }

  /** Type of a value of a column, in registers. */
  public static String value(ColumnType type) {
    return type.isArray()
        ? "sgg_array<%s, %d>".formatted(register(type.kind()), type.width())
        : register(type.kind());
  }

  /** Type of what one of the lanes that share arrays has of one. */
  public static String part(Kind kind) {
    return "sgg_array<" + register(kind) + ", SGG_FEATURE_EACH>";
  }

  /** The functor of {@code joins.cuh} that joins what lanes have. */
  public static String join(Reduction.Operator operator) {
    String name = operator.name().toLowerCase(Locale.ROOT);
    return "Join" + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1);
  }

  /** Type of an element of a column in memory; {@link Kind#bytes()} bytes. */
  public static String memory(Kind kind) {
    return kind == Kind.BOOLEAN ? "unsigned char" : register(kind);
  }

  /**
   * A struct with one member per column: {@code struct NAME { int c0; sgg_array<double, 4> c1; };}
   * and a line end.
   */
  public static String struct(String name, List<ColumnType> columns) {
    StringBuilder out = new StringBuilder("struct ").append(name).append(" {");
    for (int c = 0; c < columns.size(); c++) {
      out.append(' ').append(value(columns.get(c))).append(" c").append(c).append(';');
    }
    return out.append(" };\n").toString();
  }

  /**
   * An expression with exactly this value, also for infinities, −0.0 and NaN (to the bit).
   *
   * @param value a Boolean, Integer, Long, Float or Double
   */
  public static String literal(Object value) {
    if (value instanceof Boolean b) {
      return b ? "1" : "0";
    } else if (value instanceof Integer i) {
      return i == Integer.MIN_VALUE ? "(-2147483647 - 1)" : Integer.toString(i);
    } else if (value instanceof Long l) {
      return l == Long.MIN_VALUE ? "(-9223372036854775807LL - 1)" : l + "LL";
    } else if (value instanceof Float f) {
      if (!Float.isFinite(f)) {
        return "sgg_float_from_bits(0x%08xU) /* %s */".formatted(Float.floatToRawIntBits(f), f);
      }
      return isPlain(f) ? f + "f" : Float.toHexString(f) + "f /* " + f + " */";
    } else if (value instanceof Double d) {
      if (!Double.isFinite(d)) {
        return "sgg_double_from_bits(0x%016xULL) /* %s */"
            .formatted(Double.doubleToRawLongBits(d), d);
      }
      return isPlain(d) ? d.toString() : Double.toHexString(d) + " /* " + d + " */";
    }
    throw new IllegalArgumentException(
        "no C literal for " + value + " of " + (value == null ? "no type" : value.getClass()));
  }

  /** Whether the decimal digits are the value itself, so that no compiler has to round. */
  private static boolean isPlain(double value) {
    double scaled = value * EXACT_DECIMAL_FRACTION;
    return Math.abs(value) < EXACT_DECIMAL_LIMIT
        && scaled == Math.rint(scaled)
        && (value == 0 || Math.abs(value) >= 1.0 / EXACT_DECIMAL_FRACTION);
  }
}
