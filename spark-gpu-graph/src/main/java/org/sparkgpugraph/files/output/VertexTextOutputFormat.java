package org.sparkgpugraph.files.output;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.GzipCodec;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.ReflectionUtils;
import org.sparkgpugraph.files.VertexWriter;
import org.sparkgpugraph.graph.model.VertexBlock;

/**
 * Blocks of vertices as lines of text. Public because Hadoop makes the instance; use {@link
 * VertexWriter}. Honours Hadoop's output compression ({@code
 * mapreduce.output.fileoutputformat.compress}).
 */
public final class VertexTextOutputFormat extends FileOutputFormat<NullWritable, VertexBlock> {
  private static final String FORMAT = "gpugraph.vertices.format";
  private static final String NAMES = "gpugraph.vertices.names";

  public static void configure(Configuration conf, VertexWriter.Format format, List<String> names) {
    conf.setEnum(FORMAT, format);
    conf.setStrings(NAMES, names.toArray(new String[0]));
  }

  @Override
  public RecordWriter<NullWritable, VertexBlock> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Configuration conf = context.getConfiguration();
    VertexWriter.Format format = conf.getEnum(FORMAT, VertexWriter.Format.TEXT);
    boolean csv = format == VertexWriter.Format.CSV;
    CompressionCodec codec = null;
    String extension = csv ? ".csv" : "";
    if (getCompressOutput(context)) {
      codec = ReflectionUtils.newInstance(getOutputCompressorClass(context, GzipCodec.class), conf);
      extension += codec.getDefaultExtension();
    }
    Path file = getDefaultWorkFile(context, extension);
    DataOutputStream out = file.getFileSystem(conf).create(file, false);
    if (codec != null) {
      out = new DataOutputStream(codec.createOutputStream(out));
    }
    if (csv) {
      String header = "id," + String.join(",", conf.getStrings(NAMES)) + "\n";
      out.write(header.getBytes(StandardCharsets.UTF_8));
    }
    char blank = format == VertexWriter.Format.GRAPHALYTICS ? ' ' : '\t';
    return new LineWriter(out, csv ? ',' : blank);
  }

  private static final class LineWriter extends RecordWriter<NullWritable, VertexBlock> {
    private static final int FLUSH_CHARS = 1 << 15;

    private final DataOutputStream out;
    private final char separator;
    private final StringBuilder lines = new StringBuilder(FLUSH_CHARS + 256);

    LineWriter(DataOutputStream out, char separator) {
      this.out = out;
      this.separator = separator;
    }

    @Override
    public void write(NullWritable key, VertexBlock block) throws IOException {
      VertexValues values = new VertexValues(block);
      for (int position = 0; position < block.size(); position++) {
        lines.append(block.ids()[position]);
        for (int column = 0; column < values.width(); column++) {
          lines.append(separator);
          values.append(lines, column, position);
        }
        lines.append('\n');
        if (lines.length() >= FLUSH_CHARS) {
          flush();
        }
      }
    }

    private void flush() throws IOException {
      out.write(lines.toString().getBytes(StandardCharsets.ISO_8859_1));
      lines.setLength(0);
    }

    @Override
    public void close(TaskAttemptContext context) throws IOException {
      try (out) {
        flush();
      }
    }
  }
}
