package org.sparkgpugraph.benchmarks.cold;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs in JVMs of their own, on graphs so small that only the output counts. */
@Tag("any-spark")
class ColdStartsTest {
  @Test
  void startsJvmsAndPrintsPhases() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    String[] arguments = {
      "--starts",
      "1",
      "--variant",
      "plugin=-Dspark.plugins=org.sparkgpugraph.GpuGraphPlugin -Dspark.master=local[2]",
      "--",
      "--rmat",
      "4",
      "--algorithm",
      "bfs",
      "--engine",
      "cpu",
      "--warm",
      "1"
    };
    int status =
        ColdStarts.run(
            arguments,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(status).as(() -> err.toString(StandardCharsets.UTF_8)).isZero();
    String text = out.toString(StandardCharsets.UTF_8);
    assertThat(text)
        .containsPattern("ms +plugin\n")
        .containsPattern("start of Spark +[0-9]+\n")
        .containsPattern("job +[0-9]+ \\([0-9]+-[0-9]+\\)\n")
        .containsPattern("  lift +[0-9]+ @[0-9]+\n")
        .containsPattern("  run: supersteps +[0-9]+ @[0-9]+\n")
        .containsPattern("classes loaded meanwhile \\(number\\) +[0-9]+\n")
        .containsPattern("warm run 1 +[0-9]+\n")
        .endsWith("the same values in all runs\n");
  }

  @Test
  void tellsMediansOfWhatEachVariantHas() {
    Map<String, Map<String, List<double[]>>> times = new LinkedHashMap<>();
    times.put(
        "job",
        Map.of(
            "a",
            List.of(new double[] {30}, new double[] {10}, new double[] {20.4}),
            "b",
            List.of(new double[] {7})));
    times.put("  lift", Map.of("b", List.of(new double[] {1, 5}, new double[] {4, 6.2})));
    assertThat(ColdStarts.table(times, List.of("a", "b")).toString())
        .isEqualTo(
            """
            ms      a           b
            job     20 (10-30)  7 (7-7)
              lift  -              3 @6
            """);
  }

  @Test
  void refusesNoStarts() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    assertThat(ColdStarts.run(new String[] {"--starts", "0"}, stream, stream)).isEqualTo(2);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("--starts must be at least 1, not 0");
  }
}
