package org.sparkgpugraph.graphs.shard;

import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IntEdgeBlock;
import org.sparkgpugraph.graphs.model.LocalEdgeBlock;

/**
 * What one source partition has for one shard: edges, or ids of vertices of the shard that have
 * edges which the shard does not get. Made by {@link EdgeRouter}, taken by {@link ShardBuilder};
 * bounded, so that it travels as one record. Its content is one array of bytes, which Java's and
 * Kryo's serializers write as it is.
 */
public final class EdgeParcel extends Parcel {
  private static final long serialVersionUID = 1L;

  private static final byte LOCAL = 0;
  private static final byte INTS = 1;
  private static final byte SOURCES = 2;

  /** Why a shard gets an edge. Edges from u to v have the same reason at a shard, all of them. */
  public enum Side {
    /** It holds the destination. */
    IN,
    /** It holds both ends, and is to hold out-edges. */
    BOTH,
    /** It holds the source. */
    OUT
  }

  private static final Side[] SIDES = Side.values();

  public EdgeParcel(int shard, int sourcePartition, int sequence, byte[] content) {
    super(shard, sourcePartition, sequence, content);
  }

  /** Number of edges in it; 0 for one that brings ids of sources. */
  public int edges() {
    ByteReader reader = new ByteReader(content());
    if (reader.getByte() == SOURCES) {
      return 0;
    }
    reader.getByte();
    return reader.getInt();
  }

  /** Why the shard gets the edges; null when the parcel brings ids of sources. */
  Side side() {
    return content()[0] == SOURCES ? null : SIDES[content()[1]];
  }

  /**
   * Edges over a dictionary.
   *
   * @param side why the shard gets them
   * @param size number of edges
   * @param sources {@code int[≥ size]}: index in the dictionary
   * @param destinations {@code int[≥ size]}: index in the dictionary
   * @param entries number of entries of the dictionary
   * @param dictionary {@code long[≥ entries]}: original ids
   * @param values one row for each edge; null: none
   */
  public static byte[] local(
      Side side,
      int size,
      int[] sources,
      int[] destinations,
      int entries,
      long[] dictionary,
      Columns values) {
    return new ByteWriter(10 + 8L * size + 8L * entries + ByteWriter.bytes(values))
        .put(LOCAL)
        .put((byte) side.ordinal())
        .put(size)
        .put(sources, size)
        .put(destinations, size)
        .put(entries)
        .put(dictionary, entries)
        .put(values)
        .toBytes();
  }

  /**
   * Edges by ids of 32 bits.
   *
   * @param side why the shard gets them
   * @param size number of edges
   * @param sources {@code int[≥ size]}: original ids
   * @param destinations {@code int[≥ size]}: original ids
   * @param values one row for each edge; null: none
   */
  static byte[] ints(Side side, int size, int[] sources, int[] destinations, Columns values) {
    return new ByteWriter(6 + 8L * size + ByteWriter.bytes(values))
        .put(INTS)
        .put((byte) side.ordinal())
        .put(size)
        .put(sources, size)
        .put(destinations, size)
        .put(values)
        .toBytes();
  }

  /** Original ids of sources, {@code [from, to)} of an ascending array. */
  public static byte[] sources(long[] ids, int from, int to) {
    return new ByteWriter(16 + 2L * (to - from))
        .put(SOURCES)
        .put(to - from)
        .putAscending(ids, from, to)
        .toBytes();
  }

  /** The edges; null when the parcel brings ids of sources. */
  public EdgeBlock block() {
    ByteReader reader = new ByteReader(content());
    byte form = reader.getByte();
    if (form == SOURCES) {
      return null;
    }
    reader.getByte();
    int size = reader.getInt();
    int[] from = reader.getInts(size);
    int[] to = reader.getInts(size);
    return switch (form) {
      case LOCAL -> {
        long[] dictionary = reader.getLongs(reader.getSize(Long.BYTES));
        yield new LocalEdgeBlock(size, from, to, dictionary, reader.getColumns());
      }
      case INTS -> new IntEdgeBlock(size, from, to, reader.getColumns());
      default -> throw new IllegalStateException("a parcel of the unknown form " + form);
    };
  }

  /** Original ids of sources, ascending; null when the parcel brings edges. */
  public long[] sources() {
    ByteReader reader = new ByteReader(content());
    if (reader.getByte() != SOURCES) {
      return null;
    }
    long[] ids = new long[reader.getSize(1)];
    reader.getAscending(ids, 0, ids.length);
    return ids;
  }

  /** Where it comes from, for messages. */
  @Override
  public String toString() {
    return "parcel %s of source partition %s for shard %s"
        .formatted(sequence(), sourcePartition(), shard());
  }
}
