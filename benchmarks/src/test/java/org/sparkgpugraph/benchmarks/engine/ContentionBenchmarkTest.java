package org.sparkgpugraph.benchmarks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;

/** The benchmark of contention measures what it says, compares, and refuses what makes no sense. */
@Tag("any-spark")
class ContentionBenchmarkTest {
  @TempDir private Path folder;
  private String out;

  private int run(String... args) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status =
        ContentionBenchmark.execute(new PrintStream(bytes, true, StandardCharsets.UTF_8), args);
    out = bytes.toString(StandardCharsets.UTF_8);
    return status;
  }

  @Test
  void allWaysFindTheSame() throws IOException {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    String sizes = "--senders 400 --active 100 --degree 3 --supersteps 4 --runs 1";
    String ways = "--receivers 1,50 --blocks 3,0 --servers 0,2 --reach 1 --hub-degree 0,20";
    Path json = folder.resolve("ways.json");
    String all = sizes + " " + ways + " --engine emulated --json " + json;
    assertThat(run(all.split(" "))).as(() -> out).isZero();
    // Each sender has 3 messages, active ones another one to each other.
    assertThat(out)
        .contains("50 receivers, 100 of 400 senders active, 0.00 M messages a superstep to 150 row")
        .contains("by several warps from 20");
    assertThat(out.lines().filter(line -> line.contains("messages a second"))).hasSize(28);
    assertThat(Files.readAllLines(json))
        .hasSize(28)
        .first(STRING)
        .startsWith(
            "{\"receivers\": 1, \"active\": 100, \"messages\": 400, \"edges\": 1300, \"vertices\": 401,"
                + " \"reached\": 101, \"walked\": 1300, \"longest\": 1200, \"way\": \"gathered, all"
                + " rows\", \"ms\": ")
        .endsWith(", \"right\": true}");
    assertThat(out).contains("servers: a quarter of 3 blocks").doesNotContain("WRONG");
  }

  @Test
  void wrongArgumentsAreTold() {
    assertThat(run("--active", "5", "--senders", "4")).isEqualTo(2);
    assertThat(out).contains("--active 5");
    assertThat(run("--servers", "1000")).isEqualTo(2);
    assertThat(out).contains("servers 1000 must be 0 to 128");
    assertThat(run("--receivers", "5,0")).isEqualTo(2);
    assertThat(out).contains("--receivers 5,0 must be at least 1");
    assertThat(run("--share", "-1")).isEqualTo(2);
    assertThat(out).contains("share -1.0 not negative");
  }
}
