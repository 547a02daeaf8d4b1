package org.sparkgpugraph.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructField;

/** Columns by their names, which are case-sensitive if the session says so. */
final class Names {
  private Names() {}

  /**
   * The one column with a name.
   *
   * @param what the table, in messages
   * @throws FrameException when there is none, or several
   */
  static StructField require(Dataset<Row> table, String what, String name) {
    List<StructField> found = new ArrayList<>();
    for (StructField field : table.schema().fields()) {
      if (same(table, field.name(), name)) {
        found.add(field);
      }
    }
    if (found.isEmpty()) {
      throw new FrameException(
          "the %s have no column '%s', only %s: rename one with withColumnRenamed"
              .formatted(what, name, List.of(table.columns())));
    }
    if (found.size() > 1) {
      throw new FrameException(
          "the %s have %d columns '%s' of %s: rename or drop all but one"
              .formatted(what, found.size(), name, List.of(table.columns())));
    }
    return found.get(0);
  }

  /** Refuses a name that a table has already. */
  static void requireNew(Dataset<Row> table, String what, String name) {
    for (String column : table.columns()) {
      if (same(table, column, name)) {
        throw new FrameException(
            "the %s have a column '%s' already, where the result is to go: rename or drop it"
                .formatted(what, column));
      }
    }
  }

  private static boolean same(Dataset<Row> table, String a, String b) {
    boolean sensitive =
        Boolean.parseBoolean(table.sparkSession().conf().get("spark.sql.caseSensitive", "false"));
    return sensitive ? a.equals(b) : a.toLowerCase(Locale.ROOT).equals(b.toLowerCase(Locale.ROOT));
  }
}
