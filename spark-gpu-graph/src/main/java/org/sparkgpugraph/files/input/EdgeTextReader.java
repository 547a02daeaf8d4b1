package org.sparkgpugraph.files.input;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/** Reads a split of a text file as blocks of edges, straight from the bytes. */
final class EdgeTextReader extends RecordReader<NullWritable, EdgeBlock> {
  private SplitLines split;
  private TextLines lines;
  private EdgeLineParser parser;
  private boolean mirrored;
  private EdgeBlockBuilder builder;
  private EdgeBlock current;
  private boolean done;

  @Override
  public void initialize(InputSplit inputSplit, TaskAttemptContext context) throws IOException {
    Configuration conf = context.getConfiguration();
    EdgeTextFormat format = EdgeTextInputFormat.formatOf(conf);
    split = new SplitLines(conf, (FileSplit) inputSplit, format);
    lines = split.lines();
    parser = split.parser();
    // An undirected graph has both directions of every edge anyway.
    mirrored = parser.isMirrored() && !format.undirected();
    builder = new EdgeBlockBuilder(format.weighted(), format.length(), format.undirected());
  }

  @Override
  public boolean nextKeyValue() throws IOException {
    int edgesPerLine = mirrored ? 2 : 1;
    try {
      while (!done && builder.hasRoom(edgesPerLine)) {
        if (!split.next()) {
          done = true;
          end();
        } else if (parser.parse(lines.bytes(), lines.from(), lines.to())) {
          if (parser.weights != null) {
            builder.add(parser.source, parser.destination, parser.weights);
            continue;
          }
          builder.add(parser.source, parser.destination, parser.weight);
          if (mirrored && parser.source != parser.destination) {
            builder.add(parser.destination, parser.source, parser.mirroredWeight());
          }
        }
      }
    } catch (LineException e) {
      throw lines.unreadable(e);
    }
    if (builder.isEmpty()) {
      current = null;
      return false;
    }
    current = builder.take();
    return true;
  }

  /** Has the parser check what it has counted; where it saw only a part, others have done that. */
  private void end() throws IOException {
    if (parser.countsLines() && split.isWholeFile()) {
      try {
        parser.end();
      } catch (LineException e) {
        throw new BadInputException(split.file() + ": " + e.getMessage(), e);
      }
    }
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
  public float getProgress() {
    return done || split == null ? 1 : split.progress();
  }

  @Override
  public void close() throws IOException {
    if (split != null) {
      split.close();
    }
  }
}
