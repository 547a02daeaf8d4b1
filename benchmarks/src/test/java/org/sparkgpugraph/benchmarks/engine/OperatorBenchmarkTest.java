package org.sparkgpugraph.benchmarks.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;

/** The benchmark of operators counts, compares, and refuses what it does not know. */
@Tag("any-spark")
class OperatorBenchmarkTest {
  private String out;

  private int run(String... args) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status =
        OperatorBenchmark.execute(new PrintStream(bytes, true, StandardCharsets.UTF_8), args);
    out = bytes.toString(StandardCharsets.UTF_8);
    return status;
  }

  @Test
  void enginesCountTheSame() {
    String engines = EmulatedDevice.isAvailable() ? "cpu,emulated" : "cpu";
    assertThat(run("--engine", engines, "--graphs", "rmat6", "--runs", "1", "--phases"))
        .as(() -> out)
        .isZero();
    assertThat(out).contains("rmat6: 64 vertices, 1024 edges", "intersect: triangles");
    assertThat(out.lines().filter(line -> line.matches(" +[a-z]+ +run .* [1-9][0-9]* triangles.*")))
        .hasSize(engines.split(",").length);
  }

  @Test
  void otherOperatorsAreMeasured() {
    assertThat(
            run(
                "--graphs",
                "rmat6-sym",
                "--runs",
                "1",
                "--operators",
                "coreness,strong-components"))
        .as(() -> out)
        .isZero();
    assertThat(out)
        .contains("cpu      Coreness: run", "coreness up to")
        .contains("cpu      StronglyConnectedComponents: run", "strongly connected components")
        .doesNotContain("triangles");
  }

  @Test
  void wrongArgumentsAreTold() {
    assertThat(run("--operators", "squares")).isEqualTo(2);
    assertThat(out).contains("'squares' is not an operator; valid: triangles, coreness");
    assertThat(run("--engine", "cuba")).isEqualTo(2);
    assertThat(out).contains("'cuba' is not an engine");
    assertThat(run("--tuning", "1/2/3", "--engine", "emulated", "--graphs", "rmat4")).isEqualTo(2);
    assertThat(out).contains("'1/2/3' is not LISTED/WORDS/CELLS/BLOCKS/DEPTH/PART/ROOM");
  }
}
