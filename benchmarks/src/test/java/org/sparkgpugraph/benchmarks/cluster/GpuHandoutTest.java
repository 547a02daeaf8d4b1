package org.sparkgpugraph.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("any-spark")
class GpuHandoutTest {
  private static final Pattern JSON =
      Pattern.compile("\\{\"name\": \"gpu\", \"addresses\": \\[(.*)]}\n");

  @TempDir Path folder;

  private static List<String> addresses(Process process) throws Exception {
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    Matcher json = JSON.matcher(text);
    assertThat(json.matches()).as(text).isTrue();
    return json.group(1).isEmpty()
        ? List.of()
        : List.of(json.group(1).replace("\"", "").split(", "));
  }

  private static Process start(Path script) throws IOException {
    return new ProcessBuilder(script.toString())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  @Test
  void workersThatAskAtTheSameTimeGetDifferentGpus() throws Exception {
    Path script = GpuHandout.script(folder, List.of("0", "1", "2", "GPU-3", "4", "5"), 2);
    List<Process> workers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      workers.add(start(script));
    }
    List<String> all = new ArrayList<>();
    for (Process worker : workers) {
      List<String> given = addresses(worker);
      assertThat(given).hasSize(2);
      all.addAll(given);
    }
    assertThat(all).containsExactlyInAnyOrder("0", "1", "2", "GPU-3", "4", "5");
    // Nothing is left for a fourth.
    assertThat(addresses(start(script))).isEmpty();
  }

  @Test
  void addressesAreThoseThatCudaShows() {
    assertThat(GpuHandout.addresses(3, null)).containsExactly("0", "1", "2");
    assertThat(GpuHandout.addresses(2, "")).containsExactly("0", "1");
    assertThat(GpuHandout.addresses(2, "3, GPU-1a,5")).containsExactly("3", "GPU-1a");
    assertThatThrownBy(() -> GpuHandout.addresses(2, "7"))
        .hasMessage("2 GPUs are needed, but CUDA_VISIBLE_DEVICES is '7'");
  }

  @Test
  void addressesThatAreNoneAreRefused() {
    assertThatThrownBy(() -> GpuHandout.script(folder, List.of("0", "$(id)"), 1))
        .hasMessage("'$(id)' is not the address of a GPU");
    assertThatThrownBy(() -> GpuHandout.script(folder, List.of("0", "1", "1", "1"), 2))
        .hasMessage("a GPU is there twice for the same executor: 1, 1");
  }

  @Test
  void executorsMayShareAGpu() throws Exception {
    Path script = GpuHandout.script(folder, List.of("0", "0", "1"), 1);
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.addAll(addresses(start(script)));
    }
    assertThat(all).containsExactly("0", "0", "1");
  }
}
