package org.sparkgpugraph.graphs.rows;

import org.sparkgpugraph.graphs.model.VertexIds;

/** Ids that are exactly 0…n−1 already: no table, no lookup. */
public final class IdentityVertexIds implements VertexIds {
  private final long size;

  IdentityVertexIds(long size) {
    this.size = size;
  }

  @Override
  public long size() {
    return size;
  }

  @Override
  public long original(long dense) {
    if (dense < 0 || dense >= size) {
      throw new IndexOutOfBoundsException("dense id " + dense + " of " + size);
    }
    return dense;
  }

  @Override
  public long dense(long original) {
    return original >= 0 && original < size ? original : -1;
  }

  @Override
  public long bytes() {
    return 0;
  }
}
