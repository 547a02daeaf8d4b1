package org.sparkgpugraph.files.input;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * The lines of a text file as bytes, without an object for each. Lines end with LF, CR or CRLF (of
 * which the LF ends an empty line).
 */
public final class TextLines implements Closeable {
  private static final int BUFFER_BYTES = 1 << 17;

  /** A longer line is a sign of a file that is no text. */
  private static final int MAX_LINE_BYTES = 1 << 20;

  private static final int MAX_TEXT_IN_MESSAGE = 120;

  /** Of UTF-8, in Latin-1. */
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";

  private final Configuration conf;
  private final Path file;
  private InputBytes in;

  private byte[] buffer = new byte[BUFFER_BYTES];
  private long bufferOffset;
  private int position;
  private int limit;
  private boolean endOfFile;

  /** Bounds in the buffer of the line that {@link #next} found. */
  private int from;

  private int to;

  /** Opens a file at an offset, which counts decompressed bytes and is 0 in compressed files. */
  TextLines(Configuration conf, Path file, long offset) throws IOException {
    this.conf = conf;
    this.file = file;
    this.in = new InputBytes(conf, file, offset);
    this.bufferOffset = offset;
  }

  /** Starts at the file's beginning, behind a byte order mark. */
  public static TextLines ofWhole(Configuration conf, Path file) throws IOException {
    TextLines lines = new TextLines(conf, file, 0);
    try {
      if (lines.peek(BYTE_ORDER_MARK.length()).equals(BYTE_ORDER_MARK)) {
        lines.position = BYTE_ORDER_MARK.length();
      }
      Compression format =
          lines.in.isCompressed() ? null : Compression.recognized(lines.buffer, lines.limit);
      if (format != null) {
        throw new BadInputException(
            "%s: it is %s, but its name does not end in %s: rename it"
                .formatted(file, format.title(), format.suffix()));
      }
      return lines;
    } catch (IOException | RuntimeException | Error e) {
      lines.close();
      throw e;
    }
  }

  /** The bytes that come next, as characters of Latin-1; fewer at the end of the file. */
  String peek(int bytes) throws IOException {
    while (limit - position < bytes && !endOfFile) {
      fill();
    }
    return new String(
        buffer, position, Math.min(bytes, limit - position), StandardCharsets.ISO_8859_1);
  }

  /**
   * Offers lines to a parser until it has its header, empty ones left out.
   *
   * @throws BadInputException when the parser refuses one
   */
  void header(EdgeLineParser parser) throws IOException {
    try {
      while (true) {
        int first = position;
        long firstOffset = bufferOffset;
        if (!next()) {
          parser.noHeader();
          return;
        }
        if (to == from) {
          continue;
        }
        switch (parser.header(buffer, from, to)) {
          case MORE -> {}
          case DONE -> {
            return;
          }
          case NO_HEADER -> {
            // What the buffer has dropped when it was filled moved the line to its front.
            position = (int) (firstOffset + first - bufferOffset);
            return;
          }
        }
      }
    } catch (LineException e) {
      throw unreadable(e);
    }
  }

  /** Moves to the next line; its bounds may move when the buffer is filled, and only then. */
  public boolean next() throws IOException {
    int at = position;
    while (true) {
      byte[] bytes = buffer;
      int stop = limit;
      while (at < stop && bytes[at] != '\n' && bytes[at] != '\r') {
        at++;
      }
      if (at < stop) {
        from = position;
        to = at;
        position = at + 1;
        return true;
      }
      if (endOfFile) {
        from = position;
        to = limit;
        position = limit;
        return to > from;
      }
      at -= position;
      fill();
      at += position;
    }
  }

  /** The array that holds the line, in {@code [from(), to())}. */
  public byte[] bytes() {
    return buffer;
  }

  public int from() {
    return from;
  }

  public int to() {
    return to;
  }

  /** Where in the file the next line begins. */
  long offset() {
    return bufferOffset + position;
  }

  boolean isCompressed() {
    return in.isCompressed();
  }

  /** Reads more bytes behind those that are not consumed yet, which move to the front. */
  private void fill() throws IOException {
    if (position > 0) {
      System.arraycopy(buffer, position, buffer, 0, limit - position);
      bufferOffset += position;
      limit -= position;
      position = 0;
    }
    if (limit == buffer.length) {
      if (buffer.length >= MAX_LINE_BYTES) {
        from = 0;
        to = limit;
        throw unreadable(
            new LineException(
                "the line is longer than " + MAX_LINE_BYTES + " bytes; is this a text file?"));
      }
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int read = in.read(buffer, limit, buffer.length - limit);
    if (read < 0) {
      endOfFile = true;
    } else {
      limit += read;
    }
  }

  /** What is wrong with the line, with its place; the lines are closed. */
  BadInputException unreadable(LineException reason) throws IOException {
    int length = Math.min(to - from, MAX_TEXT_IN_MESSAGE);
    String text = new String(buffer, from, length, StandardCharsets.UTF_8);
    String shown = text + (length < to - from ? "..." : "");
    long offset = bufferOffset + from;
    close();
    return new BadInputException(
        "%s, line %s: %s; the line is \"%s\""
            .formatted(file, lineNumber(offset), reason.getMessage(), shown),
        reason);
  }

  /** Counts the lines before an offset: only an error needs to know, so only an error pays. */
  private long lineNumber(long offset) throws IOException {
    long line = 1;
    boolean afterCarriageReturn = false;
    byte[] bytes = new byte[BUFFER_BYTES];
    try (InputBytes again = new InputBytes(conf, file, 0)) {
      long left = offset;
      while (left > 0) {
        int read = again.read(bytes, 0, (int) Math.min(bytes.length, left));
        if (read < 0) {
          break;
        }
        for (int i = 0; i < read; i++) {
          if (bytes[i] == '\r' || (bytes[i] == '\n' && !afterCarriageReturn)) {
            line++;
          }
          afterCarriageReturn = bytes[i] == '\r';
        }
        left -= read;
      }
    }
    return line;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
