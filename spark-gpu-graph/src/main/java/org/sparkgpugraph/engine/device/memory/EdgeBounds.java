package org.sparkgpugraph.engine.device.memory;

import java.nio.ByteBuffer;

/**
 * The least and the largest of a column of edge values, as they stand in two words of a device's
 * memory. Thread-safe.
 */
public final class EdgeBounds {
  private long least;
  private long most;
  private boolean known;

  EdgeBounds() {}

  /** Whether {@link #found} was told. */
  public synchronized boolean isKnown() {
    return known;
  }

  /**
   * Takes what a device has found.
   *
   * @param words two, at their place
   */
  public synchronized void found(ByteBuffer words, int at) {
    least = words.getLong(at);
    most = words.getLong(at + Long.BYTES);
    known = true;
  }

  /** Writes what is known. */
  public synchronized void write(ByteBuffer words, int at) {
    words.putLong(at, least).putLong(at + Long.BYTES, most);
  }
}
