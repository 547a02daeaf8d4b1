package org.sparkgpugraph.graphs.rows;

import org.sparkgpugraph.graphs.memory.RankedBitmap;
import org.sparkgpugraph.graphs.model.VertexIds;

/** Ids that lie close together: a bitmap of those in use; the dense id is the rank. */
public final class BitmapVertexIds implements VertexIds {
  private final RankedBitmap bitmap;

  BitmapVertexIds(RankedBitmap bitmap) {
    this.bitmap = bitmap;
  }

  @Override
  public long size() {
    return bitmap.cardinality();
  }

  @Override
  public long original(long dense) {
    return bitmap.select(Math.toIntExact(dense));
  }

  @Override
  public long dense(long original) {
    return bitmap.get(original) ? bitmap.rank(original) : -1;
  }

  @Override
  public void originals(long first, int count, long[] into) {
    if (count == 0) {
      return;
    }
    long start = original(first);
    int w = (int) (start >>> 6);
    long word = bitmap.words()[w] & -1L << start;
    for (int i = 0; i < count; i++) {
      while (word == 0) {
        word = bitmap.words()[++w];
      }
      into[i] = ((long) w << 6) + Long.numberOfTrailingZeros(word);
      word &= word - 1;
    }
  }

  /** The bitmap of the original ids. */
  RankedBitmap bitmap() {
    return bitmap;
  }

  @Override
  public long bytes() {
    return bitmap.bytes();
  }
}
