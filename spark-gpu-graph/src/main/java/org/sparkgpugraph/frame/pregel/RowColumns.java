package org.sparkgpugraph.frame.pregel;

import java.io.Serializable;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.NumericType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ColumnType;

/** Moves cells of tables into columns of primitives, cell by cell, and back. */
public final class RowColumns implements Serializable {
  private static final long serialVersionUID = 1L;

  private final List<Layout> layouts;
  private final List<String> names;

  /**
   * @param names of the table's columns, for messages
   */
  RowColumns(List<Layout> layouts, List<String> names) {
    this.layouts = List.copyOf(layouts);
    this.names = List.copyOf(names);
  }

  /** The type of values that consist of these columns. */
  public ValueType.Row type() {
    return new ValueType.Row(
        layouts.stream().<ColumnType>flatMap(layout -> layout.kinds().stream()).toList());
  }

  /** The type that a cell must be cast to before it is read: small integers are ints. */
  public static DataType readable(DataType type) {
    if (type instanceof ByteType || type instanceof ShortType) {
      return DataTypes.IntegerType;
    } else if (type instanceof StructType struct) {
      StructType readable = new StructType();
      for (StructField field : struct.fields()) {
        readable = readable.add(field.name(), readable(field.dataType()), field.nullable());
      }
      return readable;
    }
    return type;
  }

  /**
   * Reads cells of a row, from one of them on.
   *
   * @param target columns of {@link #type}
   * @param at row of the target
   * @throws IllegalStateException when there is a null where none was before
   */
  public void read(InternalRow row, int first, Columns target, int at) {
    int column = 0;
    for (int i = 0; i < layouts.size(); i++) {
      column = read(layouts.get(i), row, first + i, target, column, at, names.get(i));
    }
  }

  private static int read(
      Layout layout, InternalRow row, int field, Columns target, int first, int at, String name) {
    int column = first;
    boolean isNull = row == null || row.isNullAt(field);
    if (layout.nullable()) {
      target.booleans(column++)[at] = !isNull;
    } else if (isNull && row != null) {
      throw new IllegalStateException(
          "column '"
              + name
              + "' has a null, but had none a moment before: its table gives other rows each time"
              + " that it is read; cache it");
    }
    if (layout instanceof Layout.Struct struct) {
      InternalRow inner = isNull ? null : row.getStruct(field, struct.fields().size());
      for (int i = 0; i < struct.fields().size(); i++) {
        column = read(struct.fields().get(i), inner, i, target, column, at, name);
      }
      return column;
    }
    if (!isNull) {
      switch (((Layout.Scalar) layout).kind()) {
        case BOOLEAN -> target.booleans(column)[at] = row.getBoolean(field);
        case INT -> target.ints(column)[at] = row.getInt(field);
        case LONG -> target.longs(column)[at] = row.getLong(field);
        case FLOAT -> target.floats(column)[at] = row.getFloat(field);
        case DOUBLE -> target.doubles(column)[at] = row.getDouble(field);
      }
    }
    return column + 1;
  }

  /**
   * The cells of a row of columns, as objects of the types that Spark's Row has.
   *
   * @param java8 whether dates and timestamps are java.time's ({@code
   *     spark.sql.datetime.java8API.enabled})
   */
  public Object[] cells(Columns columns, int at, List<DataType> types, boolean java8) {
    Object[] cells = new Object[layouts.size()];
    int column = 0;
    for (int i = 0; i < cells.length; i++) {
      cells[i] = cell(layouts.get(i), types.get(i), columns, column, at, java8);
      column += layouts.get(i).kinds().size();
    }
    return cells;
  }

  /** Whether cells of these types are numbers or truth values: no structs, dates, timestamps. */
  public static boolean areNumbers(List<DataType> types) {
    return types.stream()
        .allMatch(type -> type instanceof NumericType || type instanceof BooleanType);
  }

  /** The cells as expressions of the columns, where they {@linkplain #areNumbers are numbers}. */
  public Column[] expressions(Column[] columns) {
    Column[] cells = new Column[layouts.size()];
    int column = 0;
    for (int i = 0; i < cells.length; i++) {
      boolean nullable = layouts.get(i).nullable();
      Column value = columns[nullable ? column + 1 : column];
      cells[i] = nullable ? functions.when(columns[column], value) : value;
      column += layouts.get(i).kinds().size();
    }
    return cells;
  }

  private static Object cell(
      Layout layout, DataType type, Columns columns, int first, int at, boolean java8) {
    int column = first;
    if (layout.nullable() && !columns.booleans(column++)[at]) {
      return null;
    }
    if (layout instanceof Layout.Struct struct) {
      StructField[] fields = ((StructType) type).fields();
      Object[] cells = new Object[fields.length];
      for (int i = 0; i < fields.length; i++) {
        Layout field = struct.fields().get(i);
        cells[i] = cell(field, fields[i].dataType(), columns, column, at, java8);
        column += field.kinds().size();
      }
      return RowFactory.create(cells);
    }
    return external(columns.get(column, at), type, java8);
  }

  private static Object external(Object box, DataType type, boolean java8) {
    if (type instanceof ByteType) {
      return ((Integer) box).byteValue();
    } else if (type instanceof ShortType) {
      return ((Integer) box).shortValue();
    } else if (type instanceof DateType) {
      return java8 ? LocalDate.ofEpochDay((Integer) box) : DateTimeUtils.toJavaDate((Integer) box);
    } else if (type instanceof TimestampType) {
      return java8
          ? Instant.EPOCH.plus((Long) box, ChronoUnit.MICROS)
          : DateTimeUtils.toJavaTimestamp((Long) box);
    }
    return type instanceof TimestampNTZType
        ? LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC).plus((Long) box, ChronoUnit.MICROS)
        : box;
  }

  /** One row of columns. */
  public static Columns row(List<? extends ColumnType> kinds, List<Object> boxes) {
    Columns row = Columns.allocate(kinds, 1);
    for (int c = 0; c < boxes.size(); c++) {
      row.set(c, 0, boxes.get(c));
    }
    return row;
  }
}
