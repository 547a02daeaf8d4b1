package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.scheduler.StageInfo;
import org.sparkgpugraph.benchmarks.ExecutorClassPath;

/** A Spark with executors in JVMs of their own on this host, or all in this JVM. */
final class BenchmarkCluster implements AutoCloseable {
  private static final long PATIENCE_NANOS = 180_000_000_000L;

  private final Path scratch;
  private final JavaSparkContext sc;
  private final AtomicLong shuffled = new AtomicLong();
  private final List<String> stages = new CopyOnWriteArrayList<>();

  /**
   * What cluster.
   *
   * @param executors number of executors
   * @param cores of each
   * @param megabytes heap of each
   * @param gpus of each
   * @param addresses of the GPUs that are handed out, executor by executor: at least executors ×
   *     gpus; executors may share one
   * @param oneJvm whether all executors are in this JVM, without GPUs given by Spark
   */
  record Layout(
      int executors, int cores, int megabytes, int gpus, List<String> addresses, boolean oneJvm) {
    /** One executor with all that those of this layout have. */
    Layout together() {
      List<String> distinct = addresses.stream().distinct().toList();
      return new Layout(
          1,
          executors * cores,
          (int) Math.min(Integer.MAX_VALUE, (long) executors * megabytes),
          Math.min(executors * gpus, distinct.size()),
          distinct,
          oneJvm);
    }

    @Override
    public String toString() {
      if (gpus == 0) {
        return executors + " x " + cores + " core";
      }
      long distinct = addresses.stream().limit((long) executors * gpus).distinct().count();
      String shared = distinct < (long) executors * gpus ? " (" + distinct + " in all)" : "";
      return executors + " x " + gpus + " GPU" + shared;
    }
  }

  /**
   * Starts it and waits until all executors are there.
   *
   * @param settings of Spark and of the library
   * @throws IllegalStateException when executors do not start
   */
  BenchmarkCluster(Layout layout, Map<String, String> settings) throws IOException {
    scratch = Files.createTempDirectory("spark-gpu-graph-cluster");
    SparkConf conf =
        new SparkConf()
            .setAppName("ClusterBenchmark")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.driver.maxResultSize", "0")
            .set("spark.gpugraph.fallback", "never")
            .set("spark.gpugraph.progress", "false");
    if (layout.oneJvm()) {
      conf.setMaster("local[" + layout.executors() * layout.cores() + "]");
      if (layout.gpus() > 0) {
        conf.set("spark.gpugraph.emulated.devices", String.valueOf(layout.gpus()));
      }
    } else {
      cluster(conf, layout);
    }
    settings.forEach(conf::set);
    sc = new JavaSparkContext(conf);
    sc.setLogLevel("ERROR");
    sc.sc()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onStageCompleted(SparkListenerStageCompleted completed) {
                StageInfo stage = completed.stageInfo();
                if (stage.submissionTime().isDefined() && stage.completionTime().isDefined()) {
                  // Scala's Option of a long is one of Object here.
                  long from = ((Number) (Object) stage.submissionTime().get()).longValue();
                  long to = ((Number) (Object) stage.completionTime().get()).longValue();
                  stages.add(stage.numTasks() + " tasks " + (to - from) + " ms");
                }
              }

              @Override
              public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.taskMetrics() != null) {
                  shuffled.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
                }
              }
            });
    if (!layout.oneJvm()) {
      awaitExecutors(layout.executors());
    }
  }

  private void cluster(SparkConf conf, Layout layout) throws IOException {
    conf.setMaster(
            "local-cluster["
                + layout.executors()
                + ","
                + layout.cores()
                + ","
                + layout.megabytes()
                + "]")
        .set("spark.executor.memory", layout.megabytes() + "m")
        .set("spark.executor.extraClassPath", ExecutorClassPath.absolute());
    String log = System.getProperty("log4j2.configurationFile");
    if (log != null) {
      conf.set("spark.executor.extraJavaOptions", "-Dlog4j2.configurationFile=" + log);
    }
    if (layout.gpus() > 0) {
      String amount = String.valueOf(layout.gpus());
      conf.set("spark.worker.resource.gpu.amount", amount)
          .set(
              "spark.worker.resource.gpu.discoveryScript",
              GpuHandout.script(scratch, layout.addresses(), layout.gpus()).toString())
          .set("spark.executor.resource.gpu.amount", amount);
    }
  }

  /**
   * Waits until so many are there.
   *
   * @throws IllegalStateException when they do not come; nothing runs any more then
   */
  void awaitExecutors(int executors) {
    // The driver counts as one.
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (sc.sc().getExecutorMemoryStatus().size() <= executors) {
      if (System.nanoTime() > end) {
        int there = sc.sc().getExecutorMemoryStatus().size() - 1;
        close();
        throw new IllegalStateException(
            there
                + " of "
                + executors
                + " executors have started; their logs are in "
                + Path.of(System.getenv("SPARK_HOME"), "work"));
      }
      LockSupport.parkNanos(100_000_000);
    }
  }

  JavaSparkContext context() {
    return sc;
  }

  /** Tasks and time of the stages that have ended since this was last asked, in their order. */
  List<String> takeStages() {
    awaitListeners();
    List<String> taken = List.copyOf(stages);
    stages.clear();
    return taken;
  }

  /** Bytes that all tasks so far have written for shuffles, compressed, as Spark counts them. */
  long shuffledBytes() {
    awaitListeners();
    return shuffled.get();
  }

  private void awaitListeners() {
    try {
      sc.sc().listenerBus().waitUntilEmpty(60_000);
    } catch (TimeoutException e) {
      throw new IllegalStateException("Spark's listeners do not keep up", e);
    }
  }

  /** Stops the executors and removes what was written for them. */
  @Override
  public void close() {
    sc.stop();
    try (Stream<Path> files = Files.walk(scratch)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("removing " + scratch, e);
    }
  }
}
