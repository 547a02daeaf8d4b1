package org.sparkgpugraph.engine.operator;

import org.sparkgpugraph.graphs.memory.ByteReader;
import org.sparkgpugraph.graphs.memory.ByteWriter;

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
    ByteWriter out = new ByteWriter(ids.length / 8 + 16);
    long common = common(labels);
    out.putVarying(common);
    byte[] bits = new byte[(ids.length + 7) / 8];
    for (int i = 0; i < ids.length; i++) {
      bits[i >>> 3] |= (byte) (labels[i] == common ? 1 << (i & 7) : 0);
    }
    for (byte eight : bits) {
      out.put(eight);
    }
    for (int i = 0; i < ids.length; i++) {
      if (labels[i] != common) {
        out.putVarying(ids[i] - labels[i]);
      }
    }
    return out.toBytes();
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
    ByteReader in = new ByteReader(bytes);
    long common = in.getVarying();
    byte[] bits = new byte[(ids.length + 7) / 8];
    for (int i = 0; i < bits.length; i++) {
      bits[i] = in.getByte();
    }
    for (int i = 0; i < ids.length; i++) {
      boolean has = (bits[i >>> 3] >>> (i & 7) & 1) != 0;
      to.link(ids[i], has ? common : ids[i] - in.getVarying());
    }
    if (in.hasMore()) {
      throw new IllegalStateException(
          "labels of "
              + bytes.length
              + " bytes do not end where they should: the shards know other vertices");
    }
  }

  // ---- links
  // --------------------------------------------------------------------------------------

  /** Writes who hangs under whom in a forest; empty when nobody does. */
  static byte[] writeLinks(LabelForest forest) {
    long[] children = forest.children();
    ByteWriter out = new ByteWriter(4L * children.length);
    long before = 0;
    for (long child : children) {
      out.putVarying(child - before).putVarying(child - forest.root(child));
      before = child;
    }
    return out.toBytes();
  }

  /** Reads what {@link #writeLinks} wrote. */
  static void readLinks(byte[] bytes, Links to) {
    ByteReader in = new ByteReader(bytes);
    long child = 0;
    while (in.hasMore()) {
      child += in.getVarying();
      to.link(child, child - in.getVarying());
    }
  }
}
