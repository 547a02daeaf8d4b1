package org.sparkgpugraph.frame.table;

import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;
import scala.collection.Iterator;

/**
 * Makes a batch of each block: vectors over its arrays.
 *
 * @param columns 0 for the ids, c + 1 for column c of the values
 */
record BlockReaders(int[] columns) implements PartitionReaderFactory {
  @Override
  public boolean supportColumnarReads(InputPartition partition) {
    return true;
  }

  @Override
  public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
    BlockPartition part = (BlockPartition) partition;
    Iterator<VertexBlock> blocks = part.blocks().iterator(part.partition(), TaskContext.get());
    return new PartitionReader<>() {
      private ColumnarBatch batch;

      @Override
      public boolean next() {
        if (!blocks.hasNext()) {
          return false;
        }
        batch = batch(blocks.next());
        return true;
      }

      @Override
      public ColumnarBatch get() {
        return batch;
      }

      @Override
      public void close() {
        // The arrays are Spark's.
      }
    };
  }

  ColumnarBatch batch(VertexBlock block) {
    ColumnVector[] vectors = new ColumnVector[columns.length];
    for (int c = 0; c < columns.length; c++) {
      vectors[c] =
          new ArrayVector(
              columns[c] == 0 ? block.ids() : ((Columns) block.values()).array(columns[c] - 1));
    }
    return new ColumnarBatch(vectors, block.size());
  }

  /** Never called: all partitions are read as columns. */
  @Override
  public PartitionReader<InternalRow> createReader(InputPartition partition) {
    throw new UnsupportedOperationException("vertex values are read as columns");
  }
}
