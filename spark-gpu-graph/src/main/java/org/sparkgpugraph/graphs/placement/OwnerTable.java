package org.sparkgpugraph.graphs.placement;

import java.util.Arrays;
import org.sparkgpugraph.graphs.model.VertexIds;
import org.sparkgpugraph.graphs.model.VertexOwners;

/**
 * The shards of vertices one by one, in as few bits as the number of shards needs: 1, 2, 4 or 8.
 * Ids that lie close together (8 times as far from the first to the last as they are many, at most)
 * need nothing else; of others the ids themselves are there, 8 bytes each.
 *
 * @param first id of the first entry; not read where the ids are there
 * @param ids ascending: those of the entries; null: they are {@code first}, {@code first} + 1, …
 * @param entries number of entries
 * @param bits of an entry
 * @param words the entries, from the lowest bits of each word on
 * @param others says it of ids that have no entry
 */
public record OwnerTable(
    long first, long[] ids, int entries, int bits, long[] words, VertexOwners others)
    implements VertexOwners {
  private static final long serialVersionUID = 1L;

  /** How many times as far apart as they are many ids may lie. */
  private static final int SPREAD = 8;

  /** Most shards that entries can name. */
  static final int MOST_SHARDS = 1 << Byte.SIZE;

  /**
   * Makes a table.
   *
   * @param known the vertices, in ascending order of their ids
   * @param shard of each of them, as unsigned numbers
   * @param others says it of all other ids
   * @throws IllegalArgumentException when there are more shards than entries can name
   */
  public static OwnerTable of(VertexIds known, byte[] shard, VertexOwners others) {
    int bits = bits(others.shards());
    int size = shard.length;
    long least = size == 0 ? 0 : known.original(0);
    // Unsigned: ids may be as far apart as longs can be.
    long span = size == 0 ? 0 : known.original(size - 1L) - least;
    boolean close =
        Long.compareUnsigned(span, (long) SPREAD * size) < 0
            && span < Integer.MAX_VALUE - Long.SIZE;
    int entries = close ? (int) span + 1 : size;
    long[] words = new long[Math.toIntExact(((long) entries * bits + Long.SIZE - 1) / Long.SIZE)];
    OwnerTable table =
        new OwnerTable(least, close ? null : ids(known), entries, bits, words, others);
    int next = 0;
    for (int e = 0; e < entries; e++) {
      boolean isKnown = !close || next < size && known.original(next) == least + e;
      table.put(e, isKnown ? shard[next++] & 0xFF : others.shardOf(least + e));
    }
    return table;
  }

  private static int bits(int shards) {
    if (shards > MOST_SHARDS) {
      throw new IllegalArgumentException(shards + " shards; a table has at most " + MOST_SHARDS);
    }
    int bits = 1;
    while (1 << bits < shards) {
      bits *= 2;
    }
    return bits;
  }

  private static long[] ids(VertexIds known) {
    long[] ids = new long[Math.toIntExact(known.size())];
    known.originals(0, ids.length, ids);
    return ids;
  }

  private void put(int entry, int shard) {
    long bit = (long) entry * bits;
    words[(int) (bit >>> 6)] |= (long) shard << bit;
  }

  @Override
  public int shards() {
    return others.shards();
  }

  @Override
  public int shardOf(long id) {
    int entry;
    if (ids == null) {
      long distance = id - first;
      entry = distance >= 0 && distance < entries ? (int) distance : -1;
    } else {
      entry = Arrays.binarySearch(ids, id);
    }
    if (entry < 0) {
      return others.shardOf(id);
    }
    long bit = (long) entry * bits;
    return (int) (words[(int) (bit >>> 6)] >>> bit) & (1 << bits) - 1;
  }

  @Override
  public boolean ascending() {
    return false;
  }

  @Override
  public long bytes() {
    return 8L * words.length + (ids == null ? 0 : 8L * ids.length);
  }

  /** For messages. */
  @Override
  public String toString() {
    return "a table of the shards of %s vertices, %s bytes; others: %s"
        .formatted(entries, bytes(), others);
  }
}
