package org.sparkgpugraph.examples;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** Runs GraphJob in this JVM, and keeps what it printed. */
abstract class CommandTrial {
  @TempDir Path folder;

  String outText;
  String errText;

  @BeforeAll
  static void startSpark() {
    SparkSession.builder()
        .master("local[2]")
        .appName("examples tests")
        .config("spark.ui.enabled", "false")
        .getOrCreate();
  }

  final int run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        GraphJob.run(
            args,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    outText = out.toString(StandardCharsets.UTF_8);
    errText = err.toString(StandardCharsets.UTF_8);
    return status;
  }
}
