package org.sparkgpugraph.files.input;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.sparkgpugraph.graphs.model.VertexBlock;

/** The vertices of a range of ids, in blocks that are made as they are taken. */
final class IdBlocks implements Iterator<VertexBlock> {
  /** Ids of a full block. */
  static final int CAPACITY = 1 << 14;

  private final long end;
  private long next;

  /** The ids from {@code first} to {@code end}, that one excluded. */
  IdBlocks(long first, long end) {
    this.next = first;
    this.end = end;
  }

  @Override
  public boolean hasNext() {
    return next < end;
  }

  @Override
  public VertexBlock next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long[] ids = new long[(int) Math.min(CAPACITY, end - next)];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = next++;
    }
    return new VertexBlock(ids, null);
  }
}
