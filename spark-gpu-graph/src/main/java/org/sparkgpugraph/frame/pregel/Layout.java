package org.sparkgpugraph.frame.pregel;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * The columns of primitives that a column of a table is kept in: one of its value, and before that
 * one that says whether there is a value, where it may be null; of a struct those of its fields.
 */
sealed interface Layout extends Serializable {
  /** Whether there is a column for nulls. */
  boolean nullable();

  /** Kinds of the columns. */
  List<Kind> kinds();

  /** A number or truth value. */
  record Scalar(Kind kind, boolean nullable) implements Layout {
    @Override
    public List<Kind> kinds() {
      return nullable ? List.of(Kind.BOOLEAN, kind) : List.of(kind);
    }
  }

  /** A struct. */
  record Struct(List<Layout> fields, boolean nullable) implements Layout {
    public Struct {
      fields = List.copyOf(fields);
    }

    @Override
    public List<Kind> kinds() {
      List<Kind> kinds = new ArrayList<>();
      if (nullable) {
        kinds.add(Kind.BOOLEAN);
      }
      fields.forEach(field -> kinds.addAll(field.kinds()));
      return List.copyOf(kinds);
    }
  }

  /**
   * The kind that values of a type have.
   *
   * @return null where the type is none that programs compute with
   */
  static Kind kind(DataType type) {
    if (type instanceof BooleanType || type instanceof NullType) {
      return Kind.BOOLEAN;
    } else if (type instanceof IntegerType
        || type instanceof ShortType
        || type instanceof ByteType
        || type instanceof DateType) {
      return Kind.INT;
    } else if (type instanceof LongType
        || type instanceof TimestampType
        || type instanceof TimestampNTZType) {
      return Kind.LONG;
    } else if (type instanceof FloatType) {
      return Kind.FLOAT;
    }
    return type instanceof DoubleType ? Kind.DOUBLE : null;
  }

  /**
   * The layout of a column.
   *
   * @throws UnliftableException for a type that programs do not compute with
   */
  static Layout of(DataType type, boolean nullable, String what) {
    if (type instanceof StructType struct) {
      List<Layout> fields = new ArrayList<>();
      for (StructField field : struct.fields()) {
        fields.add(of(field.dataType(), field.nullable(), what + "." + field.name()));
      }
      return new Struct(fields, nullable);
    }
    Kind kind = kind(type);
    if (kind == null) {
      throw new UnliftableException(
          what
              + " is of type "
              + type.simpleString()
              + "; numbers, truth values, dates, timestamps and structs of these can be computed with");
    }
    return new Scalar(kind, nullable);
  }

  /** A layout that has room for what another one has none for. */
  default Layout or(Layout other) {
    boolean either = nullable() || other.nullable();
    if (this instanceof Scalar scalar) {
      return new Scalar(scalar.kind, either);
    }
    List<Layout> joined = new ArrayList<>();
    for (int i = 0; i < ((Struct) this).fields.size(); i++) {
      joined.add(((Struct) this).fields.get(i).or(((Struct) other).fields.get(i)));
    }
    return new Struct(joined, either);
  }

  /** The smallest layout that a cell fits. */
  static Layout of(Cell cell) {
    boolean nullable = cell.valid() != Cell.ALWAYS;
    if (cell instanceof Cell.Scalar scalar) {
      return new Scalar(scalar.kind(), nullable);
    }
    return new Struct(
        ((Cell.Struct) cell).fields().stream().map(field -> of(field)).toList(), nullable);
  }

  /** The cell of the columns of a parameter, from one of them on. */
  default Cell read(CodeWriter code, Role role, int first) {
    return read((column, kind) -> code.parameter(role, column, Kind.values()[kind]), first);
  }

  /**
   * The cell of columns.
   *
   * @param columns gives the variable of a column, by its number and the ordinal of its kind
   */
  private Cell read(IntBinaryOperator columns, int first) {
    int next = first;
    int valid = Cell.ALWAYS;
    if (nullable()) {
      valid = columns.applyAsInt(next++, Kind.BOOLEAN.ordinal());
    }
    if (this instanceof Scalar scalar) {
      return new Cell.Scalar(scalar.kind, columns.applyAsInt(next, scalar.kind.ordinal()), valid);
    }
    List<Cell> fields = new ArrayList<>();
    for (Layout field : ((Struct) this).fields) {
      fields.add(field.read(columns, next));
      next += field.kinds().size();
    }
    return new Cell.Struct(fields, valid);
  }

  /**
   * The columns of a cell: zeros where it is null, so that equal values have equal columns.
   *
   * @throws IllegalStateException when the cell may be null and the layout says that it is not
   */
  default List<Integer> write(CodeWriter code, Cell cell) {
    List<Integer> columns = new ArrayList<>();
    write(code, cell, Cell.ALWAYS, columns);
    return columns;
  }

  private void write(CodeWriter code, Cell cell, int outer, List<Integer> columns) {
    int valid = code.both(outer, cell.valid());
    if (nullable()) {
      columns.add(code.flag(valid));
    } else if (cell.valid() != Cell.ALWAYS) {
      throw new IllegalStateException("a null, where there is no room for one");
    }
    if (this instanceof Scalar scalar) {
      columns.add(
          code.choose(
              code.flag(valid),
              ((Cell.Scalar) cell).variable(),
              valid == Cell.ALWAYS
                  ? ((Cell.Scalar) cell).variable()
                  : code.constant(scalar.kind, 0)));
      return;
    }
    Struct struct = (Struct) this;
    for (int i = 0; i < struct.fields.size(); i++) {
      struct.fields.get(i).write(code, ((Cell.Struct) cell).fields().get(i), valid, columns);
    }
  }
}
