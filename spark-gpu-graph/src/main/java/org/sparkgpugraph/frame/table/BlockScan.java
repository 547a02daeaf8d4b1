package org.sparkgpugraph.frame.table;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.spark.Partition;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.TaskLocation;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Statistics;
import org.apache.spark.sql.connector.read.SupportsReportStatistics;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.graphs.model.VertexBlock;
import scala.collection.Seq;

/**
 * Some columns of a {@link BlockTable}. Equal scans read the same, so that Spark exchanges their
 * rows once.
 *
 * @param columns their numbers in the table, in the order in which they are read
 */
record BlockScan(BlockTable table, List<Integer> columns)
    implements Batch, SupportsReportStatistics {
  @Override
  public StructType readSchema() {
    StructType schema = new StructType();
    for (int column : columns) {
      schema = schema.add(table.schema().apply(column));
    }
    return schema;
  }

  @Override
  public String description() {
    return columns.stream()
        .map(column -> table.schema().apply(column).name())
        .collect(Collectors.joining(", ", table.name() + " [", "]"));
  }

  @Override
  public Batch toBatch() {
    return this;
  }

  @Override
  public Statistics estimateStatistics() {
    long row = 0;
    for (StructField field : readSchema().fields()) {
      row += field.dataType().defaultSize();
    }
    long bytes = Math.max(1, row) * table.vertices();
    return new Statistics() {
      @Override
      public OptionalLong sizeInBytes() {
        return OptionalLong.of(bytes);
      }

      @Override
      public OptionalLong numRows() {
        return OptionalLong.of(table.vertices());
      }
    };
  }

  /** A partition for each of the blocks', preferably where Spark keeps that. */
  @Override
  public InputPartition[] planInputPartitions() {
    RDD<VertexBlock> blocks = table.blocks();
    Partition[] partitions = blocks.partitions();
    InputPartition[] planned = new InputPartition[partitions.length];
    for (int p = 0; p < planned.length; p++) {
      Seq<TaskLocation> places = blocks.context().getPreferredLocs(blocks, p);
      String[] names = new String[places.size()];
      Arrays.setAll(names, i -> places.apply(i).toString());
      planned[p] = new BlockPartition(blocks, partitions[p], names);
    }
    return planned;
  }

  @Override
  public PartitionReaderFactory createReaderFactory() {
    return new BlockReaders(columns.stream().mapToInt(column -> column).toArray());
  }
}
