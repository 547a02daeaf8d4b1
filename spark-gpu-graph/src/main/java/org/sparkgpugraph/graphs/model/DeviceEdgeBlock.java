package org.sparkgpugraph.graphs.model;

import java.util.List;

/**
 * Edges that are on a device: rows are made of them there. On the host they are copied by the first
 * who asks for any of them, all of them; whoever walks through them takes {@link #onHost} instead.
 * Never travels. Thread-safe.
 */
public final class DeviceEdgeBlock implements EdgeBlock, AutoCloseable {
  private static final long serialVersionUID = 1L;

  private final transient DeviceTable table;
  private final int size;
  private GlobalEdgeBlock copied;

  /**
   * @param table its edges; closed with the block
   */
  public DeviceEdgeBlock(DeviceTable table) {
    this.table = table;
    size = table.size();
  }

  /** Whether all of some blocks are on a device, and there is one. */
  public static boolean areAll(List<? extends EdgeBlock> blocks) {
    return !blocks.isEmpty() && blocks.stream().allMatch(DeviceEdgeBlock.class::isInstance);
  }

  /** The columns. */
  public DeviceTable table() {
    return table;
  }

  /** The same edges on the heap; the columns are freed. */
  public synchronized GlobalEdgeBlock onHost() {
    if (copied == null) {
      copied =
          new GlobalEdgeBlock(
              size, table.copyEnds(true), table.copyEnds(false), table.copyValues());
      table.close();
    }
    return copied;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public long source(int position) {
    return onHost().source(position);
  }

  @Override
  public long destination(int position) {
    return onHost().destination(position);
  }

  @Override
  public Object values() {
    return onHost().values();
  }

  /** Those of the copy. */
  @Override
  public synchronized long bytes() {
    return copied == null ? 0 : copied.bytes();
  }

  /** Frees the columns. */
  @Override
  public void close() {
    table.close();
  }
}
