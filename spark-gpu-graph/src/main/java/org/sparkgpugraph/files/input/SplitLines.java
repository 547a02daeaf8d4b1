package org.sparkgpugraph.files.input;

import java.io.Closeable;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * The lines of a split of a text file, behind the header of the file, which the parser sees in
 * every split if it wants to.
 *
 * <p>A split [start, end) owns the lines that begin in it: it looks at the byte before its start to
 * see whether a line begins there, and reads its last line to the line's end, beyond the split's.
 */
final class SplitLines implements Closeable {
  private final Path file;
  private final long start;
  private final long end;
  private final EdgeLineParser parser;
  private TextLines lines;

  SplitLines(Configuration conf, FileSplit split, EdgeTextFormat format) throws IOException {
    file = split.getPath();
    start = split.getStart();
    try {
      parser = format.parser();
    } catch (LineException e) {
      throw new BadInputException(file + ": " + e.getMessage(), e);
    }
    try {
      end = open(conf, format) ? Long.MAX_VALUE : start + split.getLength();
    } catch (IOException | RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** Goes to the first line; returns whether the file is compressed, so that all of it is here. */
  private boolean open(Configuration conf, EdgeTextFormat format) throws IOException {
    if (parser.wantsHeader() || start == 0) {
      lines = TextLines.ofWhole(conf, file);
      if (start == 0) {
        refuseMatrix(format);
      }
      if (parser.wantsHeader()) {
        lines.header(parser);
      }
    }
    // A header that ends in this split, or behind it, is followed by its first line.
    if (start > 0 && (lines == null || lines.offset() < start)) {
      close();
      lines = new TextLines(conf, file, start - 1);
      lines.next();
    }
    return lines.isCompressed();
  }

  private void refuseMatrix(EdgeTextFormat format) throws IOException {
    if (format.style() != EdgeTextFormat.Style.MATRIX_MARKET && MatrixMarketParser.begins(lines)) {
      throw new BadInputException(
          file
              + ": it is a Matrix Market file"
              + switch (format.style()) {
                case EDGE_LIST ->
                    ", but the first file of the input is none: use --format mtx, or give it alone";
                case VERTEX_LIST -> ", no list of vertices: its rows are vertices as --input";
                default -> ": use --format mtx";
              });
    }
  }

  Path file() {
    return file;
  }

  EdgeLineParser parser() {
    return parser;
  }

  /** Moves to the next line, if one begins in the split. */
  boolean next() throws IOException {
    return lines.offset() < end && lines.next();
  }

  /** Whether the split, all of whose lines have been read, has all lines of the file. */
  boolean isWholeFile() throws IOException {
    return start == 0 && !lines.next();
  }

  TextLines lines() {
    return lines;
  }

  /** The share of the split that has been read; 0 where nobody knows. */
  float progress() {
    long length = Math.max(1, end - start);
    return lines.isCompressed() ? 0 : Math.min(1f, (lines.offset() - start) / (float) length);
  }

  @Override
  public void close() throws IOException {
    if (lines != null) {
      lines.close();
    }
  }
}
