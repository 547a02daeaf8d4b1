package org.sparkgpugraph.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkgpugraph.runtime.serial.PartitionNumbers;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Tuple2;

/** What was shuffled for a place is read there once, by several threads. */
@ExtendWith(SharedSpark.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PinnedLanesTest {
  private static final int ELEMENTS = 500;

  /** Threads of tasks meet here, which are in this JVM. */
  private static volatile CyclicBarrier meeting;

  private static final Set<Thread> READERS = ConcurrentHashMap.newKeySet();

  /** Number i, for i below 500, in partition {@code i % partitions} of a shuffle. */
  private static JavaRDD<Integer> shuffled(JavaSparkContext context, int partitions) {
    return context
        .parallelize(IntStream.range(0, ELEMENTS).boxed().toList(), 3)
        .mapToPair(i -> new Tuple2<>(i % partitions, i))
        .partitionBy(new PartitionNumbers(partitions))
        .values();
  }

  private static List<String> anywhere(int places) {
    return Collections.nCopies(places, null);
  }

  /** What each place has read. */
  private static Map<Integer, List<Integer>> read(
      JavaRDD<Integer> shuffled, int places, int lanes, int threads) {
    List<Tuple2<Integer, List<Integer>>> all =
        PinnedLanes.of(shuffled, anywhere(places), lanes)
            .mapPartitionsWithIndex(
                (place, one) -> {
                  ConcurrentLinkedQueue<Integer> found = new ConcurrentLinkedQueue<>();
                  one.next().forEach(threads, found::add);
                  List<Integer> sorted = new ArrayList<>(found);
                  Collections.sort(sorted);
                  return List.of(new Tuple2<>(place, sorted)).iterator();
                },
                true)
            .collect();
    Map<Integer, List<Integer>> byPlace = new TreeMap<>();
    all.forEach(one -> byPlace.put(one._1(), one._2()));
    return byPlace;
  }

  private static Map<Integer, List<Integer>> expected(int places, int lanes) {
    Map<Integer, List<Integer>> expected = new TreeMap<>();
    for (int place = 0; place < places; place++) {
      expected.put(place, new ArrayList<>());
    }
    for (int i = 0; i < ELEMENTS; i++) {
      expected.get(i % (places * lanes) / lanes).add(i);
    }
    return expected;
  }

  @ParameterizedTest
  @CsvSource({"1,1,1", "1,4,1", "1,4,3", "2,3,2", "3,1,4", "4,5,5", "2,600,3"})
  void eachPlaceReadsItsLanesOnce(int places, int lanes, int threads, JavaSparkContext context) {
    assertThat(read(shuffled(context, places * lanes), places, lanes, threads))
        .isEqualTo(expected(places, lanes));
  }

  /** None goes on before all three have an element. */
  @Test
  void lanesAreReadSideBySide(JavaSparkContext context) {
    meeting = new CyclicBarrier(3);
    READERS.clear();
    int places = 1;
    int seen =
        PinnedLanes.of(shuffled(context, 3), anywhere(places), 3)
            .map(
                reading -> {
                  Set<Integer> first = ConcurrentHashMap.newKeySet();
                  reading.forEach(
                      3,
                      i -> {
                        if (READERS.add(Thread.currentThread())) {
                          await();
                        }
                        assertThat(TaskContext.get()).isNotNull();
                        first.add(i);
                      });
                  return first.size();
                })
            .first();
    assertThat(seen).isEqualTo(ELEMENTS);
    assertThat(READERS).hasSize(3);
  }

  private static void await() {
    try {
      meeting.await(60, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void whatFailsInALaneFailsTheTask(JavaSparkContext context) {
    JavaRDD<Integer> failing =
        PinnedLanes.of(shuffled(context, 4), anywhere(1), 4)
            .map(
                reading -> {
                  reading.forEach(
                      4,
                      i -> {
                        if (i == 401) {
                          throw new IllegalStateException("no more than 400");
                        }
                      });
                  return 0;
                });
    assertThatThrownBy(failing::collect).hasMessageContaining("no more than 400");
  }

  /** Spark writes again what a helping thread could not fetch. */
  @Test
  void aLostFileIsWrittenAgain(JavaSparkContext context) {
    JavaRDD<Integer> shuffled = shuffled(context, 6);
    assertThat(read(shuffled, 2, 3, 3)).isEqualTo(expected(2, 3));
    RDD<?> written = shuffled.rdd().dependencies().head().rdd();
    int shuffle = ((ShuffleDependency<?, ?, ?>) written.dependencies().head()).shuffleId();
    long deleted =
        Arrays.stream(context.env().blockManager().diskBlockManager().localDirs())
            .flatMap(folder -> Arrays.stream(folder.listFiles()))
            .filter(File::isDirectory)
            .flatMap(folder -> Arrays.stream(folder.listFiles()))
            .filter(file -> file.getName().startsWith("shuffle_" + shuffle + "_"))
            .filter(file -> file.getName().endsWith(".data"))
            .filter(File::delete)
            .count();
    assertThat(deleted).isEqualTo(3);
    assertThat(read(shuffled, 2, 3, 3)).isEqualTo(expected(2, 3));
  }

  @Test
  void numbersThatDoNotFitAreRefused(JavaSparkContext context) {
    JavaRDD<Integer> seven = shuffled(context, 7);
    List<String> places = anywhere(2);
    assertThatThrownBy(() -> PinnedLanes.of(seven, places, 3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("7 partitions for 2 places of 3 lanes");
  }

  @ParameterizedTest
  @CsvSource({
    "1,14,200,14",
    "2,14,200,14",
    "50,14,200,4",
    "500,14,200,1",
    "1,300,200,200",
    "2,8,6,3"
  })
  void lanesAreThreadsAsLongAsSparkNeedNotSort(int places, int threads, int most, int lanes) {
    SparkConf conf = new SparkConf(false);
    if (most != 200) {
      conf.set("spark.shuffle.sort.bypassMergeThreshold", "" + most);
    }
    assertThat(PinnedLanes.lanes(conf, places, threads)).isEqualTo(lanes);
  }
}
