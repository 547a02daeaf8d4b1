package org.sparkgpugraph.graphs.shard;

import java.io.Serializable;
import org.sparkgpugraph.graphs.build.CsrGraphPartition;
import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.model.GraphPartition;

/**
 * What a shard tells another about the vertices that a partition of the other keeps as ghosts: the
 * boundary list, which of them exist, their degrees and, if wanted, their attributes. A long list
 * travels as several replies. Made and taken by {@link GhostHandshake}.
 */
public final class GhostReply implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int home;
  private final int reader;
  private final byte[] content;

  public GhostReply(int home, int reader, byte[] content) {
    this.home = home;
    this.reader = reader;
    this.content = content;
  }

  /** Shard that sends it. */
  public int home() {
    return home;
  }

  /** Shard that receives it: where the reply must go. */
  public int reader() {
    return reader;
  }

  /** Size of the content in bytes. */
  public int bytes() {
    return content.length;
  }

  /**
   * What a reply is about: part of one boundary list.
   *
   * @param home shard that sends it
   * @param reader shard that receives it
   * @param homePartition partition of the home
   * @param readerPartition partition of the reader
   * @param first position of the reply's first vertex in the list
   * @param total length of the list
   */
  record Header(
      int home, int reader, int homePartition, int readerPartition, int first, int total) {}

  /**
   * The vertices of a reply.
   *
   * @param vertices local indexes at the home partition, ascending
   * @param present which of them exist; null: all
   * @param attributes one row for each; null: not part of it
   */
  record Content(
      Header header,
      int[] vertices,
      long[] present,
      int[] inDegrees,
      int[] outDegrees,
      Columns attributes) {}

  /**
   * Makes a reply.
   *
   * @param home the home partition
   * @param vertices local indexes, ascending
   * @param attributes by dense id; null: not part of it
   */
  static GhostReply of(Header header, CsrGraphPartition home, int[] vertices, Columns attributes) {
    int size = vertices.length;
    Columns rows = null;
    if (attributes != null) {
      int[] dense = new int[size];
      for (int i = 0; i < size; i++) {
        dense[i] = home.dense(vertices[i]);
      }
      rows = Columns.allocate(attributes.kinds(), size);
      rows.copyFrom(attributes, dense, 0, size, null);
    }
    ByteWriter writer = new ByteWriter(48 + 6L * size + ByteWriter.bytes(rows));
    writer.put(header.homePartition).put(header.readerPartition);
    writer.put(header.first).put(header.total);
    writer.put(size).putAscending(vertices, 0, size);
    putPresent(home, vertices, writer);
    for (int vertex : vertices) {
      writer.putVarying(home.inDegree(vertex));
    }
    for (int vertex : vertices) {
      writer.putVarying(home.outDegree(vertex));
    }
    return new GhostReply(header.home, header.reader, writer.put(rows).toBytes());
  }

  private static void putPresent(CsrGraphPartition home, int[] vertices, ByteWriter writer) {
    long[] present = home.present();
    boolean all = true;
    long[] some = new long[(vertices.length + 63) >>> 6];
    for (int i = 0; i < vertices.length; i++) {
      int vertex = vertices[i];
      if (GraphPartition.exists(present, vertex)) {
        some[i >>> 6] |= 1L << i;
      } else {
        all = false;
      }
    }
    writer.put((byte) (all ? 0 : 1));
    if (!all) {
      writer.put(some, some.length);
    }
  }

  /** Place in the boundary lists, by which replies are ordered. */
  Header header() {
    return header(new ByteReader(content));
  }

  private Header header(ByteReader bytes) {
    return new Header(home, reader, bytes.getInt(), bytes.getInt(), bytes.getInt(), bytes.getInt());
  }

  /** Number of its vertices. */
  int size() {
    ByteReader bytes = new ByteReader(content);
    header(bytes);
    return bytes.getInt();
  }

  public Content content() {
    ByteReader bytes = new ByteReader(content);
    Header header = header(bytes);
    int[] vertices = new int[bytes.getSize(1)];
    bytes.getAscending(vertices, 0, vertices.length);
    long[] present = bytes.getByte() == 0 ? null : bytes.getLongs((vertices.length + 63) >>> 6);
    int[] inDegrees = new int[vertices.length];
    bytes.getVarying(inDegrees, 0, inDegrees.length);
    int[] outDegrees = new int[vertices.length];
    bytes.getVarying(outDegrees, 0, outDegrees.length);
    return new Content(header, vertices, present, inDegrees, outDegrees, bytes.getColumns());
  }

  /** Sender and receiver, for messages. */
  @Override
  public String toString() {
    Header header = header();
    return ("the reply of shard %s, partition %s, to shard %s, partition %s, from the %sth"
            + " of %s ghosts on")
        .formatted(
            home, header.homePartition, reader, header.readerPartition, header.first, header.total);
  }
}
