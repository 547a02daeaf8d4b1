package org.sparkgpugraph.files.input;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/**
 * Text files of edges as Hadoop input, so that globs, directories, file systems, compression and
 * locality work as everywhere in Spark. Public because Hadoop makes the instance.
 */
public final class EdgeTextInputFormat extends FileInputFormat<NullWritable, EdgeBlock> {
  private static final String PREFIX = "gpugraph.edges.";

  /** Writes what is read, and how, into a job's configuration. */
  public static void configure(Configuration conf, String paths, EdgeTextFormat format) {
    conf.set(PREFIX + "paths", paths);
    conf.set(PREFIX + "style", format.style().name());
    conf.setBoolean(PREFIX + "weighted", format.weighted());
    conf.setInt(PREFIX + "length", format.length());
    conf.setBoolean(PREFIX + "undirected", format.undirected());
    conf.setInt(PREFIX + "delimiter", format.delimiter());
    conf.set(PREFIX + "header", format.header().name());
    setColumn(conf, "source", format.sourceColumn());
    setColumn(conf, "destination", format.destinationColumn());
    setColumn(conf, "weight", format.weightColumn());
  }

  private static void setColumn(Configuration conf, String role, String column) {
    if (column != null) {
      conf.set(PREFIX + role, column);
    }
  }

  /** Reads back what {@link #configure} wrote. */
  static EdgeTextFormat formatOf(Configuration conf) {
    return new EdgeTextFormat(
        EdgeTextFormat.Style.valueOf(conf.get(PREFIX + "style")),
        conf.getBoolean(PREFIX + "weighted", false),
        conf.getInt(PREFIX + "length", 0),
        conf.getBoolean(PREFIX + "undirected", false),
        (char) conf.getInt(PREFIX + "delimiter", ','),
        EdgeTextFormat.Header.valueOf(conf.get(PREFIX + "header")),
        conf.get(PREFIX + "source"),
        conf.get(PREFIX + "destination"),
        conf.get(PREFIX + "weight"));
  }

  @Override
  protected List<FileStatus> listStatus(JobContext context) {
    return list(context);
  }

  /** The files of a job that {@link #configure} has configured. */
  static List<FileStatus> list(JobContext context) {
    Configuration conf = context.getConfiguration();
    return InputFiles.of(conf.get(PREFIX + "paths"), conf).files();
  }

  @Override
  protected boolean isSplitable(JobContext context, Path file) {
    return InputBytes.codec(context.getConfiguration(), file) == null;
  }

  @Override
  public RecordReader<NullWritable, EdgeBlock> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new EdgeTextReader();
  }
}
