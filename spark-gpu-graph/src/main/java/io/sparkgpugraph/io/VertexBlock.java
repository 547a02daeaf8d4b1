package io.sparkgpugraph.io;

import io.sparkgpugraph.graph.Columns;
import java.io.Serializable;

/**
 * Some vertices of a result with their values.
 *
 * @param ids original ids: {@code long[≥ values.length()]}
 * @param values a row per vertex
 */
public record VertexBlock(long[] ids, Columns values) implements Serializable {
  /** Number of vertices. */
  public int size() {
    return values.length();
  }
}
