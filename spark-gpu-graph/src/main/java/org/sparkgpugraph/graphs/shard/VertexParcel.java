package org.sparkgpugraph.graphs.shard;

import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.VertexBlock;

/**
 * Vertices of one source partition that one shard holds. Made by {@link EdgeRouter#routeVertices},
 * taken by {@link ShardBuilder}; bounded, so that it travels as one record. Its content is one
 * array of bytes, which Java's and Kryo's serializers write as it is.
 */
public final class VertexParcel extends Parcel {
  private static final long serialVersionUID = 1L;

  public VertexParcel(int shard, int sourcePartition, int sequence, byte[] content) {
    super(shard, sourcePartition, sequence, content);
  }

  /**
   * Makes the content.
   *
   * @param block the vertices of the source partition
   * @param positions which of them, ascending
   * @param values one row for each of them; null: none
   */
  public static byte[] content(VertexBlock block, int[] positions, Columns values) {
    int size = positions.length;
    ByteWriter writer = new ByteWriter(10 + 12L * size + ByteWriter.bytes(values));
    writer.put(size).put(block.capacity());
    long[] ids = new long[size];
    int[] slots = new int[size];
    for (int i = 0; i < size; i++) {
      ids[i] = block.ids()[positions[i]];
      slots[i] = block.slot(positions[i]);
    }
    return writer.put(ids, size).put(slots, size).put(values).toBytes();
  }

  /**
   * Ids, slots and capacity as in the block of the source, of the vertices that are here, in the
   * block's order; without values. Decoded at every call.
   */
  public VertexBlock vertices() {
    ByteReader reader = new ByteReader(content());
    int size = reader.getInt();
    int capacity = reader.getInt();
    return new VertexBlock(size, reader.getLongs(size), reader.getInts(size), capacity, null);
  }

  /**
   * Attributes: row i is that of vertex i of {@link #vertices()}; null when none were routed.
   * Decoded at every call.
   */
  public Columns values() {
    ByteReader reader = new ByteReader(content());
    int size = reader.getInt();
    reader.getInt();
    reader.skip(12L * size);
    return reader.getColumns();
  }

  /** Where it comes from, for messages. */
  @Override
  public String toString() {
    return "parcel %s of vertex partition %s for shard %s"
        .formatted(sequence(), sourcePartition(), shard());
  }
}
