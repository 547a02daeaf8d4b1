package io.sparkgpugraph.graph;

import java.io.Serializable;

/**
 * What a shard tells another about the vertices that a partition of the other keeps as ghosts: the
 * boundary list, which of them exist, their degrees and, if wanted, their attributes. A long list
 * travels as several replies. Made and taken by {@link GhostHandshake}.
 */
public final class GhostReply implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int home;
  private final int reader;
  private final byte[] content;

  GhostReply(int home, int reader, byte[] content) {
    this.home = home;
    this.reader = reader;
    this.content = content;
  }

  /** Shard that tells. */
  public int home() {
    return home;
  }

  /** Shard that is told: where the reply must go. */
  public int reader() {
    return reader;
  }

  /** Size of the content in bytes. */
  public int bytes() {
    return content.length;
  }

  byte[] content() {
    return content;
  }
}
