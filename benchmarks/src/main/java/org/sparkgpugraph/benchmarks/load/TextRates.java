package org.sparkgpugraph.benchmarks.load;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.files.input.EdgeTextFormat;
import org.sparkgpugraph.files.input.EdgeTextInputFormat;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/**
 * How fast text becomes blocks of edges, on one core, by CPU time and without Spark: as an edge
 * list, with weights, as CSV and with columns that are ignored, beside reading the file's bytes and
 * looking at each once. Ids are those of an R-MAT graph. Forms take turns; the median counts.
 *
 * <pre>TextRates [scale = 20] [runs = 9]</pre>
 */
public final class TextRates {
  private static final int EDGE_FACTOR = 16;
  private static final long SEED = 42;

  private TextRates() {}

  /** What lines look like. */
  private enum Form {
    EDGE_LIST("%d\t%d\n", EdgeTextFormat.edgeList()),
    WEIGHTS("%d\t%d\t%.2f\n", EdgeTextFormat.edgeList().withWeights(true)),
    IGNORED("%d %d %.2f\n", EdgeTextFormat.edgeList()),
    CSV("%d,%d\n", EdgeTextFormat.csv()),
    CSV_WEIGHTS("%d,%d,%.2f\n", EdgeTextFormat.csv().withWeights(true));

    final String line;
    final EdgeTextFormat format;

    Form(String line, EdgeTextFormat format) {
      this.line = line;
      this.format = format;
    }
  }

  /** Runs it and prints a line for each form. */
  public static void main(String[] args) throws IOException, InterruptedException {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int runs = args.length > 1 ? Integer.parseInt(args[1]) : 9;
    Map<Form, Path> files = new EnumMap<>(Form.class);
    Map<Form, List<Double>> seconds = new EnumMap<>(Form.class);
    List<Double> bytesOnly = new ArrayList<>();
    try {
      for (Form form : Form.values()) {
        files.put(form, write(form, scale));
        seconds.put(form, new ArrayList<>());
      }
      long edges = (long) EDGE_FACTOR << scale;
      for (int run = -1; run < runs; run++) {
        for (Form form : Form.values()) {
          long start = cpu();
          long read = read(files.get(form), form.format);
          if (read != edges) {
            throw new IllegalStateException(form + " has " + read + " edges, not " + edges);
          }
          if (run >= 0) {
            seconds.get(form).add((cpu() - start) / 1e9);
          }
        }
        long start = cpu();
        look(files.get(Form.EDGE_LIST));
        if (run >= 0) {
          bytesOnly.add((cpu() - start) / 1e9);
        }
      }
      double bytes = Files.size(files.get(Form.EDGE_LIST));
      System.out.printf("bytes looked at: %.0f MB/s%n", bytes / 1e6 / Medians.median(bytesOnly));
      for (Form form : Form.values()) {
        double took = Medians.median(seconds.get(form));
        System.out.printf(
            "%s: %.0f MB/s, %.1f M edges/s of one core (%.0f MB)%n",
            form,
            Files.size(files.get(form)) / 1e6 / took,
            edges / 1e6 / took,
            Files.size(files.get(form)) / 1e6);
      }
    } finally {
      for (Path file : files.values()) {
        Files.deleteIfExists(file);
      }
    }
  }

  private static Path write(Form form, int scale) throws IOException {
    Path file = Files.createTempFile("edges-", ".txt");
    Iterator<EdgeBlock> blocks = new RmatGraph(scale, EDGE_FACTOR, SEED).slice(0, 1, false, false);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
      while (blocks.hasNext()) {
        EdgeBlock edges = blocks.next();
        for (int e = 0; e < edges.size(); e++) {
          String line = form.line.formatted(edges.source(e), edges.destination(e), e / 100.0);
          out.write(line.getBytes(StandardCharsets.US_ASCII));
        }
      }
    }
    return file;
  }

  private static long read(Path file, EdgeTextFormat format)
      throws IOException, InterruptedException {
    Configuration conf = new Configuration(false);
    EdgeTextInputFormat.configure(conf, file.toString(), format);
    var context = new TaskAttemptContextImpl(conf, new TaskAttemptID());
    FileSplit split =
        new FileSplit(
            new org.apache.hadoop.fs.Path(file.toUri()), 0, Files.size(file), new String[0]);
    long edges = 0;
    try (RecordReader<NullWritable, EdgeBlock> reader =
        new EdgeTextInputFormat().createRecordReader(split, context)) {
      reader.initialize(split, context);
      while (reader.nextKeyValue()) {
        edges += reader.getCurrentValue().size();
      }
    }
    return edges;
  }

  /** Counts the lines, by buffers as large as the reader's. */
  private static long look(Path file) throws IOException {
    byte[] buffer = new byte[1 << 17];
    long lines = 0;
    try (var in = Files.newInputStream(file)) {
      for (int read; (read = in.read(buffer)) > 0; ) {
        for (int i = 0; i < read; i++) {
          lines += buffer[i] == '\n' ? 1 : 0;
        }
      }
    }
    return lines;
  }

  private static long cpu() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
