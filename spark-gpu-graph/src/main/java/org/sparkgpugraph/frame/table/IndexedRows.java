package org.sparkgpugraph.frame.table;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;
import org.apache.spark.sql.Row;

/** Rows that are made one by one of the numbers from 0. */
public final class IndexedRows implements Iterator<Row> {
  private final int size;
  private final IntFunction<Row> row;
  private int next;

  public IndexedRows(int size, IntFunction<Row> row) {
    this.size = size;
    this.row = row;
  }

  @Override
  public boolean hasNext() {
    return next < size;
  }

  @Override
  public Row next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return row.apply(next++);
  }
}
