package org.sparkgpugraph.frame.table;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.files.input.TableColumns;

/**
 * The 64-bit numbers that engines know vertices by. Integers are their own. Values of other types
 * are hashed to 64 bits, each row by itself: neither a dictionary nor a join of the edges is
 * needed. Whoever loads a graph checks that no two of its vertices have one key, and takes another
 * salt if they have, which happens to one graph of 100 million vertices in 3 000.
 *
 * @param type of the ids
 * @param salt of the hash
 * @param bits of the hash that are taken: 64, and fewer where a test wants equal keys
 */
public record VertexKeys(DataType type, int salt, int bits) {

  /** Keys for ids of a type, with the first salt. */
  public static VertexKeys of(DataType type) {
    return new VertexKeys(type, 0, Long.SIZE);
  }

  /** The keys under another salt. */
  public VertexKeys next() {
    return new VertexKeys(type, salt + 1, bits);
  }

  /** Whether ids are their own keys. */
  public boolean areIds() {
    return TableColumns.isInteger(type);
  }

  /** An id that a user gave, as a column. */
  public Column literal(Object id) {
    return literal(id, type);
  }

  private static Column literal(Object id, DataType type) {
    if (!(id instanceof Row row)) {
      return functions.lit(id).cast(type);
    }
    StructField[] fields = ((StructType) type).fields();
    Column[] columns = new Column[fields.length];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = literal(row.get(i), fields[i].dataType()).as(fields[i].name());
    }
    return functions.struct(columns);
  }

  /** An id of any of the columns as one of the common type. */
  public Column id(Column id) {
    return areIds() ? id.cast(type) : id;
  }

  /** The key of an id; null of null. */
  public Column of(Column id) {
    if (areIds()) {
      return id.cast(DataTypes.LongType);
    }
    Column hash = functions.xxhash64(functions.lit(salt), id);
    Column taken = bits == Long.SIZE ? hash : functions.shiftrightunsigned(hash, Long.SIZE - bits);
    return functions.when(id.isNotNull(), taken);
  }
}
