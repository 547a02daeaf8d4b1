package org.sparkgpugraph.files.input;

import java.util.HexFormat;
import org.apache.hadoop.io.compress.CompressionCodec;

/**
 * Compressed formats by their first bytes. Hadoop goes by a file's suffix alone, and several of its
 * decompressors take what is not theirs for an empty file.
 */
enum Compression {
  GZIP(".gz", "gzip"),
  BZIP2(".bz2", "bzip2"),
  ZSTANDARD(".zst", "Zstandard"),
  DEFLATE(".deflate", "zlib (deflate)"),
  SNAPPY(".snappy", "Hadoop's snappy"),
  LZ4(".lz4", "Hadoop's LZ4");

  /** Bytes of a file that tell its format. */
  static final int HEAD_BYTES = 10;

  /** Begin a bzip2 file's first block, or its end when there is none. */
  private static final String BZIP2_BLOCK = "314159265359";

  private static final String BZIP2_END = "177245385090";

  /** What formats in blocks begin with. */
  private static final int TWO_LENGTHS = 8;

  private static final String SNAPPY_FRAMES = "ff060000734e61507059";
  private static final String LZ4_FRAME = "04224d18";

  private final String suffix;
  private final String title;

  Compression(String suffix, String title) {
    this.suffix = suffix;
    this.title = title;
  }

  /** The format of a codec; null: none of these. */
  static Compression of(CompressionCodec codec) {
    for (Compression each : values()) {
      if (each.suffix.equals(codec.getDefaultExtension())) {
        return each;
      }
    }
    return null;
  }

  /** The format of a file without a codec, which no text begins with; null: none is recognised. */
  static Compression recognized(byte[] bytes, int length) {
    String head = HexFormat.of().formatHex(bytes, 0, Math.min(length, HEAD_BYTES));
    for (Compression each : new Compression[] {GZIP, BZIP2, ZSTANDARD}) {
      if (each.begins(head)) {
        return each;
      }
    }
    return null;
  }

  /** Whether Hadoop writes this format as blocks of chunks whose lengths stand before them. */
  boolean inBlocks() {
    return this == SNAPPY || this == LZ4;
  }

  String suffix() {
    return suffix;
  }

  String title() {
    return title;
  }

  /**
   * What is wrong with a file of this format's suffix.
   *
   * @param bytes the first {@link #HEAD_BYTES} of the file, or all of a shorter one
   * @return null when it begins as it should
   */
  String fault(byte[] bytes, int length) {
    if (length == 0) {
      return "it is empty, but even without a line in it a "
          + suffix
          + " file has bytes; was it cut off? Remove it or copy it again";
    }
    String head = HexFormat.of().formatHex(bytes, 0, length);
    String not = "it is not " + title + ", though its name ends in " + suffix + ": ";
    if (inBlocks() && length >= TWO_LENGTHS && isText(bytes, TWO_LENGTHS)) {
      // Else a block and a chunk of more than 150 MB, and nobody writes such.
      return not + "it is plain text; take the suffix off";
    }
    if (begins(head)) {
      return null;
    }
    if (head.equals(SNAPPY_FRAMES) || head.startsWith(LZ4_FRAME)) {
      return not
          + "it has the frames of another tool, which Hadoop cannot read: decompress it first, or"
          + " compress it as .gz";
    }
    Compression other = recognized(bytes, length);
    if (other != null) {
      return not + "it is " + other.title + "; rename it to " + other.suffix;
    }
    if (isText(bytes, length)) {
      return not + "it is plain text; take the suffix off";
    }
    return not + "it begins with the bytes " + head + "; copy it or make it again";
  }

  private boolean begins(String head) {
    return switch (this) {
      case GZIP -> head.startsWith("1f8b");
      case BZIP2 -> head.matches("425a683[1-9](" + BZIP2_BLOCK + "|" + BZIP2_END + ")");
      // A frame, or one that is to be skipped.
      case ZSTANDARD -> head.startsWith("28b52ffd") || head.matches("5[0-9a-f]2a4d18.*");
      // RFC 1950: method 8, a window of at most 32 KB, a checksum over both bytes.
      case DEFLATE ->
          head.length() >= 4
              && head.charAt(1) == '8'
              && head.charAt(0) <= '7'
              && Integer.parseInt(head.substring(0, 4), 16) % 31 == 0;
      // Without a magic number; the lengths are checked while reading.
      case SNAPPY, LZ4 -> !head.equals(SNAPPY_FRAMES) && !head.startsWith(LZ4_FRAME);
    };
  }

  private static boolean isText(byte[] bytes, int length) {
    for (int i = 0; i < length; i++) {
      if (bytes[i] != '\t' && bytes[i] != '\n' && bytes[i] != '\r' && (bytes[i] & 0xFF) < ' ') {
        return false;
      }
    }
    return true;
  }
}
