package io.sparkgpugraph.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The whole benchmark on small graphs, every result compared with a sequential algorithm's. */
class DeviceBenchmarkTest {
  private record Outcome(int status, String text) {
    List<String> lines(String measurement) {
      return text.lines().filter(l -> l.startsWith("{\"measurement\": \"" + measurement)).toList();
    }
  }

  private static Outcome run(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      status = DeviceBenchmark.execute(out, arguments);
    }
    return new Outcome(status, bytes.toString(StandardCharsets.UTF_8));
  }

  @Test
  void everyAlgorithmIsRightOnTheCpuEngine() {
    Outcome outcome =
        run(
            "--graphs=rmat8,lattice13",
            "--algorithms=pagerank,pagerank-f64,bfs,sssp,cc,cc-long",
            "--runs=2",
            "--warm-up=1",
            "--iterations=7",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    assertThat(outcome.lines("graph"))
        .hasSize(2)
        .anyMatch(l -> l.contains("\"graph\": \"rmat8\", \"vertices\": 256, \"edges\": 4096"))
        .anyMatch(l -> l.contains("\"graph\": \"lattice13\", \"vertices\": 169, \"edges\": 624"));
    assertThat(outcome.lines("run"))
        .hasSize(12)
        .allMatch(l -> l.contains("\"check\": \"ok\""), "is right")
        .filteredOn(l -> l.contains("\"algorithm\": \"pagerank\""))
        .allMatch(l -> l.contains("\"supersteps\": 7, "));
    assertThat(outcome.text()).containsPattern("(?m)^graph +algorithm +engine ");
  }

  @Test
  void kernelsCanBeForcedAndBuffersKept() {
    Outcome outcome =
        run(
            "--graphs=lattice13",
            "--algorithms=bfs,cc",
            "--runs=1",
            "--warm-up=0",
            "--kernel=sparse",
            "--two-buffers",
            "--check");

    assertThat(outcome.status()).as(outcome.text()).isZero();
    // In step with Pregel: a superstep per level and one that finds nothing new; in the first one
    // every vertex has just run, so all rows are candidates.
    assertThat(outcome.lines("run"))
        .allMatch(l -> l.contains("\"supersteps\": 25, "))
        .allMatch(l -> l.contains("\"kernels\": \"1D 24S\""));
  }

  @Test
  void wrongArgumentsAreNamed() {
    assertThat(run("--graphs=rmat")).satisfies(o -> isRefused(o, "'rmat' is not a graph"));
    assertThat(run("--graphs=rmat30")).satisfies(o -> isRefused(o, "17179869184 edges"));
    assertThat(run("--algorithms=dfs")).satisfies(o -> isRefused(o, "'dfs' is not an algorithm"));
    assertThat(run("--engine=gpu")).satisfies(o -> isRefused(o, "'gpu' is not an engine"));
    assertThat(run("--kernel=wide")).satisfies(o -> isRefused(o, "'wide' is not a kernel"));
    assertThat(run("--dense-kernel=lanes3")).satisfies(o -> isRefused(o, "'lanes3'"));
    assertThat(run("--runs=0")).satisfies(o -> isRefused(o, "at least 1"));
  }

  private static void isRefused(Outcome outcome, String message) {
    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.text()).contains(message);
  }
}
