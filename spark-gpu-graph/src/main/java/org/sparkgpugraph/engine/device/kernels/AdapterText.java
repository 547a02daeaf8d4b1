package org.sparkgpugraph.engine.device.kernels;

import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;

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

  /** Reads a cell of a column as it stands in a register. */
  static String load(String cell, Kind kind) {
    return kind == Kind.BOOLEAN ? "(int)" + cell : cell;
  }

  /** Writes a cell of a column from a register. */
  static String store(String cell, Kind kind, String value) {
    return cell + " = " + (kind == Kind.BOOLEAN ? "(unsigned char)" : "") + value + ";";
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
