package org.sparkgpugraph.testing;

import org.sparkgpugraph.graphs.memory.BuildMemory;

/** A reservation of a heap that ends somewhere, which nobody else uses. */
public final class BoundedMemory implements BuildMemory.Reservation {
  private final long room;
  private long reserved;

  /**
   * @param room in bytes
   */
  public BoundedMemory(long room) {
    this.room = room;
  }

  public long reserved() {
    return reserved;
  }

  @Override
  public void acquire(long bytes) {
    if (!hasRoom(bytes)) {
      throw new IllegalStateException("no room for " + bytes);
    }
    reserved += bytes;
  }

  @Override
  public boolean hasRoom(long bytes) {
    return bytes <= room - reserved;
  }

  @Override
  public void release(long bytes) {
    reserved -= bytes;
  }

  @Override
  public void close() {
    reserved = 0;
  }
}
