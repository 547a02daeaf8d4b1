package org.sparkgpugraph.files.input;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;

/**
 * How many entries each split of Matrix Market files has, with the file's path. A line is looked at
 * and not parsed, so this takes a part of the time of reading. Public because Hadoop makes the
 * instance.
 */
public final class EntryCountFormat extends FileInputFormat<Text, LongWritable> {
  @Override
  protected List<FileStatus> listStatus(JobContext context) {
    return EdgeTextInputFormat.list(context);
  }

  @Override
  protected boolean isSplitable(JobContext context, Path file) {
    return InputBytes.codec(context.getConfiguration(), file) == null;
  }

  @Override
  public RecordReader<Text, LongWritable> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new Counter();
  }

  private static final class Counter extends RecordReader<Text, LongWritable> {
    private SplitLines split;
    private LongWritable count;

    @Override
    public void initialize(InputSplit inputSplit, TaskAttemptContext context) throws IOException {
      split =
          new SplitLines(
              context.getConfiguration(),
              (FileSplit) inputSplit,
              EdgeTextInputFormat.formatOf(context.getConfiguration()));
    }

    @Override
    public boolean nextKeyValue() throws IOException {
      if (count != null) {
        return false;
      }
      TextLines lines = split.lines();
      long entries = 0;
      while (split.next()) {
        if (!MatrixMarketParser.isCommentOrBlank(lines.bytes(), lines.from(), lines.to())) {
          entries++;
        }
      }
      count = new LongWritable(entries);
      return true;
    }

    @Override
    public Text getCurrentKey() {
      return new Text(split.file().toString());
    }

    @Override
    public LongWritable getCurrentValue() {
      return count;
    }

    @Override
    public float getProgress() {
      return count != null || split == null ? 1 : split.progress();
    }

    @Override
    public void close() throws IOException {
      if (split != null) {
        split.close();
      }
    }
  }
}
