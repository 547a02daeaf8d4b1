package org.sparkgpugraph.frame.ids;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.InternalRows;
import org.sparkgpugraph.frame.table.IndexedRows;
import org.sparkgpugraph.runtime.serial.PartitionNumbers;
import scala.Tuple2;

/**
 * The different ids at the ends of edges, found in one pass over the edges and one shuffle of the
 * different ids of each partition. Spark keeps them, in memory or on disk, as long as somebody
 * refers to them.
 */
public final class EdgeIds {
  private final JavaRDD<IdBlock> blocks;
  private final DataType type;
  private final long count;

  private EdgeIds(JavaRDD<IdBlock> blocks, DataType type, long count) {
    this.blocks = blocks;
    this.type = type;
    this.count = count;
  }

  /** Whether ids of a type are found in this way: those that are equal where their bytes are. */
  public static boolean areOf(DataType type) {
    // Not a string with a collation, whose type is another one.
    return type.equals(DataTypes.StringType) || type instanceof BinaryType;
  }

  /**
   * Finds them.
   *
   * @param ends source and destination of the edges, of one type that {@link #areOf} takes
   * @param keys of these, bigints; null where the end is null
   * @return empty when two ids have one key
   * @throws BadInputException inside the job, when an end is null
   */
  public static Optional<EdgeIds> of(Dataset<Row> edges, List<Column> ends, List<Column> keys) {
    List<Column> columns = new ArrayList<>(keys);
    columns.addAll(ends);
    Dataset<Row> table = edges.select(columns.toArray(Column[]::new));
    DataType type = table.schema().apply(2).dataType();
    boolean strings = type.equals(DataTypes.StringType);
    JavaRDD<InternalRow> all = InternalRows.of(table).toJavaRDD();
    int parts = Math.max(1, all.getNumPartitions());
    JavaRDD<IdBlock> blocks =
        all.mapPartitionsToPair(
                rows -> {
                  IdBlock[] found = IdBlock.parts(table(rows, strings), parts);
                  List<Tuple2<Integer, IdBlock>> sent = new ArrayList<>();
                  for (int part = 0; part < parts; part++) {
                    sent.add(new Tuple2<>(part, found[part]));
                  }
                  return sent.iterator();
                })
            .partitionBy(new PartitionNumbers(parts))
            .values()
            .mapPartitions(found -> List.of(joined(found)).iterator())
            .persist(StorageLevel.MEMORY_AND_DISK());
    long count = 0;
    for (Tuple2<Integer, Boolean> part :
        blocks.map(block -> new Tuple2<>(block.size(), block.hasClash())).collect()) {
      if (part._2()) {
        blocks.unpersist(false);
        return Optional.empty();
      }
      count += part._1();
    }
    return Optional.of(new EdgeIds(blocks, type, count));
  }

  private static IdTable table(Iterator<InternalRow> rows, boolean strings) {
    IdTable table = new IdTable();
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      for (int end = 0; end < 2; end++) {
        if (row.isNullAt(end)) {
          throw new BadInputException("an edge has a null for an end: filter such rows out");
        }
        if (strings) {
          UTF8String id = row.getUTF8String(2 + end);
          table.add(row.getLong(end), id.getBaseObject(), id.getBaseOffset(), id.numBytes());
        } else {
          byte[] id = row.getBinary(2 + end);
          table.add(row.getLong(end), id, Platform.BYTE_ARRAY_OFFSET, id.length);
        }
      }
    }
    return table;
  }

  private static IdBlock joined(Iterator<IdBlock> blocks) {
    IdTable table = new IdTable();
    boolean clash = false;
    while (blocks.hasNext()) {
      IdBlock block = blocks.next();
      clash |= block.hasClash();
      for (int i = 0; i < block.size(); i++) {
        int start = block.start(i);
        table.add(
            block.key(i),
            block.bytes(),
            Platform.BYTE_ARRAY_OFFSET + (long) start,
            block.end(i) - start);
      }
    }
    return clash ? IdBlock.clashing() : IdBlock.of(table);
  }

  /** How many there are. */
  public long count() {
    return count;
  }

  /**
   * As a table of one column.
   *
   * @param name of the column
   */
  public Dataset<Row> table(SparkSession spark, String name) {
    boolean strings = type.equals(DataTypes.StringType);
    return spark.createDataFrame(
        blocks.flatMap(block -> new IndexedRows(block.size(), i -> row(block.id(i), strings))),
        new StructType().add(name, type, false));
  }

  private static Row row(byte[] id, boolean strings) {
    return RowFactory.create(strings ? UTF8String.fromBytes(id).toString() : id);
  }
}
