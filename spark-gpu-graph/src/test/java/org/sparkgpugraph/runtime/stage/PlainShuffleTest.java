package org.sparkgpugraph.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.exchange.UpdateEncoding;
import org.sparkgpugraph.exchange.UpdateFormat;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.SparkShardTrial;
import org.sparkgpugraph.testing.SharedSpark;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/** What shards say passes Spark's shuffle as it is, or as its settings say. */
@ExtendWith(SharedSpark.class)
class PlainShuffleTest {
  private static final int SHARDS = 3;
  private static final int SIZE = 3000;

  private final JavaSparkContext context;

  PlainShuffleTest(JavaSparkContext context) {
    this.context = context;
  }

  @ParameterizedTest
  @CsvSource({
    "spark.shuffle.manager, org.apache.spark.shuffle.celeborn.SparkShuffleManager",
    "spark.shuffle.sort.io.plugin.class, some.DataIo",
    "spark.io.encryption.enabled, true",
    "spark.shuffle.push.enabled, true",
    "spark.shuffle.sort.bypassMergeThreshold, 2",
  })
  void whatSparkIsToldToDoOtherwiseItDoes(String key, String value) {
    assertThat(PlainShuffle.fits(new SparkConf(false), SHARDS)).isTrue();
    assertThat(PlainShuffle.fits(new SparkConf(false).set(key, value), SHARDS)).isFalse();
  }

  @Test
  void sparksOwnShuffleHasSeveralNames() {
    for (String name : List.of("sort", "SORT", SortShuffleManager.class.getName())) {
      SparkConf conf = new SparkConf(false).set("spark.shuffle.manager", name);
      assertThat(PlainShuffle.fits(conf, SHARDS)).as(name).isTrue();
    }
    assertThat(PlainShuffle.fits(new SparkConf(false), 200)).isTrue();
    assertThat(PlainShuffle.fits(new SparkConf(false), 201)).isFalse();
  }

  /** Every vertex tells the next one the same number, which LZ4 makes much of. */
  @Test
  void recordsAreNotCompressedUnlessAskedFor() throws TimeoutException {
    TestGraph<Integer, Integer> ring =
        new TestGraph<>(
            "ring",
            LongStream.range(0, SIZE).toArray(),
            Collections.nCopies(SIZE, 5),
            LongStream.range(0, SIZE).toArray(),
            LongStream.range(0, SIZE).map(v -> (v * 7 + 1) % SIZE).toArray(),
            Collections.nCopies(SIZE, 1));
    TestProgram<Integer, Integer, Integer, Integer, Integer> program =
        new TestProgram<Integer, Integer, Integer, Integer, Integer>(
                "steps", Integer.class, Integer.class, Integer.class, Integer.class)
            .everyVertex(0)
            .vertex((id, value, message) -> message + 1)
            .send(edge -> edge.sendToDst(edge.srcAttr()))
            .merge(Integer::sum)
            .maxIterations(3);
    AtomicLong written = new AtomicLong();
    AtomicLong read = new AtomicLong();
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onTaskEnd(SparkListenerTaskEnd end) {
            written.addAndGet(end.taskMetrics().shuffleWriteMetrics().bytesWritten());
            read.addAndGet(end.taskMetrics().shuffleReadMetrics().totalBytesRead());
          }
        };
    context.sc().addSparkListener(listener);
    try (var plain = new SparkShardTrial<>(context.sc(), ring, program, SHARDS, 1);
        var compressed = new SparkShardTrial<>(context.sc(), ring, program, SHARDS, 1)) {
      plain.format = UpdateFormat.exact(UpdateEncoding.RAW);
      Map<Long, Integer> result = plain.run();
      context.sc().listenerBus().waitUntilEmpty(10_000);
      List<SuperstepStats> steps = plain.summary().supersteps();
      long said = steps.stream().mapToLong(SuperstepStats::boundaryBytes).sum();
      // Each record has its reader's number and its length before it, its checksum behind it.
      long records = (long) SHARDS * SHARDS * steps.size();
      assertThat(said).isGreaterThan(10_000);
      assertThat(written.get()).isBetween(said, said + 12 * records);
      // Nobody reads what is said behind the last superstep.
      assertThat(read.get()).isBetween(said / 2, written.get());

      written.set(0);
      compressed.format = UpdateFormat.exact(UpdateEncoding.RAW);
      compressed.compress = true;
      assertThat(compressed.run()).isEqualTo(result);
      context.sc().listenerBus().waitUntilEmpty(10_000);
      assertThat(written.get()).isBetween(1L, said / 2);
    } finally {
      context.sc().removeSparkListener(listener);
    }
  }
}
