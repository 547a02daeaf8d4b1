package org.sparkgpugraph.files.input;

import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.util.SerializableConfiguration;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.runtime.load.KnownEdges;

/**
 * Pieces of text files at even distances: their edges stand for all, in whatever order a file is,
 * so that it need not be read twice.
 *
 * @param least bytes of input from which on there are pieces; less is read as fast
 * @param pieces most pieces
 * @param length bytes of a piece
 */
public record TextProbes(long least, int pieces, int length) {
  /** Some hundred thousand edges, more than a sample keeps, of a thirtieth of the input or less. */
  static final TextProbes USUAL = new TextProbes(256L << 20, 256, 1 << 15);

  /** Pieces that a task reads. */
  private static final int TASK_PIECES = 8;

  /** Bytes of a file. */
  private record Piece(String file, long start, long length) implements Serializable {}

  /**
   * The edges of text files, with those that stand for all where there are many.
   *
   * @param conf configuration of the job that reads them, with the format
   * @param edges what that job reads
   */
  public static JavaRDD<EdgeBlock> known(
      JavaSparkContext sc, Configuration conf, InputFiles input, JavaRDD<EdgeBlock> edges) {
    KnownEdges.Probes probes = USUAL.of(sc, conf, input);
    return probes == null ? edges : KnownEdges.probed(edges, probes);
  }

  /**
   * The edges in pieces of files.
   *
   * @param conf configuration of the job that reads them, with the format
   * @return null when there are none: little is to be read, or there is a compressed file, which
   *     has to be read from its beginning
   */
  KnownEdges.Probes of(JavaSparkContext sc, Configuration conf, InputFiles input) {
    long bytes = input.bytes();
    if (bytes < Math.max(least, 1) || anyCompressed(conf, input)) {
      return null;
    }
    List<Piece> all = pieces(input.files(), bytes);
    long probed = all.stream().mapToLong(Piece::length).sum();
    Broadcast<SerializableConfiguration> job = sc.broadcast(new SerializableConfiguration(conf));
    JavaRDD<EdgeBlock> blocks =
        sc.parallelize(all, (all.size() + TASK_PIECES - 1) / TASK_PIECES)
            .flatMap(piece -> read(job.value().value(), piece));
    return new KnownEdges.Probes(blocks, (double) probed / bytes);
  }

  private static boolean anyCompressed(Configuration conf, InputFiles input) {
    // One for all files: to make it all codecs are looked for.
    CompressionCodecFactory codecs = new CompressionCodecFactory(conf);
    return input.files().stream().anyMatch(file -> codecs.getCodec(file.getPath()) != null);
  }

  /** Those at even distances in all files, as if they were one. */
  private List<Piece> pieces(List<FileStatus> files, long bytes) {
    List<Piece> found = new ArrayList<>();
    // In front of the file, of all bytes.
    long before = 0;
    int next = 0;
    for (FileStatus file : files) {
      for (long at; next < pieces && (at = start(next, bytes) - before) < file.getLen(); next++) {
        long end = Math.min(file.getLen(), start(next + 1, bytes) - before);
        found.add(new Piece(file.getPath().toString(), at, Math.min(length, end - at)));
      }
      before += file.getLen();
    }
    return found;
  }

  private long start(int piece, long bytes) {
    return (long) ((double) bytes / pieces * piece);
  }

  private static Iterator<EdgeBlock> read(Configuration conf, Piece piece) throws IOException {
    List<EdgeBlock> blocks = new ArrayList<>();
    FileSplit split = new FileSplit(new Path(piece.file), piece.start, piece.length, new String[0]);
    try (EdgeTextReader reader = new EdgeTextReader()) {
      reader.initialize(split, new TaskAttemptContextImpl(conf, new TaskAttemptID()));
      while (reader.nextKeyValue()) {
        blocks.add(reader.getCurrentValue());
      }
    }
    return blocks.iterator();
  }
}
