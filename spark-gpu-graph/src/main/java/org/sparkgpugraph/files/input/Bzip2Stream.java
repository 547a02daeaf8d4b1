package org.sparkgpugraph.files.input;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StreamCorruptedException;
import org.apache.hadoop.io.compress.SplittableCompressionCodec.READ_MODE;
import org.apache.hadoop.io.compress.bzip2.CBZip2InputStream;

/**
 * Reads bzip2, several streams in one file too. Hadoop's codec looks for the next block wherever it
 * begins, so that it passes over damaged ones, and a file that ends between two is whole to it;
 * this one expects each block behind the one before, and the end behind the last.
 */
final class Bzip2Stream extends InputStream {
  private final InputStream in;
  private CBZip2InputStream blocks;

  Bzip2Stream(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
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
    while (true) {
      if (blocks == null && !nextStream()) {
        return -1;
      }
      int read = blocks.read(into, from, length);
      if (read >= 0) {
        return read;
      }
      blocks = null;
    }
  }

  /** Whether there is another stream; Hadoop's class begins behind the first two letters. */
  private boolean nextStream() throws IOException {
    int first = in.read();
    if (first < 0) {
      return false;
    }
    int second = in.read();
    if (second < 0) {
      throw new EOFException("the file ends within the head of a stream");
    }
    if (first != 'B' || second != 'Z') {
      throw new StreamCorruptedException("what follows the end of a stream is none");
    }
    blocks = new Blocks(new SingleBytes(in));
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** The blocks of one stream. */
  private static final class Blocks extends CBZip2InputStream {
    Blocks(InputStream in) throws IOException {
      super(in, READ_MODE.CONTINUOUS);
    }

    /** Called at the end of the stream: what follows is not looked for. */
    @Override
    public boolean skipToNextMarker(long marker, int markerBits) {
      return false;
    }
  }

  /** Gives a buffer no more than is asked for, so that the next stream is left for its reader. */
  private static final class SingleBytes extends FilterInputStream {
    SingleBytes(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      int read = length == 0 ? 0 : in.read();
      if (read < 0) {
        return -1;
      }
      if (length > 0) {
        into[from] = (byte) read;
      }
      return Math.min(1, length);
    }
  }
}
