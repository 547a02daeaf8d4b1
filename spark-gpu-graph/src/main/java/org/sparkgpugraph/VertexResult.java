package org.sparkgpugraph;

import java.lang.reflect.Array;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.runtime.load.HeldBlocks;
import org.sparkgpugraph.runtime.run.RunResult;
import scala.Tuple2;

/**
 * The values of a finished run, still in the executors. Close it when they have been read.
 *
 * @param <R> type of the values
 */
public final class VertexResult<R> implements AutoCloseable {
  private final HeldBlocks blocks;
  private final ValueType type;
  private final RunReport report;

  VertexResult(RunResult result) {
    blocks = result.blocks();
    type = result.type();
    report = result.report();
  }

  /** What the run did. */
  public RunReport report() {
    return report;
  }

  /** Where the values are. */
  HeldBlocks held() {
    return blocks;
  }

  /** Type of the values. */
  public ValueType type() {
    return type;
  }

  /**
   * Ids and values in primitive arrays, a few blocks per partition. The RDD can be read until
   * {@link #close}.
   *
   * @throws IllegalStateException when the result is closed
   */
  public JavaRDD<VertexBlock> blocks() {
    return blocks.vertexBlocks();
  }

  /** Ids and values as objects, for joining with other data; read it before {@link #close}. */
  public JavaPairRDD<Long, R> toPairs() {
    return blocks().flatMapToPair(Pairs::new);
  }

  /** The vertices of a block as objects. */
  private static final class Pairs<R> implements Iterator<Tuple2<Long, R>> {
    private final VertexBlock block;
    private int next;

    Pairs(VertexBlock block) {
      this.block = block;
    }

    @Override
    public boolean hasNext() {
      return next < block.size();
    }

    @Override
    @SuppressWarnings("unchecked")
    public Tuple2<Long, R> next() {
      if (next >= block.size()) {
        throw new NoSuchElementException();
      }
      R value = (R) Array.get(block.values(), block.slot(next));
      return new Tuple2<>(block.ids()[next++], value);
    }
  }

  /** All values on the driver; for small graphs. */
  public Map<Long, R> collectAsMap() {
    return new HashMap<>(toPairs().collectAsMap());
  }

  /** Frees the executors' memory. */
  @Override
  public void close() {
    blocks.close();
  }
}
