package io.sparkgpugraph.graph;

import java.io.Serializable;

/**
 * Which vertices of one shard a partition of another keeps as ghosts, and how many of the edges
 * held there leave each of them. A long list travels as several requests. Made and answered by
 * {@link GhostHandshake}.
 */
public final class GhostRequest implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int reader;
  private final int home;
  private final byte[] content;

  GhostRequest(int reader, int home, byte[] content) {
    this.reader = reader;
    this.home = home;
    this.content = content;
  }

  /** Shard that asks. */
  public int reader() {
    return reader;
  }

  /** Shard that is asked: where the request must go. */
  public int home() {
    return home;
  }

  /** Size of the content in bytes. */
  public int bytes() {
    return content.length;
  }

  byte[] content() {
    return content;
  }
}
