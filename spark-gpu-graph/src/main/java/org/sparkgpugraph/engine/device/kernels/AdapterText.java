package org.sparkgpugraph.engine.device.kernels;

import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sparkgpugraph.program.cuda.CTypes;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;
import org.sparkgpugraph.program.ir.Role;

/** Text of device functions that call the printed functions of a program. */
final class AdapterText {
  private static final String FAULT = "&f.status[SGG_STATUS_FAULT]";

  private final StringBuilder out = new StringBuilder();

  /** All of it. */
  @Override
  public String toString() {
    return out.toString();
  }

  AdapterText append(CharSequence text) {
    out.append(text);
    return this;
  }

  /** A function of some lines; there is none of those that are empty. */
  void function(String signature, String... lines) {
    out.append("SGG_DEVICE ").append(signature).append(" {\n");
    for (String line : lines) {
      if (!line.isEmpty()) {
        out.append("  ").append(line).append('\n');
      }
    }
    out.append("}\n");
  }

  /** Lines behind each other, for {@link #function}. */
  static String lines(Stream<String> lines) {
    return lines.collect(Collectors.joining("\n  "));
  }

  /** A call of a printed function with its tables. */
  static String call(
      String name, IrFunction function, String row, String result, Function<Param, String> value) {
    return call(name, function, row, result, value, function.tables());
  }

  /**
   * A call of a printed function.
   *
   * @param row what it names when it faults
   * @param result where its results go
   * @param value of a parameter
   * @param tables those that it is given
   */
  static String call(
      String name,
      IrFunction function,
      String row,
      String result,
      Function<Param, String> value,
      SortedMap<Integer, Kind> tables) {
    return name
        + "("
        + FAULT
        + ", "
        + row
        + function.parameters().stream()
            .map(p -> ", " + value.apply(p))
            .collect(Collectors.joining())
        + tables.keySet().stream()
            .map(t -> ", f." + FrameField.TABLE.of(t))
            .collect(Collectors.joining())
        + ", "
        + result
        + ");";
  }

  /** Reads a row of a column as it stands in registers. */
  static String load(String column, String row, ColumnType type) {
    return type.isArray()
        ? "sgg_row<%s, %d>(%s, %s)".formatted(register(type), type.width(), column, row)
        : cast(type, "%s[%s]".formatted(column, row));
  }

  /** The same at the other end of an edge. */
  static String gather(String column, String row, ColumnType type) {
    return type.isArray()
        ? load(column, row, type)
        : cast(type, "sgg_load_value(&%s[%s])".formatted(column, row));
  }

  private static String cast(ColumnType type, String cell) {
    return type == Kind.BOOLEAN ? "(int)" + cell : cell;
  }

  private static String register(ColumnType type) {
    return CTypes.register(type.kind());
  }

  /** Writes a row of a column from registers. */
  static String store(String column, String row, ColumnType type, String value) {
    return type.isArray()
        ? "sgg_store_row(%s, %s, %s);".formatted(column, row, value)
        : "%s[%s] = %s%s;"
            .formatted(column, row, type == Kind.BOOLEAN ? "(unsigned char)" : "", value);
  }

  /** As {@link #load}, of what a launch reads once: caches keep something else. */
  static String loadOnce(String column, String row, ColumnType type) {
    return type.isArray()
        ? load(column, row, type)
        : cast(type, "sgg_load_once(&%s[%s])".formatted(column, row));
  }

  /** As {@link #store}, of what is not read soon. */
  static String storeOnce(String column, String row, ColumnType type, String value) {
    return type.isArray() || type == Kind.BOOLEAN
        ? store(column, row, type, value)
        : "sgg_store_once(&%s[%s], %s);".formatted(column, row, value);
  }

  /** Copies a row of a column to one of another. */
  static String copy(String to, String toRow, ColumnType type, String from, String fromRow) {
    return type.isArray()
        ? "sgg_copy_row<%d>(%s, %s, %s, %s);".formatted(type.width(), to, toRow, from, fromRow)
        : "%s[%s] = %s[%s];".formatted(to, toRow, from, fromRow);
  }

  /** Parameters of a send function, of a struct {@code own} for a row and {@code x} for an edge. */
  static Function<Param, String> ofEdge(Role own, Role other, Role ownId, Role otherId) {
    return p -> {
      if (p.role() == own) {
        return "own.own" + p.index();
      } else if (p.role() == other) {
        return "x.other" + p.index();
      } else if (p.role() == ownId) {
        return "own.ownId";
      } else if (p.role() == otherId) {
        return "x.otherId";
      } else if (p.role() == Role.EDGE) {
        return "x.edge" + p.index();
      }
      return context(p);
    };
  }

  /** Parameters that are the same for all vertices. */
  static String context(Param p) {
    return switch (p.role()) {
      case CAPTURE -> "f.capture" + p.index();
      case SUPERSTEP -> "(int)f.superstep";
      case VERTEX_COUNT -> "f.vertexCount";
      case AGGREGATE -> "f.aggregate" + p.index();
      default -> throw new IllegalArgumentException(p + " means nothing in this function");
    };
  }
}
