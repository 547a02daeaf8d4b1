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

/** The comparison, on graphs so small that only its output counts. */
@Tag("any-spark")
class ComparisonTest {
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
        Comparison.run(
            args,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    outText = out.toString(StandardCharsets.UTF_8);
    errText = err.toString(StandardCharsets.UTF_8);
    return status;
  }

  @Test
  void comparesPageRank() {
    String[] arguments = {
      "--rmat", "6", "--iterations", "3", "--engine", "cpu", "--build-rows", "host,device"
    };
    assertThat(run(arguments)).as(() -> errText).isZero();
    assertThat(outText)
        .contains("GpuPregel, host", "GpuPregel, device")
        .contains("pagerank; GpuPregel on engine cpu (the configuration asks for it)")
        .containsPattern("lift s +load s +run s +transfer s +kernels s +collect s +total s")
        .contains("1,024 edges in 4 edge partitions")
        .contains("stock GraphX, cold")
        .contains("GpuPregel, warm")
        .containsPattern("cold/cold: whole job [0-9.]+ times faster, one iteration [0-9.]+ times")
        .containsPattern("warm/warm: ")
        .containsPattern("largest difference of the results: ([0-9.]+e-1[0-9]|none)");
  }

  @Test
  void comparesRatesWhereGraphxIsBounded() {
    int status =
        run("--lattice", "12", "--algorithm", "sssp", "--weighted", "--graphx-supersteps", "4");
    assertThat(status).as(() -> errText).isZero();
    assertThat(outText)
        .contains("sssp from vertex 0")
        .containsPattern("Pregel needs [0-9]+ supersteps")
        .contains("largest difference of the results: none");
  }

  @Test
  void choosesASourceAndComparesExactResults() {
    assertThat(run("--rmat", "5", "--algorithm", "bfs")).as(() -> errText).isZero();
    assertThat(outText)
        .containsPattern("bfs from vertex [0-9]+")
        .contains("largest difference of the results: none");
  }

  @Test
  void wrongCommandLinesAreNamed() {
    assertThat(run("--rmat", "4", "--runs", "1")).isEqualTo(2);
    assertThat(errText).contains("--runs must be at least 2, one cold and one warm, not 1");
    assertThat(run("--rmat", "4", "--algorithm", "page")).isEqualTo(2);
    assertThat(errText).contains("'page' is not an algorithm");
    assertThat(run("--rmat", "4", "--graphx-supersteps", "3")).isEqualTo(2);
    assertThat(run("--rmat", "4", "--engine", "graphx")).isEqualTo(2);
    assertThat(errText).contains("--engine graphx would compare stock GraphX with itself");
    assertThat(run("--help")).isZero();
    assertThat(outText).contains("--edge-partitions", "Example:");
  }

  @Test
  void differencesAreMeasured() {
    Difference none = new Difference(1, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    Difference some = new Difference(2, 1.0, 1.5);
    Difference missing = new Difference(3, null, 1.5);
    Difference infinite = new Difference(4, Double.POSITIVE_INFINITY, 2.0);
    assertThat(none.absolute()).isZero();
    assertThat(some.absolute()).isEqualTo(0.5);
    assertThat(none.larger(some)).isEqualTo(some);
    assertThat(some.larger(missing)).isEqualTo(missing);
    assertThat(some.larger(infinite)).isEqualTo(infinite);
    assertThat(some.describe()).contains("0.500, at vertex 2: 1.0 against stock GraphX's 1.5");
  }
}
