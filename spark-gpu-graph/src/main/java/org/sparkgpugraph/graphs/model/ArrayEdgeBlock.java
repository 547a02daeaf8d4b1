package org.sparkgpugraph.graphs.model;

import java.lang.reflect.Array;

/** What all blocks of edges have beside the arrays of their ends. */
abstract sealed class ArrayEdgeBlock implements EdgeBlock
    permits LocalEdgeBlock, IntEdgeBlock, GlobalEdgeBlock {
  private static final long serialVersionUID = 1L;

  private final int size;
  private final Object values;

  /** Refuses arrays of ends with fewer elements than edges. */
  ArrayEdgeBlock(int size, Object sources, Object destinations, Object values) {
    int least = Math.min(Array.getLength(sources), Array.getLength(destinations));
    if (least < size) {
      throw new IllegalArgumentException(
          "%s edges, but %s sources and %s destinations"
              .formatted(size, Array.getLength(sources), Array.getLength(destinations)));
    }
    this.size = size;
    this.values = values;
  }

  @Override
  public final int size() {
    return size;
  }

  @Override
  public final Object values() {
    return values;
  }
}
