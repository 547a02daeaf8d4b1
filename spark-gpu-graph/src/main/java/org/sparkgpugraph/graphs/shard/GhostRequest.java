package org.sparkgpugraph.graphs.shard;

import java.io.Serializable;
import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;

/**
 * Which vertices of one shard a partition of another keeps as ghosts, and how many of the edges
 * held there leave each of them. A long list travels as several requests. Made and answered by
 * {@link GhostHandshake}.
 */
public final class GhostRequest implements Serializable {
  private static final long serialVersionUID = 1L;

  private final int reader;
  private final int home;
  private final byte[] content;

  public GhostRequest(int reader, int home, byte[] content) {
    this.reader = reader;
    this.home = home;
    this.content = content;
  }

  /** Shard that asks. */
  public int reader() {
    return reader;
  }

  /** Shard that is asked: where the request must go. */
  public int home() {
    return home;
  }

  /** Size of the content in bytes. */
  public int bytes() {
    return content.length;
  }

  /**
   * What a request is about.
   *
   * @param reader shard that asks
   * @param home shard that is asked
   * @param partition partition of the reader
   * @param first position of the request's first ghost in the list of all that the partition keeps
   *     of the home's vertices
   * @param total length of that list
   */
  record Header(int reader, int home, int partition, int first, int total) {}

  /**
   * The ghosts of a request.
   *
   * @param ids original ids, ascending
   * @param edges how many edges held at the reader leave each; null: not part of it
   */
  record Content(Header header, long[] ids, int[] edges) {}

  /**
   * Makes a request.
   *
   * @param edges null: not part of it
   * @param from where in {@code edges} the ghosts begin
   */
  static GhostRequest of(Header header, long[] ids, int[] edges, int from) {
    ByteWriter writer = new ByteWriter(32 + 4L * ids.length);
    writer.put(header.partition).put(header.first).put(header.total);
    writer.put(ids.length).putAscending(ids, 0, ids.length);
    writer.put((byte) (edges == null ? 0 : 1));
    if (edges != null) {
      writer.putVarying(edges, from, from + ids.length);
    }
    return new GhostRequest(header.reader, header.home, writer.toBytes());
  }

  /** Partition of the reader and first position, by which requests are ordered. */
  Header header() {
    return header(new ByteReader(content));
  }

  private Header header(ByteReader bytes) {
    return new Header(reader, home, bytes.getInt(), bytes.getInt(), bytes.getInt());
  }

  /** Number of its ghosts. */
  int size() {
    ByteReader bytes = new ByteReader(content);
    header(bytes);
    return bytes.getInt();
  }

  public Content content() {
    ByteReader bytes = new ByteReader(content);
    Header header = header(bytes);
    long[] ids = new long[bytes.getSize(1)];
    bytes.getAscending(ids, 0, ids.length);
    int[] edges = null;
    if (bytes.getByte() != 0) {
      edges = new int[ids.length];
      bytes.getVarying(edges, 0, edges.length);
    }
    return new Content(header, ids, edges);
  }

  /** Who asks whom, for messages. */
  @Override
  public String toString() {
    Header header = header();
    return ("the request of shard %s, partition %s, to shard %s for ghosts from the %sth"
            + " of %s on")
        .formatted(reader, header.partition, home, header.first, header.total);
  }
}
