package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.VertexWriter;
import org.sparkgpugraph.program.ir.Kind;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Outputs on HDFS, that several jobs write at a time. */
class HdfsOutputTest {
  private static final int ROUNDS = 50;

  @TempDir static Path scratch;

  private static Process hdfs;
  private static String root;
  private static SparkSession spark;
  private static FileSystem fs;

  @BeforeAll
  static void startHdfs() throws Exception {
    Path address = scratch.resolve("address");
    Path log = scratch.resolve("log");
    String tests = System.getProperty("surefire.test.class.path", "").split(File.pathSeparator)[0];
    String more = Files.readString(Path.of(System.getProperty("sgg.yarn.jars"))).strip();
    List<String> command = new ArrayList<>();
    command.add(Command.ofJdk("java"));
    command.addAll(Product.jvmOptions());
    command.addAll(
        List.of(
            "-Xmx384m",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            String.join(File.pathSeparator, tests, Product.sparkClassPath(), more),
            MiniHdfsJob.class.getName(),
            scratch.resolve("node").toString(),
            address.toString()));
    hdfs =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Await.until("HDFS", () -> Files.exists(address) || !hdfs.isAlive());
    assertThat(address).as("%s", Files.readString(log)).exists();
    root = Files.readString(address) + "/outputs";
    spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("hdfs")
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    fs = path("").getFileSystem(spark.sparkContext().hadoopConfiguration());
  }

  @AfterAll
  static void stopHdfs() throws Exception {
    if (spark != null) {
      spark.stop();
    }
    if (hdfs != null) {
      hdfs.getOutputStream().close();
      boolean ended = hdfs.waitFor(60, TimeUnit.SECONDS);
      hdfs.destroyForcibly().waitFor();
      assertThat(ended).as("HDFS ends when it is asked to").isTrue();
    }
  }

  private static org.apache.hadoop.fs.Path path(String name) {
    return new org.apache.hadoop.fs.Path(name.isEmpty() ? root : root + "/" + name);
  }

  private static VertexWriter writer(
      String name, VertexWriter.Format format, VertexWriter.Existing existing) {
    return new VertexWriter(spark, path(name).toString(), format, List.of("distance"), existing);
  }

  private static JavaRDD<VertexBlock> blocks(int vertices) {
    List<VertexBlock> blocks = new ArrayList<>();
    for (int id = 0; id < vertices; id++) {
      blocks.add(new VertexBlock(new long[] {id}, new double[] {id}));
    }
    return JavaSparkContext.fromSparkContext(spark.sparkContext()).parallelize(blocks, vertices);
  }

  private static void write(VertexWriter writer, int vertices) {
    writer.write(List.of(Kind.DOUBLE), blocks(vertices));
  }

  private static List<String> names(String name) throws IOException {
    return Arrays.stream(fs.listStatus(path(name)))
        .map(FileStatus::getPath)
        .map(org.apache.hadoop.fs.Path::getName)
        .toList();
  }

  private static long parts(String name) throws IOException {
    return names(name).stream().filter(file -> file.startsWith("part-")).count();
  }

  @ParameterizedTest
  @EnumSource(VertexWriter.Format.class)
  void ofTwoWritersTheSecondIsRefusedAndAnOutputIsReplacedWhole(VertexWriter.Format format)
      throws IOException {
    String name = "interleaved-" + format;
    VertexWriter first = writer(name, format, VertexWriter.Existing.REFUSE);
    for (VertexWriter.Existing existing : VertexWriter.Existing.values()) {
      assertThatThrownBy(() -> writer(name, format, existing))
          .isInstanceOf(BadInputException.class)
          .hasMessageStartingWith("another job writes the output " + path(name) + ": hdfs (local-");
    }
    write(first, 3);
    assertThat(names(name)).contains("_SUCCESS");
    assertThat(parts(name)).isEqualTo(3);
    assertThatThrownBy(() -> writer(name, format, VertexWriter.Existing.REFUSE))
        .hasMessageContaining("exists already");
    write(writer(name, format, VertexWriter.Existing.REPLACE), 2);
    assertThat(names(name)).contains("_SUCCESS");
    assertThat(parts(name)).isEqualTo(2);
    assertThat(names("")).doesNotContain("." + name + ".incomplete");
  }

  @Test
  void aDirectoryThatAnotherProgramMadeMeanwhileStaysAsItIs() throws IOException {
    VertexWriter writer =
        writer("late", VertexWriter.Format.TEXT, VertexWriter.Existing.REFUSE);
    fs.create(new org.apache.hadoop.fs.Path(path("late"), "theirs"), false).close();
    assertThatThrownBy(() -> write(writer, 2)).hasMessageContaining("exists already");
    assertThat(names("late")).containsExactly("theirs");
    assertThat(names("")).doesNotContain(".late.incomplete");
  }

  @Test
  void ofTwoAtATimeOneHasTheRight() throws Exception {
    CyclicBarrier barrier = new CyclicBarrier(2);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      for (int round = 0; round < ROUNDS; round++) {
        String name = "round-" + round;
        Callable<VertexWriter> claim =
            () -> {
              barrier.await();
              try {
                return writer(name, VertexWriter.Format.TEXT, VertexWriter.Existing.REFUSE);
              } catch (BadInputException e) {
                assertThat(e).hasMessageStartingWith("another job writes the output hdfs:");
                return null;
              }
            };
        Future<VertexWriter> first = threads.submit(claim);
        Future<VertexWriter> second = threads.submit(claim);
        assertThat((first.get() == null) != (second.get() == null)).as(name).isTrue();
        (first.get() == null ? second.get() : first.get()).close();
      }
      assertThat(names("")).noneMatch(name -> name.contains("round-"));
    } finally {
      threads.shutdownNow();
    }
  }
}
