package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceMemory;
import org.sparkgpugraph.graphs.model.DeviceTable;
import org.sparkgpugraph.graphs.model.GlobalEdgeBlock;

/** A table whose columns a test has uploaded, as another library would have made it on a device. */
public final class TestDeviceTable implements DeviceTable {
  /** How many are not closed. */
  public static final AtomicInteger OPEN = new AtomicInteger();

  /** How many columns of ends were copied to the host. */
  public static final AtomicInteger COPIED = new AtomicInteger();

  private final GlobalEdgeBlock edges;
  private final int size;
  private final List<DeviceMemory> columns = new ArrayList<>();
  private boolean closed;

  private TestDeviceTable(GlobalEdgeBlock edges, int size) {
    this.edges = edges;
    this.size = size;
    OPEN.incrementAndGet();
  }

  /**
   * Edges that a device gets.
   *
   * @param edges of which copies are made for who asks; values are doubles or null
   */
  public static TestDeviceTable of(Device device, GlobalEdgeBlock edges) {
    TestDeviceTable table = new TestDeviceTable(edges, edges.size());
    for (Object column : new Object[] {edges.sources(), edges.destinations(), edges.values()}) {
      if (column != null) {
        DeviceMemory memory = device.allocate(8L * edges.size(), "a column");
        device.upload(column, 0, edges.size(), memory, 0);
        table.columns.add(memory);
      }
    }
    return table;
  }

  /** As many edges without values as nobody has room for: it is an error to copy them. */
  public static TestDeviceTable larger(int size) {
    return new TestDeviceTable(null, size);
  }

  @Override
  public int size() {
    return size;
  }

  private synchronized long address(int column) {
    return column < columns.size() ? columns.get(column).address() : 0;
  }

  @Override
  public long sources() {
    return address(0);
  }

  @Override
  public long destinations() {
    return address(1);
  }

  @Override
  public long values() {
    return address(2);
  }

  @Override
  public long[] copyEnds(boolean ofSources) {
    COPIED.incrementAndGet();
    if (closed || edges == null) {
      throw new AssertionError(closed ? "it is closed" : "nobody has room for it");
    }
    return ofSources ? edges.sources() : edges.destinations();
  }

  @Override
  public double[] copyValues() {
    return (double[]) edges.values();
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      columns.forEach(DeviceMemory::close);
      columns.clear();
      OPEN.decrementAndGet();
    }
  }
}
