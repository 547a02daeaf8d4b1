package ai.rapids.cudf;

public final class Table implements AutoCloseable {
  /** Tasks open and close at the same time. */
  public static int open;

  private final ColumnVector[] columns;
  private boolean closed;

  public Table(ColumnVector... columns) {
    this.columns = columns;
    count(1);
  }

  public ColumnVector getColumn(int number) {
    return columns[number];
  }

  public long getRowCount() {
    return columns[0].rows();
  }

  @Override
  public void close() {
    if (closed) {
      throw new IllegalStateException("Close called too many times");
    }
    closed = true;
    count(-1);
  }

  private static synchronized void count(int more) {
    open += more;
  }
}
