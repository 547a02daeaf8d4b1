package org.sparkgpugraph.graphs.rows;

import org.sparkgpugraph.graphs.memory.Workers;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.model.VertexOwners;

/**
 * The ids that a shard knows where shards do not ascend with them: dense ids are in the order of
 * (shard, original id), so that what each shard holds is a range of them. Beside the ids in
 * ascending order it takes 12 bytes a vertex.
 */
public final class PlacedVertexIds implements VertexIds {
  private final VertexIds ascending;
  // By the place among the ascending ids: the dense id.
  private final int[] dense;
  private final long[] originals;

  private PlacedVertexIds(VertexIds ascending, int[] dense, long[] originals) {
    this.ascending = ascending;
    this.dense = dense;
    this.originals = originals;
  }

  /**
   * Puts ids in the order of their shards; the workers reserve what that takes.
   *
   * @param found ids in ascending order
   */
  public static VertexIdsBuilder.Result of(
      VertexIdsBuilder.Result found, VertexOwners owners, Workers workers) {
    int size = Math.toIntExact(found.ids().size());
    workers.acquire(12L * size + size / 8);
    long[] ids = new long[size];
    found.ids().originals(0, size, ids);
    int[] next = new int[owners.shards() + 1];
    int[] dense = new int[size];
    for (int v = 0; v < size; v++) {
      dense[v] = owners.shardOf(ids[v]);
      next[dense[v] + 1]++;
    }
    for (int s = 1; s < next.length; s++) {
      next[s] += next[s - 1];
    }
    long[] originals = new long[size];
    for (int v = 0; v < size; v++) {
      dense[v] = next[dense[v]]++;
      originals[dense[v]] = ids[v];
    }
    long[] present = null;
    if (found.present() != null) {
      present = new long[found.present().length];
      for (int v = 0; v < size; v++) {
        long bit = found.present()[v >>> 6] >>> v & 1;
        present[dense[v] >>> 6] |= bit << dense[v];
      }
    }
    return new VertexIdsBuilder.Result(new PlacedVertexIds(found.ids(), dense, originals), present);
  }

  @Override
  public long size() {
    return originals.length;
  }

  @Override
  public long original(long ofDense) {
    return originals[Math.toIntExact(ofDense)];
  }

  @Override
  public long dense(long original) {
    int place = (int) ascending.dense(original);
    return place < 0 ? -1 : dense[place];
  }

  @Override
  public void originals(long first, int count, long[] into) {
    System.arraycopy(originals, Math.toIntExact(first), into, 0, count);
  }

  @Override
  public boolean ascending() {
    return false;
  }

  /** The same ids in ascending order. */
  public VertexIds inOrder() {
    return ascending;
  }

  /** Dense ids in ascending order of the original ones; not to be changed. */
  public int[] denseInOrder() {
    return dense;
  }

  @Override
  public long bytes() {
    return ascending.bytes() + 4L * dense.length + 8L * originals.length;
  }
}
