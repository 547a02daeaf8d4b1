package org.sparkgpugraph.graphs.model;

/**
 * A range of dense ids.
 *
 * @param from the first
 * @param to behind the last; not below {@code from}
 */
public record VertexRange(long from, long to) {
  public VertexRange {
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("no range of vertices: " + from + " to " + to);
    }
  }

  /** Number of vertices. */
  public int size() {
    return Math.toIntExact(to - from);
  }

  public boolean contains(long dense) {
    return dense >= from && dense < to;
  }

  /** What both have; somewhere and empty when that is nothing. */
  public VertexRange common(VertexRange other) {
    long first = Math.max(from, other.from);
    return new VertexRange(first, Math.max(first, Math.min(to, other.to)));
  }
}
