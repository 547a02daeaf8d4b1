package org.sparkgpugraph.graphs.model;

import java.util.List;

/**
 * Edges that are on a device: they {@linkplain #stays() stay} there, and rows are made of them, or
 * whoever reads them copies them to the host. There they are copied by the first who asks for any
 * of them, all of them; whoever walks through them takes {@link #onHost} instead. Never travels.
 * Thread-safe.
 */
public final class DeviceEdgeBlock implements EdgeBlock, AutoCloseable {
  private static final long serialVersionUID = 1L;

  private final transient DeviceTable table;
  private final int size;
  private final boolean stays;
  private final long copyBytes;
  private GlobalEdgeBlock copied;

  /**
   * @param table its edges; closed with the block
   * @param stays whether they are to stay there
   */
  public DeviceEdgeBlock(DeviceTable table, boolean stays) {
    this.table = table;
    this.stays = stays;
    size = table.size();
    copyBytes = (table.values() == 0 ? 2L : 3L) * Long.BYTES * size;
  }

  /** Whether the edges are to stay on the device; otherwise their reader copies them at once. */
  public boolean stays() {
    return stays;
  }

  /** Bytes of the heap that the copy takes, or will take. */
  public long copyBytes() {
    return copyBytes;
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

  /** Those of the copy; none before there is one of edges that stay. */
  @Override
  public synchronized long bytes() {
    return stays && copied == null ? 0 : copyBytes;
  }

  /** Frees the columns. */
  @Override
  public void close() {
    table.close();
  }
}
