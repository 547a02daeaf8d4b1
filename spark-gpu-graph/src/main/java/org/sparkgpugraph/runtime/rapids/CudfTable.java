package org.sparkgpugraph.runtime.rapids;

import java.util.concurrent.atomic.AtomicBoolean;
import org.sparkgpugraph.graphs.model.DeviceTable;

/** A table of RAPIDS: columns of bigints, and one of doubles where edges have values. */
final class CudfTable implements DeviceTable {
  private final CudfBinding cudf;
  private final Object table;
  private final int size;
  private final long sources;
  private final long destinations;
  private final long values;
  private final boolean withValues;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * @param table closed with this. What the running thread has done to make it is done afterwards
   * @throws NullInTableException when a column has a null; the table is closed then
   */
  CudfTable(CudfBinding cudf, Object table, boolean withValues) {
    this.cudf = cudf;
    this.table = table;
    this.withValues = withValues;
    try {
      int columns = withValues ? 3 : 2;
      for (int c = 0; c < columns; c++) {
        if (cudf.hasNulls(cudf.column(table, c))) {
          throw new NullInTableException(c < 2);
        }
      }
      size = Math.toIntExact(cudf.rows(table));
      sources = cudf.address(cudf.column(table, 0));
      destinations = cudf.address(cudf.column(table, 1));
      values = withValues ? cudf.address(cudf.column(table, 2)) : 0;
      cudf.synchronizeStream();
    } catch (RuntimeException | Error e) {
      cudf.close(table);
      throw e;
    }
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long sources() {
    return sources;
  }

  @Override
  public long destinations() {
    return destinations;
  }

  @Override
  public long values() {
    return values;
  }

  @Override
  public long[] copyEnds(boolean ofSources) {
    return cudf.copy(cudf.column(table, ofSources ? 0 : 1), size);
  }

  @Override
  public double[] copyValues() {
    if (!withValues) {
      return null;
    }
    long[] bits = cudf.copy(cudf.column(table, 2), size);
    double[] copied = new double[size];
    for (int i = 0; i < size; i++) {
      copied[i] = Double.longBitsToDouble(bits[i]);
    }
    return copied;
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      cudf.close(table);
    }
  }
}
