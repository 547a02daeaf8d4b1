package org.sparkgpugraph.frame.table;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.read.SupportsPushDownRequiredColumns;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;

/**
 * Vertices with columns of numbers as a table of Spark SQL, which reads the arrays of the blocks as
 * they are: no object is made of a row. Columns that a query does not read are not touched.
 *
 * <p>The blocks are kept as long as a plan refers to this.
 */
final class BlockTable implements Table, SupportsRead {
  private final RDD<VertexBlock> blocks;
  private final long vertices;
  private final StructType schema;

  /**
   * @param blocks kept by Spark; their values are {@link Columns}
   * @param vertices of all blocks, about
   * @param schema the ids, and behind them the columns of the values
   */
  BlockTable(RDD<VertexBlock> blocks, long vertices, StructType schema) {
    this.blocks = blocks;
    this.vertices = vertices;
    this.schema = schema;
  }

  RDD<VertexBlock> blocks() {
    return blocks;
  }

  long vertices() {
    return vertices;
  }

  @Override
  public String name() {
    return "vertex values";
  }

  @Override
  public StructType schema() {
    return schema;
  }

  @Override
  public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new Builder();
  }

  private final class Builder implements ScanBuilder, SupportsPushDownRequiredColumns {
    private List<Integer> columns = IntStream.range(0, schema.length()).boxed().toList();

    @Override
    public void pruneColumns(StructType required) {
      columns = Arrays.stream(required.fieldNames()).map(schema::fieldIndex).toList();
    }

    @Override
    public BlockScan build() {
      return new BlockScan(BlockTable.this, columns);
    }
  }
}
