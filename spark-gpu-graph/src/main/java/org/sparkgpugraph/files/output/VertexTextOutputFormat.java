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
import org.sparkgpugraph.graphs.model.VertexBlock;

/**
 * Blocks of vertices as lines of text. Public because Hadoop makes the instance. Honours Hadoop's
 * output compression ({@code mapreduce.output.fileoutputformat.compress}).
 */
public final class VertexTextOutputFormat extends FileOutputFormat<NullWritable, VertexBlock> {
  private static final String SEPARATOR = "gpugraph.vertices.separator";
  private static final String NAMES = "gpugraph.vertices.names";

  /** Lines of an id and values with a character between them. */
  public static void configure(Configuration conf, char separator) {
    // As a number: Hadoop takes blanks off the ends of text.
    conf.setInt(SEPARATOR, separator);
  }

  /**
   * Comma-separated values, each file with a header.
   *
   * @param names of the columns behind the id
   */
  public static void configureCsv(Configuration conf, List<String> names) {
    configure(conf, ',');
    conf.setStrings(NAMES, names.toArray(new String[0]));
  }

  @Override
  public RecordWriter<NullWritable, VertexBlock> getRecordWriter(TaskAttemptContext context)
      throws IOException {
    Configuration conf = context.getConfiguration();
    String[] names = conf.getStrings(NAMES);
    boolean csv = names != null;
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
      String header = "id," + String.join(",", names) + "\n";
      out.write(header.getBytes(StandardCharsets.UTF_8));
    }
    return new LineWriter(out, (char) conf.getInt(SEPARATOR, '\t'));
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
