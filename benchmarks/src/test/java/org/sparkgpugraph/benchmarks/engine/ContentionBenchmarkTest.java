package org.sparkgpugraph.benchmarks.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;

/** The benchmark of contention measures what it says, compares, and refuses what makes no sense. */
@Tag("any-spark")
class ContentionBenchmarkTest {
  private String out;

  private int run(String... args) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status =
        ContentionBenchmark.execute(new PrintStream(bytes, true, StandardCharsets.UTF_8), args);
    out = bytes.toString(StandardCharsets.UTF_8);
    return status;
  }

  @Test
  void allWaysFindTheSame() {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    String sizes = "--senders 400 --active 100 --degree 3 --supersteps 4 --runs 1";
    String ways = "--receivers 1,50 --blocks 3,0 --servers 0,2 --reach 1 --engine emulated";
    assertThat(run((sizes + " " + ways).split(" "))).as(() -> out).isZero();
    assertThat(out).contains("50 receivers, 100 of 400 senders active");
    assertThat(out.lines().filter(line -> line.contains("messages a second"))).hasSize(26);
    assertThat(out).contains("servers: a quarter of 3 blocks").doesNotContain("WRONG");
  }

  @Test
  void wrongArgumentsAreTold() {
    assertThat(run("--active", "5", "--senders", "4")).isEqualTo(2);
    assertThat(out).contains("--active 5");
    assertThat(run("--servers", "1000")).isEqualTo(2);
    assertThat(out).contains("servers 1000 must be 0 to 128");
  }
}
