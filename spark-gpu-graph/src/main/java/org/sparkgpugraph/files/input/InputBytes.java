package org.sparkgpugraph.files.input;

import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedByInterruptException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFileSystem;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.Decompressor;

/**
 * The bytes of one input file, decompressed as its suffix says. Whatever goes wrong is a {@link
 * BadInputException} with the file's name: decompressors throw exceptions and errors of many kinds
 * that know no file.
 */
public final class InputBytes implements Closeable {
  private final Path file;
  private CompressionCodec codec;
  private Decompressor decompressor;
  private InputStream in;
  private boolean opened;
  private boolean failed;

  /**
   * What went wrong with the bytes as they are in the file, which tells nothing of their format.
   */
  private Throwable unread;

  /**
   * Opens the file.
   *
   * @param offset where to begin in a file that is not compressed; others begin at 0
   */
  InputBytes(Configuration conf, Path file, long offset) throws IOException {
    this.file = file;
    try {
      codec = codec(conf, file);
      FileSystem fs = file.getFileSystem(conf);
      FSDataInputStream raw = open(fs, file);
      in = raw;
      opened = true;
      if (codec == null) {
        raw.seek(offset);
      } else {
        decompress(raw, fs.getFileStatus(file).getLen());
      }
    } catch (IOException | RuntimeException | LinkageError | InternalError | FSError e) {
      BadInputException named = named(e);
      try {
        close();
      } catch (IOException closing) {
        named.addSuppressed(closing);
      }
      throw named;
    }
  }

  /** How a file of this name is compressed; null: it is not. */
  public static CompressionCodec codec(Configuration conf, Path file) {
    return new CompressionCodecFactory(conf).getCodec(file);
  }

  /**
   * Refuses an empty file whose name says that it is compressed: Spark reads no empty files, so no
   * task would see it.
   */
  public static void refuseEmpty(Configuration conf, FileStatus file) {
    CompressionCodec codec = file.getLen() == 0 ? codec(conf, file.getPath()) : null;
    Compression format = codec == null ? null : Compression.of(codec);
    if (format != null) {
      throw new BadInputException(file.getPath() + ": " + format.fault(new byte[0], 0));
    }
  }

  private static FSDataInputStream open(FileSystem fs, Path file) throws IOException {
    // There are no checksums for names with a colon: Hadoop cannot make the name of their file.
    boolean plain = fs instanceof ChecksumFileSystem && file.getName().indexOf(':') >= 0;
    return (plain ? ((ChecksumFileSystem) fs).getRawFileSystem() : fs).open(file);
  }

  private void decompress(FSDataInputStream raw, long fileBytes) throws IOException {
    Compression format = Compression.of(codec);
    // Codecs that are none of Hadoop's may ask for more than a plain stream.
    InputStream bytes = format == null ? raw : new FileBytes(raw);
    if (format != null) {
      byte[] head = new byte[Compression.HEAD_BYTES];
      String fault = format.fault(head, bytes.readNBytes(head, 0, head.length));
      if (fault != null) {
        throw new BadInputException(file + ": " + fault);
      }
      raw.seek(0);
    }
    if (format == Compression.BZIP2) {
      in = new Bzip2Stream(bytes);
      return;
    }
    decompressor = CodecPool.getDecompressor(codec);
    if (format != null && format.inBlocks() && decompressor != null) {
      in = new ChunkStream(bytes, decompressor, fileBytes);
    } else {
      in =
          decompressor == null
              ? codec.createInputStream(bytes)
              : codec.createInputStream(bytes, decompressor);
    }
  }

  boolean isCompressed() {
    return codec != null;
  }

  /** As {@link InputStream#read(byte[], int, int)}. */
  int read(byte[] into, int from, int length) throws IOException {
    try {
      return in.read(into, from, length);
    } catch (IOException | RuntimeException | LinkageError | InternalError | FSError e) {
      throw named(e);
    }
  }

  private BadInputException named(Throwable error) throws IOException {
    failed = true;
    if (error instanceof BadInputException bad) {
      return bad;
    }
    boolean interrupted =
        error instanceof ClosedByInterruptException
            || error instanceof InterruptedIOException
                && !(error instanceof SocketTimeoutException);
    if (interrupted) {
      // The task is being ended; the file is all right.
      throw (IOException) error;
    }
    if (codec == null || !opened) {
      return Unreachable.exception("read", file.toString(), error);
    }
    if (unread != null) {
      return Unreachable.exception("read", file.toString(), unread);
    }
    Compression format = Compression.of(codec);
    String title = format == null ? codec.getDefaultExtension() : format.title();
    String reason = error.getMessage() == null ? error.toString() : Unreachable.firstLine(error);
    if (format == Compression.ZSTANDARD && reason.contains("native")) {
      return new BadInputException(
          ("%s: Hadoop reads %s files only with its native library, which is missing here"
                  + " (%s); decompress it first (zstd -d), or compress it as .gz")
              .formatted(file, format.suffix(), reason),
          error);
    }
    if (error instanceof LinkageError) {
      return new BadInputException(
          ("%s: the library that decompresses %s cannot be used here (%s); decompress it"
                  + " first, or compress it as .gz")
              .formatted(file, title, reason),
          error);
    }
    if (error instanceof EOFException) {
      return new BadInputException(
          file + ": the compressed file is truncated (" + reason + "); copy it again", error);
    }
    return new BadInputException(
        ("%s: it cannot be decompressed as %s: %s; the file is damaged: copy it or make"
                + " it again")
            .formatted(file, title, reason),
        error);
  }

  @Override
  public void close() throws IOException {
    try {
      if (in != null) {
        in.close();
      }
    } finally {
      in = null;
      if (decompressor != null) {
        if (failed && Compression.of(codec) != null && Compression.of(codec).inBlocks()) {
          // Resetting these leaves their buffers as they are: they would fail for the next file.
          decompressor.end();
        } else {
          CodecPool.returnDecompressor(decompressor);
        }
        decompressor = null;
      }
    }
  }

  /** The bytes of the file as they are. */
  private final class FileBytes extends FilterInputStream {
    FileBytes(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      try {
        return in.read();
      } catch (IOException | RuntimeException | FSError e) {
        unread = e;
        throw e;
      }
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      try {
        return in.read(into, from, length);
      } catch (IOException | RuntimeException | FSError e) {
        unread = e;
        throw e;
      }
    }
  }
}
