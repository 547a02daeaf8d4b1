package org.sparkgpugraph.benchmarks.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What supersteps say that they send is what Spark's own metrics say that was written. */
@Tag("any-spark")
class ExchangeBytesTest {
  private static final Pattern SUPERSTEP =
      Pattern.compile(" superstep \\d+: ([\\d,]+) updates, ([\\d,]+) bytes");

  @BeforeAll
  static void startSpark() {
    stopSpark();
    SparkSession.builder()
        .master("local[2]")
        .appName("exchange bytes tests")
        .config("spark.ui.enabled", "false")
        .config("spark.shuffle.compress", "false")
        .getOrCreate();
  }

  /** The next class has another configuration. */
  @AfterAll
  static void stopSpark() {
    if (SparkSession.getDefaultSession().isDefined()) {
      SparkSession.getDefaultSession().get().stop();
    }
  }

  private static List<String> run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        ExchangeBytes.run(
            args,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    assertThat(status).as(() -> err.toString(StandardCharsets.UTF_8)).isZero();
    return out.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Test
  void bytesAreThoseOfSparksShuffle() {
    int executors = 3;
    List<String> lines =
        run(
            "--rmat",
            "9",
            "--weighted",
            "--algorithms",
            "bfs,pagerank",
            "--supersteps",
            "--executors",
            String.valueOf(executors));
    assertThat(lines.get(0)).startsWith("algorithm");
    int at = 1;
    for (String algorithm : List.of("bfs", "pagerank")) {
      String[] cells = lines.get(at++).split(" +");
      assertThat(cells[0]).isEqualTo(algorithm);
      double boundary = Double.parseDouble(cells[3]) * 1e6;
      double raw = Double.parseDouble(cells[4]) * 1e6;
      double packed = Double.parseDouble(cells[5]) * 1e6;
      double rounded = Double.parseDouble(cells[6]) * 1e6;
      double stock = Double.parseDouble(cells[7]) * 1e6;
      int valueBytes = algorithm.equals("bfs") ? Integer.BYTES : 2 * Double.BYTES;
      long updates = 0;
      long told = 0;
      int supersteps = 0;
      for (; at < lines.size(); at++) {
        Matcher superstep = SUPERSTEP.matcher(lines.get(at));
        if (!superstep.find()) {
          break;
        }
        updates += Long.parseLong(superstep.group(1).replace(",", ""));
        told += Long.parseLong(superstep.group(2).replace(",", ""));
        supersteps++;
      }
      assertThat(supersteps).isEqualTo(Integer.parseInt(cells[8]));
      // A few bytes for each record, and a kilobyte for the two rounded numbers.
      long records = (long) supersteps * executors * (executors - 1);
      assertThat(raw).isBetween(told - 1000.0, told + 1000.0 + 16 * records);
      // Values and at most two bytes of position each, and a header for each record.
      assertThat(raw)
          .isBetween(updates * (valueBytes / 2.0), updates * (valueBytes + 2.0) + 128 * records);
      assertThat(raw).isLessThanOrEqualTo(boundary);
      assertThat(packed).isLessThan(raw);
      if (algorithm.equals("bfs")) {
        assertThat(rounded).as("levels are whole numbers").isEqualTo(packed);
      } else {
        assertThat(rounded).isLessThan(0.75 * packed);
      }
      assertThat(raw).isLessThan(stock);
    }
    assertThat(at).isEqualTo(lines.size());
  }

  @Test
  void stockGraphxMayBeLeftOut() {
    List<String> lines =
        run("--lattice", "8", "--algorithms", "bfs", "--skip-graphx", "--executors", "2");
    assertThat(lines.get(1).split(" +")[7]).isEqualTo("-");
  }
}
