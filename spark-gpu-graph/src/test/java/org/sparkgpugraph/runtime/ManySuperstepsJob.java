package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.testing.PregelOracle;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/**
 * A run of many supersteps over several shards in a small heap; run by {@link ManySuperstepsTest}.
 */
final class ManySuperstepsJob {
  private static final int SIZE = 40;

  private ManySuperstepsJob() {}

  public static void main(String[] args) {
    int supersteps = Integer.parseInt(args[0]);
    Path scratch = Path.of(args[1]);
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("many supersteps")
            .set("spark.ui.enabled", "false")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.local.dir", scratch.toString())
            .set("spark.testing.memory", "60000000")
            .set("spark.testing.reservedMemory", "0");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      context.setLogLevel("WARN");
      TestGraph<Integer, Integer> ring =
          new TestGraph<>(
              "ring",
              LongStream.range(0, SIZE).toArray(),
              IntStream.range(0, SIZE).boxed().toList(),
              LongStream.range(0, SIZE).toArray(),
              LongStream.range(0, SIZE).map(v -> (v + 1) % SIZE).toArray(),
              Collections.nCopies(SIZE, 1));
      TestProgram<Integer, Integer, Integer, Integer, Integer> program =
          new TestProgram<Integer, Integer, Integer, Integer, Integer>(
                  "sums", Integer.class, Integer.class, Integer.class, Integer.class)
              .everyVertex(0)
              .vertex((id, value, message) -> 3 * value + message + 1)
              .send(edge -> edge.sendToDst(edge.srcAttr()))
              .merge(Integer::sum)
              .maxIterations(supersteps);
      int[] most = new int[1];
      try (SparkShardTrial<Integer, Integer, Integer, Integer, Integer> trial =
          new SparkShardTrial<>(context.sc(), ring, program, 2, 1)) {
        trial.listener =
            stats -> {
              if (stats.superstep() % 50 == 0) {
                most[0] = Math.max(most[0], shuffleFiles(scratch.toFile()));
              }
            };
        Map<Long, Integer> result = trial.run();
        assertThat(result).isEqualTo(PregelOracle.run(ring, program).result());
        assertThat(trial.summary().iterations()).isEqualTo(supersteps);
      }
      // A data and an index file for each shard of the last exchanges; removing takes its time.
      assertThat(most[0]).isBetween(1, 4 * 25);
    }
    System.out.println(supersteps + " supersteps: done");
  }

  /** Spark's cleaner removes files meanwhile: what is gone when it is looked at does not count. */
  private static int shuffleFiles(File folder) {
    int count = 0;
    File[] inside = folder.listFiles();
    for (File file : inside == null ? new File[0] : inside) {
      count += file.getName().startsWith("shuffle_") ? 1 : shuffleFiles(file);
    }
    return count;
  }
}
