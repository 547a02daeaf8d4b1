package org.sparkgpugraph.benchmarks.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.files.EdgeLoader;
import org.sparkgpugraph.files.generate.RmatGraph;
import org.sparkgpugraph.graphs.model.EdgeBlock;

/**
 * How fast Parquet becomes blocks of edges, by the CPU time of Spark's tasks, so that other work on
 * the machine matters little: ids of 64 and of 32 bits, of an R-MAT graph, with and without
 * weights, compressed as Spark does by default and not at all; beside Spark counting the same rows
 * after it has read both columns. Forms take turns; the median counts.
 *
 * <pre>ParquetRates [scale = 20] [runs = 7]</pre>
 */
public final class ParquetRates {
  private static final int EDGE_FACTOR = 16;
  private static final long SEED = 42;

  private ParquetRates() {}

  /** What a file holds, and how. */
  private record Form(String idType, boolean weighted, String codec) {
    @Override
    public String toString() {
      return idType + (weighted ? " with weights" : "") + ", " + codec;
    }

    /** Where its files are; a comma would separate paths. */
    String folder(Path of) {
      return of.resolve(idType + "-" + weighted + "-" + codec).toString();
    }
  }

  private static final List<Form> FORMS =
      List.of(
          new Form("bigint", false, "snappy"),
          new Form("bigint", false, "none"),
          new Form("bigint", true, "snappy"),
          new Form("int", false, "snappy"));

  /** Adds up the CPU time of tasks. */
  private static final class CpuTime extends SparkListener {
    private long nanos;

    @Override
    public synchronized void onTaskEnd(SparkListenerTaskEnd end) {
      nanos += end.taskMetrics().executorCpuTime();
    }

    synchronized long take() {
      long taken = nanos;
      nanos = 0;
      return taken;
    }
  }

  /** Runs it and prints a line for each form. */
  public static void main(String[] args) throws IOException, TimeoutException {
    int scale = args.length > 0 ? Integer.parseInt(args[0]) : 20;
    int runs = args.length > 1 ? Integer.parseInt(args[1]) : 7;
    Path folder = Files.createTempDirectory("edges-");
    try (SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .getOrCreate()) {
      spark.sparkContext().setLogLevel("ERROR");
      CpuTime cpu = new CpuTime();
      spark.sparkContext().addSparkListener(cpu);
      write(spark, folder, scale);
      Map<String, List<Double>> seconds = new TreeMap<>();
      for (int run = -1; run < runs; run++) {
        for (Form form : FORMS) {
          String files = form.folder(folder);
          String weight = form.weighted() ? "weight" : null;
          JavaRDD<EdgeBlock> edges = EdgeLoader.parquet(spark, files, "src", "dst", weight, false);
          Dataset<Row> sums = spark.read().parquet(files).selectExpr("sum(src)", "sum(dst)");
          spark.sparkContext().listenerBus().waitUntilEmpty();
          cpu.take();
          long read = edges.map(block -> (long) block.size()).reduce(Long::sum);
          spark.sparkContext().listenerBus().waitUntilEmpty();
          double took = cpu.take() / 1e9;
          sums.collectAsList();
          spark.sparkContext().listenerBus().waitUntilEmpty();
          double summed = cpu.take() / 1e9;
          if (read != (long) EDGE_FACTOR << scale) {
            throw new IllegalStateException(form + " has " + read + " edges");
          }
          if (run >= 0) {
            seconds.computeIfAbsent(form.toString(), name -> new ArrayList<>()).add(took);
            seconds.computeIfAbsent(form + ", summed by Spark", n -> new ArrayList<>()).add(summed);
          }
        }
      }
      seconds.forEach(
          (name, took) ->
              System.out.printf(
                  "%s: %.1f M edges/s of one core%n",
                  name, (EDGE_FACTOR << scale) / 1e6 / Medians.median(took)));
    } finally {
      delete(folder);
    }
  }

  private static void write(SparkSession spark, Path folder, int scale) {
    for (Form form : FORMS) {
      JavaRDD<Row> rows =
          JavaSparkContext.fromSparkContext(spark.sparkContext())
              .parallelize(List.of(0), 1)
              .flatMap(
                  slice ->
                      new Rows(new RmatGraph(scale, EDGE_FACTOR, SEED).slice(0, 1, true, false)));
      spark
          .createDataFrame(
              rows,
              new StructType().add("src", "bigint").add("dst", "bigint").add("weight", "double"))
          .selectExpr(
              "cast(src as " + form.idType() + ") src",
              "cast(dst as " + form.idType() + ") dst",
              "weight")
          .write()
          .option("compression", form.codec())
          .parquet(form.folder(folder));
    }
  }

  /** Edges as rows of a table. */
  private static final class Rows implements Iterator<Row> {
    private final Iterator<EdgeBlock> blocks;
    private EdgeBlock block;
    private int next;

    Rows(Iterator<EdgeBlock> blocks) {
      this.blocks = blocks;
    }

    @Override
    public boolean hasNext() {
      while (block == null || next == block.size()) {
        if (!blocks.hasNext()) {
          return false;
        }
        block = blocks.next();
        next = 0;
      }
      return true;
    }

    @Override
    public Row next() {
      int edge = next++;
      return RowFactory.create(block.source(edge), block.destination(edge), edge % 256 / 2.0);
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files
          .sorted(Comparator.reverseOrder())
          .forEach(
              file -> {
                try {
                  Files.delete(file);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }
}
