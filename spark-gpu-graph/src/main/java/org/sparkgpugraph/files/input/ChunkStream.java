package org.sparkgpugraph.files.input;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * Reads what Hadoop's {@code BlockCompressorStream} writes: blocks, each with its decompressed
 * length and then chunks with their compressed lengths, as big-endian ints. Hadoop's own reader
 * takes the end of the file anywhere, and any garbage that ends early, for the end of the data;
 * this one says what is wrong.
 */
final class ChunkStream extends InputStream {
  private static final int LENGTH_BYTES = 4;

  private final InputStream in;
  private final Decompressor decompressor;
  private final long fileBytes;

  private long consumed;

  /** Decompressed bytes of the block that are still to come. */
  private int left;

  private boolean anything;
  private byte[] chunk = new byte[1 << 16];

  /**
   * Starts before the first block.
   *
   * @param fileBytes length of the compressed file
   */
  ChunkStream(InputStream in, Decompressor decompressor, long fileBytes) {
    this.in = in;
    this.decompressor = decompressor;
    this.fileBytes = fileBytes;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    // An empty block is all of an empty file, and may stand between others in a concatenation.
    while (left == 0) {
      if (consumed == fileBytes) {
        if (!anything && fileBytes > LENGTH_BYTES) {
          throw new StreamCorruptedException("nothing comes out of its " + fileBytes + " bytes");
        }
        return -1;
      }
      left = length("block");
    }
    int read;
    while ((read = decompressor.decompress(into, from, Math.min(length, left))) == 0) {
      if (!decompressor.needsInput()) {
        throw new StreamCorruptedException("a chunk holds no data");
      }
      nextChunk();
    }
    left -= read;
    anything = true;
    if (left == 0 && !decompressor.needsInput()) {
      throw new StreamCorruptedException("a chunk holds more data than its block");
    }
    return read;
  }

  private void nextChunk() throws IOException {
    int length = length("chunk");
    if (length > fileBytes - consumed) {
      throw new EOFException(
          "a chunk of " + length + " bytes begins " + (fileBytes - consumed) + " before the end");
    }
    if (length > chunk.length) {
      chunk = new byte[length];
    }
    if (in.readNBytes(chunk, 0, length) < length) {
      throw new EOFException("the file ends within a chunk");
    }
    consumed += length;
    decompressor.setInput(chunk, 0, length);
  }

  private int length(String what) throws IOException {
    byte[] bytes = in.readNBytes(LENGTH_BYTES);
    consumed += bytes.length;
    if (bytes.length < LENGTH_BYTES) {
      throw new EOFException("the file ends within the length of a " + what);
    }
    int length =
        bytes[0] << 24 | (bytes[1] & 0xFF) << 16 | (bytes[2] & 0xFF) << 8 | (bytes[3] & 0xFF);
    if (length < 0) {
      throw new StreamCorruptedException("the length of a " + what + " is negative");
    }
    return length;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
