package org.sparkgpugraph.engine.operator;

import java.io.ByteArrayOutputStream;

/**
 * How labels of components travel. A label is never larger than the id of the vertex that it is
 * for, so the difference is written: as an unsigned number of 64 bits, seven a byte, low ones
 * first.
 */
final class LabelCodec {
  private LabelCodec() {}

  /** Takes a link. */
  interface Links {
    void link(long id, long label);
  }

  // ---- labels of vertices that both sides know
  // ----------------------------------------------------

  /**
   * Writes the labels of vertices: one that many have once, a bit for each vertex whether it has
   * it, and the others.
   *
   * @param ids of the vertices, known to the reader
   */
  static byte[] writeLabels(long[] ids, long[] labels) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(ids.length / 8 + 16);
    long common = common(labels);
    varying(out, common);
    byte[] bits = new byte[(ids.length + 7) / 8];
    for (int i = 0; i < ids.length; i++) {
      bits[i >>> 3] |= (byte) (labels[i] == common ? 1 << (i & 7) : 0);
    }
    out.writeBytes(bits);
    for (int i = 0; i < ids.length; i++) {
      if (labels[i] != common) {
        varying(out, ids[i] - labels[i]);
      }
    }
    return out.toByteArray();
  }

  /** A label that more than half have, if there is one (Boyer and Moore's vote). */
  private static long common(long[] labels) {
    long common = 0;
    int votes = 0;
    for (long label : labels) {
      common = votes == 0 ? label : common;
      votes += label == common ? 1 : -1;
    }
    return common;
  }

  /**
   * Reads what {@link #writeLabels} wrote.
   *
   * @param ids the same
   */
  static void readLabels(byte[] bytes, long[] ids, Links to) {
    Reader in = new Reader(bytes);
    long common = in.varying();
    int bits = in.at;
    in.at += (ids.length + 7) / 8;
    for (int i = 0; i < ids.length; i++) {
      boolean has = (bytes[bits + (i >>> 3)] >>> (i & 7) & 1) != 0;
      to.link(ids[i], has ? common : ids[i] - in.varying());
    }
    in.checkEnd();
  }

  // ---- links
  // --------------------------------------------------------------------------------------

  /** Writes who hangs under whom in a forest; empty when nobody does. */
  static byte[] writeLinks(LabelForest forest) {
    long[] children = forest.children();
    ByteArrayOutputStream out = new ByteArrayOutputStream(4 * children.length + 16);
    long before = 0;
    for (long child : children) {
      varying(out, child - before);
      varying(out, child - forest.root(child));
      before = child;
    }
    return out.toByteArray();
  }

  /** Reads what {@link #writeLinks} wrote. */
  static void readLinks(byte[] bytes, Links to) {
    Reader in = new Reader(bytes);
    long child = 0;
    while (in.at < bytes.length) {
      child += in.varying();
      to.link(child, child - in.varying());
    }
  }

  private static void varying(ByteArrayOutputStream out, long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private static final class Reader {
    private final byte[] bytes;
    private int at;

    Reader(byte[] bytes) {
      this.bytes = bytes;
    }

    long varying() {
      long value = 0;
      int shift = 0;
      byte next;
      do {
        next = bytes[at++];
        value |= (next & 0x7FL) << shift;
        shift += 7;
      } while (next < 0);
      return value;
    }

    void checkEnd() {
      if (at != bytes.length) {
        throw new IllegalStateException(
            "labels of "
                + bytes.length
                + " bytes end at "
                + at
                + ": the shards know other vertices");
      }
    }
  }
}
