package io.sparkgpugraph.graph;

import java.io.Serializable;

/**
 * A block of edges in columnar form: what a loader, a generator or a GraphX edge partition delivers
 * to {@link ExecutorGraphBuilder}. There is no object per edge.
 *
 * <p>Blocks are ordinary classes, not records, because Kryo 4 cannot serialise records; arrays are
 * referenced, never copied, so the owner must not change them while a build runs.
 */
public sealed interface EdgeBlock extends Serializable
    permits LocalEdgeBlock, IntEdgeBlock, GlobalEdgeBlock {
  /** Number of edges; arrays may be longer. */
  int size();

  /** Original id of the source of the edge at {@code position}. */
  long source(int position);

  /** Original id of the destination of the edge at {@code position}. */
  long destination(int position);

  /**
   * Edge values by position: an array of primitives, boxes, records or {@code Object}s, a flat
   * {@link Columns}, or null when the edges carry none.
   */
  Object values();

  /** Name of an edge in messages: {@code edge 3→5}. */
  default String describe(int position) {
    return "edge " + source(position) + "->" + destination(position);
  }
}
