package org.sparkgpugraph.runtime.stage;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.spark.Partition;
import org.apache.spark.ShuffleDependency;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.executor.ShuffleWriteMetrics;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.MapStatus;
import org.apache.spark.scheduler.MapStatus$;
import org.apache.spark.serializer.JavaSerializer;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerManager;
import org.apache.spark.shuffle.BaseShuffleHandle;
import org.apache.spark.shuffle.BlockStoreShuffleReader;
import org.apache.spark.shuffle.FetchFailedException;
import org.apache.spark.shuffle.IndexShuffleBlockResolver;
import org.apache.spark.shuffle.ShuffleManager;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.apache.spark.shuffle.api.ShuffleMapOutputWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleMapOutputWriter;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import scala.Option;
import scala.Product2;
import scala.Tuple2;
import scala.Tuple3;
import scala.collection.Iterator;
import scala.collection.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Passes the records of an exchange through Spark's own shuffle as they are. They are packed
 * already: LZ4 takes hardly a byte off and some 2 ms per MB, on one core, where they are written
 * and as much where they are read. Files, index and places are those that Spark's writer of few
 * partitions makes, in one pass, so that whatever serves and cleans Spark's shuffles does so here:
 * other executors, the external shuffle service, decommissioning. Spark's checksums are left out,
 * since every record has its own.
 *
 * <p>Spark asks this for nothing but the map output; readers of such an exchange {@linkplain #read
 * read} it here, too. Where Spark is told to do something else with shuffles ({@link #fits}) they
 * go its usual way.
 */
final class PlainShuffle extends ShuffleWriteProcessor {
  private static final long serialVersionUID = 1L;

  /** {@code MapStatus.apply}, which has one more number from Spark 4.1 on. */
  private static final Method STATUS =
      Arrays.stream(MapStatus$.class.getMethods())
          .filter(method -> method.getName().equals("apply"))
          .findFirst()
          .orElseThrow();

  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.Any();

  private static SerializerManager uncompressed;

  /** Whether records of an exchange between shards may pass as they are. */
  static boolean fits(SparkConf conf, int shards) {
    String manager = conf.get("spark.shuffle.manager", "sort");
    return (List.of("sort", "tungsten-sort").contains(manager.toLowerCase(Locale.ROOT))
            || manager.equals(SortShuffleManager.class.getName()))
        && conf.get("spark.shuffle.sort.io.plugin.class", LocalDiskShuffleDataIO.class.getName())
            .equals(LocalDiskShuffleDataIO.class.getName())
        && !conf.getBoolean("spark.io.encryption.enabled", false)
        && !conf.getBoolean("spark.shuffle.push.enabled", false)
        // Otherwise Spark's writer, which is made but never used, takes memory.
        && shards <= conf.getInt("spark.shuffle.sort.bypassMergeThreshold", 200);
  }

  // ---- writing --------------------------------------------------------------------------------

  /** As Spark 3.5 asks for it. */
  @SuppressWarnings({"rawtypes", "unchecked"})
  public MapStatus write(
      RDD rdd, ShuffleDependency dependency, long mapId, TaskContext context, Partition partition) {
    return write(rdd.iterator(partition, context), dependency, mapId, partition.index(), context);
  }

  /** As Spark 4 asks for it. */
  @SuppressWarnings({"rawtypes", "unchecked"})
  public MapStatus write(
      Iterator records,
      ShuffleDependency dependency,
      long mapId,
      int mapIndex,
      TaskContext context) {
    List<List<Product2<Integer, byte[]>>> byReader = new ArrayList<>();
    for (int p = 0; p < dependency.partitioner().numPartitions(); p++) {
      byReader.add(new ArrayList<>());
    }
    ShuffleWriteMetrics metrics = context.taskMetrics().shuffleWriteMetrics();
    while (records.hasNext()) {
      Product2<Integer, byte[]> record = (Product2<Integer, byte[]>) records.next();
      byReader.get(record._1()).add(record);
      metrics.incRecordsWritten(1);
    }

    long start = System.nanoTime();
    SparkEnv env = SparkEnv.get();
    ShuffleManager manager = env.shuffleManager();
    // It is not written to: the manager has to know of the output to remove its files.
    manager.getWriter(dependency.shuffleHandle(), mapId, context, metrics);
    ShuffleMapOutputWriter output =
        new LocalDiskShuffleMapOutputWriter(
            dependency.shuffleId(),
            mapId,
            byReader.size(),
            (IndexShuffleBlockResolver) manager.shuffleBlockResolver(),
            env.conf());
    try {
      // In their order, one after the other: that is how they lie in the file.
      for (int p = 0; p < byReader.size(); p++) {
        write(byReader.get(p), dependency, output.getPartitionWriter(p).openStream());
      }
      long[] lengths = output.commitAllPartitions(new long[0]).getPartitionLengths();
      metrics.incBytesWritten(Arrays.stream(lengths).sum());
      metrics.incWriteTime(System.nanoTime() - start);
      return status(env.blockManager(), lengths, mapId);
    } catch (IOException e) {
      abort(output, e);
      throw new UncheckedIOException(
          "an exchange between executors cannot be written: " + e.getMessage(), e);
    } catch (RuntimeException | Error e) {
      abort(output, e);
      throw e;
    }
  }

  /** Takes back what was written before something was thrown. */
  private static void abort(ShuffleMapOutputWriter output, Throwable thrown) {
    try {
      output.abort(thrown);
    } catch (IOException e) {
      thrown.addSuppressed(e);
    }
  }

  private static void write(
      List<Product2<Integer, byte[]>> records,
      ShuffleDependency<?, ?, ?> dependency,
      OutputStream to) {
    try (SerializationStream out = dependency.serializer().newInstance().serializeStream(to)) {
      for (Product2<Integer, byte[]> record : records) {
        out.writeKey(record._1(), ANY);
        out.writeValue(record._2(), ANY);
      }
    }
  }

  private static MapStatus status(BlockManager blocks, long[] lengths, long mapId) {
    Object[] arguments = new Object[STATUS.getParameterCount()];
    Arrays.fill(arguments, 0L);
    arguments[0] = blocks.shuffleServerId();
    arguments[1] = lengths;
    arguments[2] = mapId;
    try {
      return (MapStatus) STATUS.invoke(MapStatus$.MODULE$, arguments);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("this Spark's MapStatus is another one: " + STATUS, e);
    }
  }

  // ---- reading --------------------------------------------------------------------------------

  /**
   * Reads what was written for a shard. What is damaged counts as lost, as what is compressed does:
   * Spark has it written again.
   */
  static List<byte[]> read(
      ShuffleDependency<Integer, byte[], byte[]> exchange,
      int shard,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    try {
      return read(exchange, 0, Integer.MAX_VALUE, shard, context, metrics);
    } catch (IOException damaged) {
      return readOneByOne(exchange, shard, context, metrics);
    }
  }

  /** Once more, to see whose output is damaged; it may have been damaged on the way alone. */
  private static List<byte[]> readOneByOne(
      ShuffleDependency<Integer, byte[], byte[]> exchange,
      int shard,
      TaskContext context,
      ShuffleReadMetricsReporter metrics) {
    List<byte[]> all = new ArrayList<>();
    // As many shards write as read.
    for (int writer = 0; writer < exchange.partitioner().numPartitions(); writer++) {
      try {
        all.addAll(read(exchange, writer, writer + 1, shard, context, metrics));
      } catch (IOException damaged) {
        var output = outputs(exchange, writer, writer + 1, shard).next();
        ShuffleBlockId block = (ShuffleBlockId) output._2().head()._1();
        throw SparkFailures.undeclared(
            new FetchFailedException(
                output._1(),
                exchange.shuffleId(),
                block.mapId(),
                writer,
                shard,
                block + " of " + output._1() + " is damaged",
                damaged));
      }
    }
    return all;
  }

  /**
   * The records of some writers.
   *
   * @throws IOException when one is damaged, which Scala's methods do not declare
   */
  private static List<byte[]> read(
      ShuffleDependency<Integer, byte[], byte[]> exchange,
      int first,
      int end,
      int shard,
      TaskContext context,
      ShuffleReadMetricsReporter metrics)
      throws IOException {
    SparkEnv env = SparkEnv.get();
    Iterator<Product2<Integer, byte[]>> records =
        new BlockStoreShuffleReader<>(
                handle(exchange),
                outputs(exchange, first, end, shard),
                context,
                metrics,
                uncompressed(env.conf()),
                env.blockManager(),
                env.mapOutputTracker(),
                false)
            .read();
    return StepRdd.all(records);
  }

  /** Where the outputs of some writers for a shard are. */
  private static Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> outputs(
      ShuffleDependency<Integer, byte[], byte[]> exchange, int first, int end, int shard) {
    return SparkEnv.get()
        .mapOutputTracker()
        .getMapSizesByExecutorId(exchange.shuffleId(), first, end, shard, shard + 1);
  }

  @SuppressWarnings("unchecked") // Spark's own shuffle manager has no others
  private static BaseShuffleHandle<Integer, byte[], byte[]> handle(
      ShuffleDependency<Integer, byte[], byte[]> exchange) {
    return (BaseShuffleHandle<Integer, byte[], byte[]>) exchange.shuffleHandle();
  }

  /** What takes streams as they are. */
  private static synchronized SerializerManager uncompressed(SparkConf conf) {
    if (uncompressed == null) {
      SparkConf plain = conf.clone().set("spark.shuffle.compress", "false");
      uncompressed = new SerializerManager(new JavaSerializer(plain), plain, Option.empty());
    }
    return uncompressed;
  }
}
