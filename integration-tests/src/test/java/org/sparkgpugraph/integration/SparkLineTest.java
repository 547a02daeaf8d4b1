package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.spark.SparkContext;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged jobs on the Spark of this line: what stands on Spark's own classes, once each. */
@Tag("smoke")
class SparkLineTest {
  private static final String VERSION_INFO = "spark-version-info.properties";

  @TempDir Path scratch;

  /**
   * Text, CSV and Parquet; one executor and two; programs, an operator, and stock GraphX beside.
   */
  @Test
  void jobsReadRunAndWrite() throws Exception {
    String graph = "--rmat 8 --seed 3 --output ";
    Path csv = Files.writeString(scratch.resolve("roads.csv"), "a,b,w\n1,2,0.5\n2,3,0.25\n1,3,2\n");
    List<String> jobs =
        List.of(
            "pagerank --fallback never --engine cpu " + graph + scratch.resolve("ranks"),
            "pagerank --fallback never --engine cpu --executors 2 "
                + graph
                + scratch.resolve("two"),
            "pagerank --fallback always " + graph + scratch.resolve("stock"),
            "triangle-count " + graph + scratch.resolve("triangles"),
            "connected-components --output-format parquet " + graph + scratch.resolve("parents"),
            "sssp --source 1 --weighted --format csv --columns a,b,w --input "
                + csv
                + " --output "
                + scratch.resolve("paths"),
            "bfs --source 0 --format parquet --columns id,component --undirected --input "
                + scratch.resolve("parents")
                + " --output "
                + scratch.resolve("levels"));
    Path batch = Files.write(scratch.resolve("jobs"), jobs);
    Command.Ended ended = submit("", List.of("--batch", batch.toString()));
    assertThat(ended.status()).as("%s", ended).isZero();
    assertThat(ended.out()).as("%s", ended).contains("7 jobs, all done");
    TreeMap<Long, Double> ranks = Ranks.read(scratch.resolve("ranks"));
    assertThat(ranks).hasSizeGreaterThan(100);
    for (String other : List.of("two", "stock")) {
      TreeMap<Long, Double> others = Ranks.read(scratch.resolve(other));
      assertThat(others.keySet()).isEqualTo(ranks.keySet());
      others.forEach(
          (id, rank) ->
              assertThat(rank)
                  .as(other + ", vertex " + id)
                  .isCloseTo(ranks.get(id), Percentage.withPercentage(1e-8)));
    }
    assertThat(Ranks.read(scratch.resolve("triangles"))).hasSize(ranks.size());
    assertThat(Ranks.read(scratch.resolve("paths")))
        .isEqualTo(new TreeMap<>(Map.of(1L, 0.0, 2L, 0.5, 3L, 0.75)));
    assertThat(Ranks.read(scratch.resolve("levels"))).hasSize(ranks.size());
  }

  /** Spark tells its version from a resource, which this test puts before its own. */
  @Test
  void aSparkOfAnotherLineIsRefusedInOneLine() throws Exception {
    Properties version = new Properties();
    try (InputStream in = SparkContext.class.getResourceAsStream("/" + VERSION_INFO)) {
      version.load(in);
    }
    version.setProperty("version", "4.7.0");
    Path before = Files.createDirectories(scratch.resolve("before"));
    try (OutputStream out = Files.newOutputStream(before.resolve(VERSION_INFO))) {
      version.store(out, null);
    }
    Path output = scratch.resolve("none");
    Command.Ended ended =
        submit(before.toString(), List.of("pagerank", "--rmat", "4", "--output", "" + output));
    assertThat(ended.status()).as("%s", ended).isEqualTo(1);
    assertThat(ended.err())
        .as("%s", ended)
        .contains("this is Spark 4.7.0 with Scala ", "spark-gpu-graph_2.13 for Spark 3.5, 4.0, 4.1")
        .doesNotContain("\tat org.sparkgpugraph");
    assertThat(output.resolve("_SUCCESS")).doesNotExist();
  }

  private Command.Ended submit(String classPath, List<String> arguments) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                "--master",
                "local[2]",
                "--class",
                "org.sparkgpugraph.examples.GraphJob",
                Product.examplesJar().toString()));
    all.addAll(arguments);
    return Command.sparkSubmit(scratch, Map.of(), classPath, all);
  }
}
