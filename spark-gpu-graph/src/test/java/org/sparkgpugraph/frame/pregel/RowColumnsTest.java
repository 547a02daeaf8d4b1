package org.sparkgpugraph.frame.pregel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.testing.SharedSpark;

/** Cells of columns, as objects and as expressions. */
@ExtendWith(SharedSpark.class)
class RowColumnsTest {
  @Test
  void expressionsGiveTheCellsOfRows() {
    RowColumns rows =
        new RowColumns(
            List.of(
                new Layout.Scalar(Kind.LONG, false),
                new Layout.Scalar(Kind.INT, true),
                new Layout.Scalar(Kind.BOOLEAN, true),
                new Layout.Scalar(Kind.DOUBLE, false)),
            List.of("a", "b", "c", "d"));
    List<DataType> types =
        List.of(
            DataTypes.LongType, DataTypes.IntegerType, DataTypes.BooleanType, DataTypes.DoubleType);
    Columns columns =
        new Columns(
            List.of(Kind.LONG, Kind.BOOLEAN, Kind.INT, Kind.BOOLEAN, Kind.BOOLEAN, Kind.DOUBLE),
            new Object[] {
              new long[] {1, 2, 3},
              new boolean[] {true, false, true},
              new int[] {7, 8, 9},
              new boolean[] {false, true, true},
              new boolean[] {true, true, false},
              new double[] {0.5, 1, 2}
            },
            3);
    Row[] expected = new Row[3];
    StringBuilder values = new StringBuilder();
    for (int i = 0; i < expected.length; i++) {
      expected[i] = RowFactory.create(rows.cells(columns, i, types, true));
      values.append(i == 0 ? "(" : ", (");
      for (int c = 0; c < columns.width(); c++) {
        values.append(c == 0 ? "" : ", ").append(columns.get(c, i)).append(c == 5 ? "D" : "");
      }
      values.append(')');
    }
    Dataset<Row> table =
        SparkSession.builder().getOrCreate().sql("select * from values " + values + " as t");
    Column[] all = new Column[6];
    for (int c = 0; c < all.length; c++) {
      all[c] = functions.col(table.columns()[c]);
    }
    assertThat(expected[1].isNullAt(1)).isTrue();
    assertThat(table.select(rows.expressions(all)).collectAsList())
        .usingElementComparator((a, b) -> a.toString().compareTo(b.toString()))
        .containsExactly(expected);
  }

  @Test
  void numbersAreTold() {
    assertThat(RowColumns.areNumbers(List.of(DataTypes.ShortType, DataTypes.BooleanType))).isTrue();
    assertThat(RowColumns.areNumbers(List.of(DataTypes.LongType, DataTypes.DateType))).isFalse();
    assertThat(RowColumns.areNumbers(List.of(DataTypes.TimestampType))).isFalse();
    assertThat(RowColumns.areNumbers(List.of(new StructType().add("x", DataTypes.IntegerType))))
        .isFalse();
  }
}
