package org.sparkgpugraph.frame.pregel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.program.ir.Kind;

/** Cells that are made of others. */
final class Cells {
  private Cells() {}

  /** A truth value. */
  static Cell.Scalar truth(int variable, int valid) {
    return new Cell.Scalar(Kind.BOOLEAN, variable, valid);
  }

  /** Null of a type. */
  static Cell none(CodeWriter code, DataType type) {
    return zero(code, type).valid(Cell.NEVER);
  }

  private static Cell zero(CodeWriter code, DataType type) {
    if (type instanceof StructType struct) {
      List<Cell> fields = new ArrayList<>();
      for (StructField field : struct.fields()) {
        fields.add(zero(code, field.dataType()));
      }
      return new Cell.Struct(fields, Cell.ALWAYS);
    }
    Kind kind = ((Layout.Scalar) Layout.of(type, false, "null")).kind();
    return new Cell.Scalar(kind, code.constant(kind, 0), Cell.ALWAYS);
  }

  /** The one cell where a truth value is 1, the other elsewhere; only that one is computed. */
  static Cell branch(
      CodeWriter code, int truth, Supplier<? extends Cell> then, Supplier<? extends Cell> other) {
    if (code.known(truth) instanceof Integer value) {
      return value == 0 ? other.get() : then.get();
    }
    Cell[] cells = new Cell[2];
    List<Integer> merged =
        code.branch(
            truth,
            () -> {
              cells[0] = then.get();
              return variables(code, cells[0]);
            },
            () -> {
              cells[1] = other.get();
              return variables(code, cells[1]);
            });
    return merged(code, cells[0], cells[1], new ArrayList<>(merged));
  }

  private static List<Integer> variables(CodeWriter code, Cell cell) {
    List<Integer> variables = new ArrayList<>();
    variables.add(code.flag(cell.valid()));
    if (cell instanceof Cell.Scalar scalar) {
      variables.add(scalar.variable());
    } else {
      ((Cell.Struct) cell).fields().forEach(field -> variables.addAll(variables(code, field)));
    }
    return variables;
  }

  private static Cell merged(CodeWriter code, Cell one, Cell other, List<Integer> variables) {
    int flag = variables.remove(0);
    boolean same = one.valid() == other.valid() && one.valid() < 0;
    int valid = same ? one.valid() : flag;
    if (one instanceof Cell.Scalar scalar) {
      return new Cell.Scalar(scalar.kind(), variables.remove(0), valid);
    }
    List<Cell> fields = new ArrayList<>();
    for (int i = 0; i < ((Cell.Struct) one).fields().size(); i++) {
      fields.add(
          merged(
              code,
              ((Cell.Struct) one).fields().get(i),
              ((Cell.Struct) other).fields().get(i),
              variables));
    }
    return new Cell.Struct(fields, valid);
  }
}
