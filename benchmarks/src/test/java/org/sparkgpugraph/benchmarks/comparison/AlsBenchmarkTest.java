package org.sparkgpugraph.benchmarks.comparison;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.algorithm.learning.AlternatingLeastSquares;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;

/** What the benchmark compares is the same. */
@Tag("any-spark")
class AlsBenchmarkTest {
  /** So many that first factors do not matter any more. */
  private static final int ITERATIONS = 20;

  @TempDir private Path folder;

  /** Of ratings held out; guessing their mean is wrong by more. */
  @Test
  void errorsAreThoseOfMllib() {
    SparkConf conf =
        new SparkConf()
            .setMaster("local[2]")
            .setAppName("AlsBenchmarkTest")
            .set("spark.ui.enabled", "false");
    GeneratedRatings ratings = GeneratedRatings.of(40_000, 7);
    double mean = 0;
    double squares = 0;
    for (float rating : ratings.ratings()) {
      mean += rating / ratings.ratings().length;
      squares += rating * rating / ratings.ratings().length;
    }
    double spread = Math.sqrt(squares - mean * mean);
    try (JavaSparkContext sc = new JavaSparkContext(conf)) {
      // MLlib's lineage of so many iterations is too deep for a thread's stack.
      sc.setCheckpointDir(folder.toUri().toString());
      for (int rank : new int[] {4, 8}) {
        AlternatingLeastSquares.Conf als = new AlternatingLeastSquares.Conf(rank, ITERATIONS, 0.1);
        AlsBenchmark benchmark = new AlsBenchmark(sc, ratings, als);
        double ours =
            benchmark
                .ours(benchmark.edges(), RunOptions.DEFAULT.withEngine(EngineChoice.CPU))
                .error();
        double theirs = benchmark.mllib(benchmark.rated()).error();
        assertThat(ours).as("rank " + rank).isCloseTo(theirs, within(0.01 * theirs));
        assertThat(ours).as("rank " + rank).isLessThan(0.9 * spread);
      }
    }
  }
}
