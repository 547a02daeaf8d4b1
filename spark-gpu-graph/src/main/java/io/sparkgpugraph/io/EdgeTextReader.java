package io.sparkgpugraph.io;

import io.sparkgpugraph.graph.EdgeBlock;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.compress.CodecPool;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.io.compress.Decompressor;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * Reads a split of a text file as blocks of edges, straight from the bytes.
 *
 * <p>Lines end with LF, CR or CRLF. A split [start, end) owns the lines that begin in it: it looks
 * at the byte before its start to see whether a line begins there, and reads its last line to the
 * line's end, beyond the split's.
 */
final class EdgeTextReader extends RecordReader<NullWritable, EdgeBlock> {
  private static final int BUFFER_BYTES = 1 << 17;

  /** A longer line is a sign of a file that is no text. */
  private static final int MAX_LINE_BYTES = 1 << 20;

  private static final int MAX_TEXT_IN_MESSAGE = 120;

  private Configuration conf;
  private Path file;
  private long start;
  private long end;
  private CompressionCodec codec;
  private Decompressor decompressor;
  private FSDataInputStream raw;
  private InputStream in;
  private EdgeLineParser parser;
  private EdgeBlockBuilder builder;
  private EdgeBlock current;

  private byte[] buffer = new byte[BUFFER_BYTES];
  private long bufferOffset;
  private int position;
  private int limit;
  private boolean endOfFile;
  private boolean done;

  /** Bounds in the buffer of the line that {@link #nextLine} found. */
  private int lineFrom;

  private int lineTo;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    FileSplit fileSplit = (FileSplit) split;
    conf = context.getConfiguration();
    EdgeTextFormat format = EdgeTextInputFormat.formatOf(conf);
    file = fileSplit.getPath();
    start = fileSplit.getStart();
    codec = new CompressionCodecFactory(conf).getCodec(file);
    end = codec == null ? start + fileSplit.getLength() : Long.MAX_VALUE;
    builder = new EdgeBlockBuilder(format.weighted(), format.undirected());
    try {
      parser = format.parser();
    } catch (LineException e) {
      throw new BadInputException(file + ": " + e.getMessage(), e);
    }
    if (parser.wantsHeader() || start == 0) {
      open(0);
      skipByteOrderMark();
      if (parser.wantsHeader()) {
        readHeader();
      }
    }
    if (start > 0) {
      closeStream();
      open(start - 1);
      nextLine();
    }
  }

  private void open(long offset) throws IOException {
    raw = file.getFileSystem(conf).open(file);
    bufferOffset = offset;
    position = 0;
    limit = 0;
    endOfFile = false;
    if (codec == null) {
      raw.seek(offset);
      in = raw;
    } else {
      decompressor = CodecPool.getDecompressor(codec);
      in =
          decompressor == null
              ? codec.createInputStream(raw)
              : codec.createInputStream(raw, decompressor);
    }
  }

  private void skipByteOrderMark() throws IOException {
    while (limit < 3 && !endOfFile) {
      fill();
    }
    if (limit >= 3
        && buffer[0] == (byte) 0xEF
        && buffer[1] == (byte) 0xBB
        && buffer[2] == (byte) 0xBF) {
      position = 3;
    }
  }

  private void readHeader() throws IOException {
    int first = position;
    while (nextLine()) {
      if (lineTo > lineFrom) {
        try {
          if (!parser.header(buffer, lineFrom, lineTo)) {
            position = first;
          }
        } catch (LineException e) {
          throw unreadable(e);
        }
        return;
      }
      first = position;
    }
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    while (!done && !builder.isFull()) {
      if (bufferOffset + position >= end || !nextLine()) {
        done = true;
        break;
      }
      try {
        if (parser.parse(buffer, lineFrom, lineTo)) {
          builder.add(parser.source, parser.destination, parser.weight);
        }
      } catch (LineException e) {
        throw unreadable(e);
      }
    }
    if (builder.isEmpty()) {
      current = null;
      return false;
    }
    current = builder.take();
    return true;
  }

  /** Moves to the next line; its bounds may move when the buffer is filled, and only then. */
  private boolean nextLine() throws IOException {
    int at = position;
    while (true) {
      byte[] bytes = buffer;
      int stop = limit;
      while (at < stop && bytes[at] != '\n' && bytes[at] != '\r') {
        at++;
      }
      if (at < stop) {
        lineFrom = position;
        lineTo = at;
        position = at + 1;
        return true;
      }
      if (endOfFile) {
        lineFrom = position;
        lineTo = limit;
        position = limit;
        return lineTo > lineFrom;
      }
      at -= position;
      fill();
      at += position;
    }
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
        lineFrom = 0;
        lineTo = limit;
        throw unreadable(
            new LineException(
                "the line is longer than " + MAX_LINE_BYTES + " bytes; is this a text file?"));
      }
      buffer = Arrays.copyOf(buffer, 2 * buffer.length);
    }
    int read;
    try {
      read = in.read(buffer, limit, buffer.length - limit);
    } catch (EOFException e) {
      throw new BadInputException(file + ": the compressed file is truncated", e);
    }
    if (read < 0) {
      endOfFile = true;
    } else {
      limit += read;
    }
  }

  private BadInputException unreadable(LineException reason) throws IOException {
    int length = Math.min(lineTo - lineFrom, MAX_TEXT_IN_MESSAGE);
    String text = new String(buffer, lineFrom, length, StandardCharsets.UTF_8);
    String shown = text + (length < lineTo - lineFrom ? "..." : "");
    long offset = bufferOffset + lineFrom;
    closeStream();
    return new BadInputException(
        file
            + ", line "
            + lineNumber(offset)
            + ": "
            + reason.getMessage()
            + "; the line is \""
            + shown
            + "\"",
        reason);
  }

  /** Counts the lines before an offset: only an error needs to know, so only an error pays. */
  private long lineNumber(long offset) throws IOException {
    open(0);
    long line = 1;
    boolean afterCarriageReturn = false;
    while (bufferOffset < offset && !endOfFile) {
      fill();
      int stop = (int) Math.min(limit, offset - bufferOffset);
      for (int i = 0; i < stop; i++) {
        if (buffer[i] == '\r' || (buffer[i] == '\n' && !afterCarriageReturn)) {
          line++;
        }
        afterCarriageReturn = buffer[i] == '\r';
      }
      position = stop;
      if (stop < limit) {
        break;
      }
      bufferOffset += limit;
      position = 0;
      limit = 0;
    }
    return line;
  }

  @Override
  public NullWritable getCurrentKey() {
    return NullWritable.get();
  }

  @Override
  public EdgeBlock getCurrentValue() {
    return current;
  }

  @Override
  public float getProgress() throws IOException {
    if (done || raw == null) {
      return 1;
    }
    long length = Math.max(1, end - start);
    return codec == null ? Math.min(1f, (bufferOffset + position - start) / (float) length) : 0;
  }

  private void closeStream() throws IOException {
    try {
      if (in != null) {
        in.close();
      }
    } finally {
      in = null;
      raw = null;
      if (decompressor != null) {
        CodecPool.returnDecompressor(decompressor);
        decompressor = null;
      }
    }
  }

  @Override
  public void close() throws IOException {
    closeStream();
  }
}
