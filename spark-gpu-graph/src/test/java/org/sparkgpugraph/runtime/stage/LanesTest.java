package org.sparkgpugraph.runtime.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.spark.Dependency;
import org.apache.spark.MapOutputTrackerMaster;
import org.apache.spark.Partition;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkgpugraph.runtime.cluster.PinnedRdd;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import org.sparkgpugraph.runtime.serial.PartitionNumbers;
import org.sparkgpugraph.runtime.serial.ShardSerializer;
import org.sparkgpugraph.testing.SharedSpark;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.reflect.ClassTag$;

/** What one shard says to another goes through several blocks of Spark's shuffle. */
@ExtendWith(SharedSpark.class)
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Tag("any-spark")
class LanesTest {
  private static final int SHARDS = 3;

  /** How often map tasks have run. */
  private static final AtomicInteger WRITTEN = new AtomicInteger();

  private final JavaSparkContext context;

  LanesTest(JavaSparkContext context) {
    this.context = context;
  }

  // ---- how records are divided ----------------------------------------------------------------

  private static List<ShardWork.Message> messages(int... lengths) {
    return IntStream.of(lengths).mapToObj(n -> new ShardWork.Message(0, new byte[n])).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "4, 10, 10 10 10 10, 0 1 2 3",
    "4, 10, 10 10 10 10 10 10 10 10, 0 0 1 1 2 2 3 3",
    "4, 10, 10 10 9, 0 0 1", // not worth a third
    "4, 10, 5 5 5, 0 0 0",
    "1, 1, 10 10, 0 0",
    "4, 1, 0 0, 0 0",
    "4, 10, 100 1 1 1, 0 3 3 3", // lanes between stay empty
    "4, 10, 1 1 1 100, 0 0 0 0",
  })
  void aLaneHasItsShareOfTheBytes(int most, int bytes, String lengths, String expected) {
    assertThat(new Lanes(most, bytes).of(messages(numbers(lengths)))).isEqualTo(numbers(expected));
  }

  private static int[] numbers(String text) {
    return Arrays.stream(text.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  @Test
  void nothingIsDividedIntoNothing() {
    assertThat(new Lanes(4, 10).of(List.of())).isEmpty();
    assertThat(new Lanes(4, 10).readers(0, 0)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"4, 10, 19, 1", "4, 10, 40, 2", "4, 10, 1000, 4", "1, 10, 1000, 1", "99, 1, 999, 64"})
  void aFileHoldsSeveralLanes(int most, int bytes, long total, int files) {
    assertThat(new Lanes(most, bytes).files(total)).isEqualTo(files);
  }

  @Test
  void everyBlockIsInOneFile() {
    Lanes lanes = new Lanes(5, 1);
    List<List<Integer>> blocks = IntStream.range(0, 15).mapToObj(List::of).toList();
    for (int files = 1; files <= 5; files++) {
      List<Integer> all = new ArrayList<>();
      for (int file = 0; file < files; file++) {
        List<List<Integer>> part = lanes.ofFile(blocks, file, files);
        for (int block = 0; block < 15; block++) {
          // Where it is in one that has all, so that readers look for it there.
          assertThat(part.get(block)).isIn(List.of(), List.of(block));
          all.addAll(part.get(block));
        }
      }
      assertThat(all).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 15).boxed().toList());
    }
  }

  @Test
  void lanesAreNotMoreThanSparkHasPartitionsFor() {
    SparkConf conf = new SparkConf(false);
    assertThat(Lanes.of(14, 0).within(conf, 2).most()).isEqualTo(14);
    assertThat(Lanes.of(14, 0).within(conf, 20).most()).isEqualTo(10);
    assertThat(Lanes.of(14, 0).within(conf, 200).most()).isEqualTo(1);
    // There Spark's own writer is taken.
    assertThat(Lanes.of(14, 0).within(conf, 500).most()).isEqualTo(1);
    conf.set("spark.shuffle.sort.bypassMergeThreshold", "8");
    assertThat(Lanes.of(14, 0).within(conf, 2).most()).isEqualTo(4);
  }

  // ---- through Spark --------------------------------------------------------------------------

  /**
   * What a shard says to another: to itself little, to the next nothing, to others much; a number
   * of records between 0 and 11.
   */
  private static List<byte[]> records(long seed, int writer, int reader) {
    Random random = new Random(seed * 1000 + writer * 10 + reader);
    int count = reader == (writer + 1) % SHARDS ? 0 : reader == writer ? 1 : 4 + random.nextInt(8);
    List<byte[]> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] record = new byte[reader == writer ? 3 : 20_000 + random.nextInt(20_000)];
      random.nextBytes(record);
      records.add(record);
    }
    return records;
  }

  /** An exchange that was written. */
  private ShuffleDependency<Integer, byte[], byte[]> written(long seed, Lanes lanes)
      throws Exception {
    JavaPairRDD<Integer, byte[]> said =
        context
            .parallelize(IntStream.range(0, SHARDS).boxed().toList(), SHARDS)
            .flatMapToPair(writer -> said(seed, writer));
    ShuffleDependency<Integer, byte[], byte[]> exchange =
        new ShuffleDependency<>(
            products(said),
            new PartitionNumbers(lanes.firstBlock(SHARDS)),
            new ShardSerializer(),
            Option.empty(),
            Option.empty(),
            false,
            new PlainShuffle(lanes),
            ClassTag$.MODULE$.apply(Integer.class),
            ClassTag$.MODULE$.apply(byte[].class),
            ClassTag$.MODULE$.apply(byte[].class));
    Await.result(context.sc().submitMapStage(exchange), Duration.Inf());
    return exchange;
  }

  private static Iterator<Tuple2<Integer, byte[]>> said(long seed, int writer) {
    WRITTEN.incrementAndGet();
    List<Tuple2<Integer, byte[]>> said = new ArrayList<>();
    for (int reader = 0; reader < SHARDS; reader++) {
      for (byte[] record : records(seed, writer, reader)) {
        said.add(new Tuple2<>(reader, record));
      }
    }
    return said.iterator();
  }

  @SuppressWarnings("unchecked") // pairs are products
  private static RDD<Product2<Integer, byte[]>> products(JavaPairRDD<Integer, byte[]> pairs) {
    return (RDD<Product2<Integer, byte[]>>) (RDD<?>) pairs.rdd();
  }

  /** What every shard reads. */
  private static final class Reading extends RDD<Serializable> {
    private static final long serialVersionUID = 1L;

    private final ShuffleDependency<Integer, byte[], byte[]> exchange;

    @SuppressWarnings({"unchecked", "rawtypes"})
    Reading(JavaSparkContext context, ShuffleDependency<Integer, byte[], byte[]> exchange) {
      super(context.sc(), (Seq) Nil$.MODULE$, ClassTag$.MODULE$.apply(Serializable.class));
      this.exchange = exchange;
    }

    @Override
    @SuppressWarnings("unchecked")
    public Seq<Dependency<?>> getDependencies() {
      return ((scala.collection.immutable.List<Dependency<?>>) (Object) Nil$.MODULE$)
          .$colon$colon(exchange);
    }

    @Override
    public Partition[] getPartitions() {
      return PinnedRdd.slots(new String[SHARDS]);
    }

    @Override
    public scala.collection.Iterator<Serializable> compute(Partition split, TaskContext task) {
      try {
        PlainShuffle plain = (PlainShuffle) exchange.shuffleWriterProcessor();
        List<byte[]> read = plain.read(exchange, split.index(), task);
        return ScalaCompat.asScala(List.<Serializable>of(new ArrayList<>(read)).iterator());
      } catch (Exception e) {
        throw SparkFailures.undeclared(e);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private void assertRead(long seed, ShuffleDependency<Integer, byte[], byte[]> exchange) {
    Reading reading = new Reading(context, exchange);
    List<Serializable> byShard = new JavaRDD<>(reading, reading.elementClassTag()).collect();
    assertThat(byShard).hasSize(SHARDS);
    for (int reader = 0; reader < SHARDS; reader++) {
      List<byte[]> expected = new ArrayList<>();
      for (int writer = 0; writer < SHARDS; writer++) {
        expected.addAll(records(seed, writer, reader));
      }
      assertThat((List<byte[]>) byShard.get(reader))
          .as("shard %d, seed %d", reader, seed)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
  }

  /** Data files of an exchange. */
  private List<File> files(ShuffleDependency<?, ?, ?> exchange) {
    var resolver =
        (IndexShuffleBlockResolver) context.sc().env().shuffleManager().shuffleBlockResolver();
    var tracker = (MapOutputTrackerMaster) context.sc().env().mapOutputTracker();
    List<File> files = new ArrayList<>();
    for (var status : tracker.shuffleStatuses().apply(exchange.shuffleId()).mapStatuses()) {
      files.add(resolver.getDataFile(exchange.shuffleId(), status.mapId()));
    }
    return files;
  }

  /** Blocks of an exchange that are not empty. */
  private long blocks(ShuffleDependency<?, ?, ?> exchange) {
    var tracker = (MapOutputTrackerMaster) context.sc().env().mapOutputTracker();
    long blocks = 0;
    for (var status : tracker.shuffleStatuses().apply(exchange.shuffleId()).mapStatuses()) {
      for (int p = 0; p < exchange.partitioner().numPartitions(); p++) {
        blocks += status.getSizeForBlock(p) > 0 ? 1 : 0;
      }
    }
    return blocks;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 16})
  void whatIsWrittenInLanesIsRead(int most) throws Exception {
    for (long seed = 0; seed < 3; seed++) {
      var exchange = written(seed, new Lanes(most, 20_000));
      // Each tells itself something, and one other much.
      assertThat(blocks(exchange)).isBetween((long) SHARDS * (1 + Math.min(most, 4)), SHARDS * 17L);
      if (most == 1) {
        assertThat(blocks(exchange)).isEqualTo(SHARDS * 2L);
      }
      assertRead(seed, exchange);
    }
  }

  @Test
  void whatIsNotWorthLanesHasOneBlock() throws Exception {
    var exchange = written(1, Lanes.of(4, 0));
    assertThat(blocks(exchange)).isEqualTo(SHARDS * 2L);
    assertRead(1, exchange);
  }

  @Test
  void anEmptyExchangeHasNoFiles() throws Exception {
    JavaRDD<Integer> nobody = context.parallelize(List.of(), SHARDS);
    var exchange =
        new ShuffleDependency<Integer, byte[], byte[]>(
            products(nobody.mapToPair(x -> new Tuple2<>(x, new byte[0]))),
            new PartitionNumbers(SHARDS * 4),
            new ShardSerializer(),
            Option.empty(),
            Option.empty(),
            false,
            new PlainShuffle(new Lanes(4, 1)),
            ClassTag$.MODULE$.apply(Integer.class),
            ClassTag$.MODULE$.apply(byte[].class),
            ClassTag$.MODULE$.apply(byte[].class));
    Await.result(context.sc().submitMapStage(exchange), Duration.Inf());
    assertThat(files(exchange)).hasSize(SHARDS).noneMatch(File::exists);
    assertThat(blocks(exchange)).isZero();
  }

  /** A bit in one of the lanes is another; then a whole file is gone. */
  @ParameterizedTest
  @ValueSource(doubles = {0.1, 0.4, 0.6, 0.9, Double.NaN})
  void aLaneThatIsLostIsWrittenAgain(double where) throws Exception {
    var exchange = written(5, new Lanes(4, 20_000));
    File file = files(exchange).get(1);
    if (Double.isNaN(where)) {
      assertThat(file.delete()).isTrue();
    } else {
      flip(file, where);
    }
    int before = WRITTEN.get();
    assertRead(5, exchange);
    assertThat(WRITTEN.get()).isGreaterThan(before);
    // All is there again.
    int after = WRITTEN.get();
    assertRead(5, exchange);
    assertThat(WRITTEN.get()).isEqualTo(after);
  }

  private static void flip(File file, double where) throws IOException {
    byte[] bytes = Files.readAllBytes(file.toPath());
    bytes[(int) (bytes.length * where)] ^= 4;
    Files.write(file.toPath(), bytes);
  }
}
