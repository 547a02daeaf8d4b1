package org.sparkgpugraph.benchmarks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;

/** The benchmark of communities finds some, compares, and refuses what it does not know. */
@Tag("any-spark")
class CommunityBenchmarkTest {
  private String out;

  private int run(String... args) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status =
        CommunityBenchmark.execute(new PrintStream(bytes, true, StandardCharsets.UTF_8), args);
    out = bytes.toString(StandardCharsets.UTF_8);
    return status;
  }

  @Test
  void enginesFindTheSame() {
    String engines = EmulatedDevice.isAvailable() ? "cpu,emulated" : "cpu";
    String[] args = {
      "--engine", engines, "--graphs", "rmat7-sym", "--runs", "1", "--phases", "--kernel-times"
    };
    assertThat(run(args)).as(() -> out).isZero();
    assertThat(out).contains("rmat7-sym: 128 vertices", "modularity", "louvain: in order");
    assertThat(out.lines().filter(line -> line.matches(" +[a-z]+ +run .* [1-9][0-9]* levels.*")))
        .hasSize(engines.split(",").length);
  }

  @Test
  void wrongArgumentsAreTold() {
    assertThat(run("--engine", "cuba")).isEqualTo(2);
    assertThat(out).contains("'cuba' is not an engine");
    assertThat(run("--tuning", "1/2", "--engine", "emulated", "--graphs", "rmat4")).isEqualTo(2);
    assertThat(out).contains("'1/2' is not ROW/CHUNK/COARSEN/DEPTH");
  }
}
