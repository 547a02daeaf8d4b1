package org.sparkgpugraph.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The benchmark with its executors in this JVM, and what it refuses. */
class ClusterBenchmarkTest {
  @TempDir Path folder;

  private record Outcome(int status, String text) {}

  private static Outcome run(String... arguments) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int status;
    try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      status = ClusterBenchmark.execute(out, arguments);
    }
    return new Outcome(status, bytes.toString(StandardCharsets.UTF_8));
  }

  @Test
  void everyAlgorithmIsRightOverThreeExecutorsAndOnOne() throws Exception {
    Path json = folder.resolve("measurements.json");

    Outcome outcome =
        run(
            "--one-jvm",
            "--executors=3",
            "--scale=7",
            "--runs=2",
            "--warm-up=0",
            "--iterations=4",
            "--algorithms=pagerank,converging,bfs,cc,sssp,msbfs,landmarks",
            "--baseline",
            "--loads=2",
            "--set=spark.gpugraph.exchange.encoding=raw",
            "--json=" + json);

    assertThat(outcome.status()).as(outcome.text()).isZero();
    List<String> lines = Files.readAllLines(json);
    assertThat(lines).hasSize(4 + 14 + 14);
    assertThat(lines).filteredOn(l -> l.contains("\"layout\": \"3 x 1 core\"")).hasSize(2 + 7 + 7);
    assertThat(lines).filteredOn(l -> l.contains("\"measurement\": \"run\"")).hasSize(14);
    assertThat(lines)
        .filteredOn(l -> l.contains("\"measurement\": \"check\""))
        .hasSize(14)
        .allMatch(l -> l.contains("\"check\": \"ok\""));
    assertThat(outcome.text()).contains("3 x 1 core, load: stages of ");
    assertThat(outcome.text()).contains("3 x 1 core: algorithm pagerank, supersteps 4, median ms ");
    assertThat(outcome.text()).contains("sssp on 1 x 3 core is right");
    assertThat(lines)
        .filteredOn(l -> l.contains("\"algorithm\": \"pagerank\"") && l.contains("\"run\""))
        .allMatch(l -> l.contains("\"supersteps\": 4, "));
    assertThat(lines)
        .filteredOn(l -> l.contains("3 x") && l.contains("\"run\""))
        .noneMatch(l -> l.contains("\"shuffledBytes\": 0,") || l.contains("\"codecMs\": 0.00000,"))
        .noneMatch(l -> l.contains("\"sparkMs\": 0.00000,"));
    assertThat(lines)
        .filteredOn(l -> l.contains("\"run\""))
        .allMatch(
            l -> l.matches(".*\"loadHeapPeakBytes\": [1-9]\\d+, \"runHeapPeakBytes\": [1-9].*"))
        .allMatch(l -> l.matches(".*\"offHeapEdgeBytes\": 0, \"mappedEdgeBytes\": \\d+.*"));
    assertThat(lines)
        .filteredOn(l -> l.contains("1 x 3 core") && l.contains("\"run\""))
        // Its sources are told to the graph first.
        .filteredOn(l -> !l.contains("\"msbfs\""))
        .allMatch(l -> l.contains("\"shuffledBytes\": 0,"));
  }

  @Test
  void usedMemoryIsRead() {
    GpuMemory before = GpuMemory.of("4\n 10\n");

    assertThat(before).hasToString("4, 10");
    assertThat(GpuMemory.of("60\n10").isMoreThan(before)).isFalse();
    assertThat(GpuMemory.of("4\n500").isMoreThan(before)).isTrue();
    assertThatThrownBy(() -> GpuMemory.of("No devices were found"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("nvidia-smi says: No devices were found");
  }

  @Test
  void executorsThatShareGpusAreNamedSo() {
    assertThat(layout(List.of("0", "1", "0", "1"))).hasToString("4 x 1 GPU (2 in all)");
    assertThat(layout(List.of("0", "1", "2", "3"))).hasToString("4 x 1 GPU");
    assertThat(layout(List.of("0", "1", "0", "1")).together()).hasToString("1 x 2 GPU");
  }

  private static BenchmarkCluster.Layout layout(List<String> addresses) {
    return new BenchmarkCluster.Layout(4, 7, 1024, 1, addresses, false);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--engine=gpu             | 'gpu' is not an engine; valid: cuda, cpu, emulated",
        "--algorithms=bfs,dfs     | 'dfs' is not an algorithm; valid: pagerank, converging, bfs, cc, sssp, msbfs, landmarks",
        "--executors=0            | --executors, --cores and --loads must be at least 1",
        "--runs=0                 | --runs and --iterations must be at least 1",
        "--partitioning=fair      | 'fair' is not a partitioning; valid: fixed, permissive",
        "--scale=31               | --scale must be 1 to 30, not 31",
        "--scale=28               | --scale 28 is too large to be checked: give --no-check",
        "--gpus=1                 | --gpus must be at least 1 with a GPU engine, and 0 with cpu",
        "--memory=100             | --memory must be 512 to 16777216 (MB), not 100",
        "--engine=emulated --gpus=2 --addresses=0,1,2 | 4 GPUs are needed, but --addresses names 3",
        "--timeline               | --timeline tells of executors in JVMs of their own, not of --one-jvm",
        "--executors=2 --kill     | --kill kills one of several executors in JVMs of their own",
        "--engine=cuda            | --one-jvm would give all executors the same GPUs",
        "--executors=1 --baseline | --baseline is one executor, which --executors 1 is already",
      })
  void wrongArgumentsAreRefused(String arguments, String message) {
    Outcome outcome = run(("--one-jvm " + arguments.strip()).split(" "));

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.text()).startsWith(message);
  }
}
