package org.sparkgpugraph.files;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.output.OutputDirectory;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.testing.JobProcess;

/** Another JVM with a Spark of its own, which writes when it is told to. */
final class WriterProcess implements AutoCloseable {
  /** Vertices that it writes. */
  static final int VERTICES = 20;

  /** Files that it makes without tasks. */
  static final int FILES = 5;

  private static final String ANSWER = "answer: ";
  private static final String READY = "ready";
  private static final String WRITING = "writing";
  private static final String WROTE = "wrote";

  private final Process process;
  private final BufferedReader answers;
  private final OutputStream commands;

  /**
   * Starts it.
   *
   * @param value that it gives to all vertices
   */
  WriterProcess(int value) throws IOException {
    process = JobProcess.start("512m", WriterProcess.class, Integer.toString(value));
    answers = process.inputReader();
    commands = process.getOutputStream();
    await(READY);
  }

  /** Tells it to write. */
  void write(String output, VertexWriter.Format format) throws IOException {
    send("write " + output + " " + format);
  }

  /** Tells it to make an output without tasks. */
  void commit(String output) throws IOException {
    send("commit " + output + " -");
  }

  /** Tells it to write, and waits until it is in the middle of it, where it stays. */
  void hang(String output, VertexWriter.Format format) throws IOException {
    send("hang " + output + " " + format);
    await(WRITING);
  }

  /** Tells it to prepare to write, and waits until it has; it does nothing more. */
  void claim(String output) throws IOException {
    send("claim " + output + " -");
    await(WRITING);
  }

  private void await(String expected) throws IOException {
    String answer = answer();
    if (!answer.equals(expected)) {
      throw new AssertionError(answer);
    }
  }

  private void send(String command) throws IOException {
    commands.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    commands.flush();
  }

  /** Waits until it has written: null, or the message of what it failed with. */
  String failure() throws IOException {
    String answer = answer();
    return answer.equals(WROTE) ? null : answer;
  }

  private String answer() throws IOException {
    StringBuilder said = new StringBuilder();
    for (String line = answers.readLine(); line != null; line = answers.readLine()) {
      if (line.startsWith(ANSWER)) {
        return line.substring(ANSWER.length());
      }
      said.append(line).append('\n');
    }
    throw new AssertionError("the process has ended: " + said);
  }

  long pid() {
    return process.pid();
  }

  /** Asks it to end, as {@code kill} does, and waits. */
  void terminate() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new AssertionError("still running");
    }
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** The other side. */
  public static void main(String[] arguments) throws IOException {
    int value = Integer.parseInt(arguments[0]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("writer " + value)
            .config("spark.ui.enabled", "false")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .getOrCreate();
    spark.sparkContext().setLogLevel("OFF");
    spark
        .sparkContext()
        .hadoopConfiguration()
        .set("fs.store.impl", StoreFileSystem.class.getName());
    say(READY);
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      try {
        if (words[0].equals("commit")) {
          commit(spark, words[1], value);
        } else if (words[0].equals("claim")) {
          new VertexWriter(spark, words[1], VertexWriter.Format.TEXT, List.of("distance"));
          say(WRITING);
          continue;
        } else {
          write(spark, words[1], words[2], words[0].equals("hang"), value);
        }
        say(WROTE);
      } catch (BadInputException e) {
        say(e.getMessage());
      } catch (IOException | RuntimeException e) {
        say(e.toString().replace('\n', ' '));
      }
    }
    spark.stop();
  }

  private static void write(
      SparkSession spark, String output, String format, boolean hangs, int value) {
    JavaRDD<VertexBlock> blocks = blocks(spark, value);
    new VertexWriter(spark, output, VertexWriter.Format.valueOf(format), List.of("distance"))
        .write(List.of(Kind.DOUBLE), hangs ? blocks.map(WriterProcess::hanging) : blocks);
  }

  private static void commit(SparkSession spark, String output, int value) throws IOException {
    try (OutputDirectory directory = new OutputDirectory(spark, output, false)) {
      Path attempt = Path.of(directory.begin().toUri().getPath());
      Files.createDirectory(attempt);
      for (int file = 0; file < FILES; file++) {
        Files.writeString(attempt.resolve("part-" + file), value + "\n");
      }
      directory.commit();
    }
  }

  private static JavaRDD<VertexBlock> blocks(SparkSession spark, int value) {
    long[] even = new long[VERTICES / 2];
    long[] odd = new long[VERTICES / 2];
    double[] values = new double[VERTICES / 2];
    for (int i = 0; i < values.length; i++) {
      even[i] = 2 * i;
      odd[i] = 2 * i + 1;
      values[i] = value;
    }
    return JavaSparkContext.fromSparkContext(spark.sparkContext())
        .parallelize(List.of(new VertexBlock(even, values), new VertexBlock(odd, values)), 2);
  }

  /** The second task stays where it is; the first has written its file. */
  private static VertexBlock hanging(VertexBlock block) throws InterruptedException {
    if (block.ids()[0] == 1) {
      say(WRITING);
      new CountDownLatch(1).await();
    }
    return block;
  }

  private static void say(String answer) {
    System.out.println(ANSWER + answer);
  }
}
