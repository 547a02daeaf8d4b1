package org.sparkgpugraph.benchmarks.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of speeds, on graphs so small that only its output counts. */
@Tag("any-spark")
class SpeedTableTest {
  private String outText;
  private String errText;

  @BeforeAll
  static void startSpark() {
    SparkSession.builder()
        .master("local[2]")
        .appName("comparison tests")
        .config("spark.ui.enabled", "false")
        .getOrCreate();
  }

  /** The next class starts its own. */
  @AfterAll
  static void stopSpark() {
    SparkSession.getDefaultSession().get().stop();
  }

  private int run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        SpeedTable.run(
            args,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    outText = out.toString(StandardCharsets.UTF_8);
    errText = err.toString(StandardCharsets.UTF_8);
    return status;
  }

  /** Values of every form: numbers, maps, and what is compared by its error. */
  @ParameterizedTest
  @ValueSource(strings = {"shortest-paths", "pagerank-continued", "svd-plus-plus"})
  void aTrialTellsWhatItMeasures(String algorithm) {
    assertThat(run("--trial", algorithm, "--rmat", "5", "--runs", "1", "--iterations", "2"))
        .as(() -> errText)
        .isZero();
    assertThat(outText.lines())
        .startsWith("@trial graph " + words()[2] + " 512", "@trial begin ours")
        .anyMatch(line -> line.matches("@trial run graphx [0-9.]+ [0-9.]+ [0-9.]+"))
        .anyMatch(
            line -> line.matches("@trial agree (equal|relative difference .*|mean squared .*)"))
        .endsWith("@trial done");
  }

  private String[] words() {
    return outText.lines().findFirst().orElseThrow().split(" ");
  }

  @Test
  void aTableHasALinePerAlgorithm() {
    assertThat(run("--algorithms", "hits", "--rmat", "4", "--runs", "1", "--timeout", "500"))
        .as(() -> errText)
        .isZero();
    assertThat(outText)
        .contains("| algorithm | edges | GraphX s |", "medians of 1 warm runs")
        .containsPattern("\\| hits \\| 256 \\| - \\| [0-9.]+ \\(cold [0-9.]+\\) \\| - \\| - \\|");
  }

  @Test
  void linesTellOfRunsThatDidNotEnd() {
    SpeedRow row = new SpeedRow(Contest.of("bfs"));
    for (String line :
        new String[] {
          "graph 10 20",
          "begin ours",
          "run ours 9 1 2",
          "begin ours",
          "run ours 2 3 4",
          "begin graphx"
        }) {
      row.hear(line);
    }
    row.timedOut(60);
    row.ended(137);
    assertThat(row.markdown())
        .isEqualTo("| bfs | 20 | more than 60 | 2.00 (cold 9.00) | more than 7 | - | 3 (4) | - |");
    assertThat(row.oursFailed()).isFalse();
    row = new SpeedRow(Contest.of("bfs"));
    for (String line :
        new String[] {
          "graph 10 20",
          "begin ours",
          "run ours 4 1 2",
          "begin ours",
          "run ours 2 1 2",
          "begin graphx",
          "run graphx 44 1 2",
          "agree equal",
          "done"
        }) {
      row.hear(line);
    }
    assertThat(row.markdown())
        .isEqualTo("| bfs | 20 | 44.0 (cold) | 2.00 (cold 4.00) | 11.0 | 1 (2) | 1 (2) | equal |");
    SpeedRow memory = new SpeedRow(Contest.of("bfs"));
    memory.hear("graph 10 20");
    memory.hear("begin ours");
    memory.ended(3);
    assertThat(memory.markdown()).contains("| out of memory |");
    assertThat(memory.oursFailed()).isTrue();
    SpeedRow odd = new SpeedRow(Contest.of("bfs"));
    odd.hear("hello");
    assertThat(odd.markdown()).isEqualTo("| bfs | - | - | - | - | - | - | start: said 'hello' |");
    assertThat(odd.oursFailed()).isTrue();
    SpeedRow compared = new SpeedRow(Contest.of("bfs"));
    for (String line :
        new String[] {
          "graph 10 20", "begin ours", "run ours 4 1 2", "begin graphx", "run graphx 8 1 2"
        }) {
      compared.hear(line);
    }
    compared.timedOut(60);
    assertThat(compared.markdown())
        .isEqualTo(
            "| bfs | 20 | 8.00 (cold) | 4.00 (cold) | 2.0 | 1 (2) | 1 (2)"
                + " | comparison: more than 60 |");
    assertThat(compared.oursFailed()).isFalse();
  }

  @Test
  void wrongCommandLinesAreNamed() {
    assertThat(run("--rmat", "4", "--runs", "0")).isEqualTo(2);
    assertThat(errText).contains("--runs must be at least 1, not 0");
    assertThat(run("--rmat", "4", "--algorithms", "page")).isEqualTo(2);
    assertThat(errText).contains("'page' is not an algorithm; did you mean 'pagerank'?");
    assertThat(run("--rmat", "4", "--timeout", "0")).isEqualTo(2);
    assertThat(run("--rmat", "4", "--repeat-for", "-1")).isEqualTo(2);
    assertThat(run("--rmat", "4", "--engine", "graphx")).isEqualTo(2);
  }
}
