package org.sparkgpugraph.runtime.stage;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
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
import org.apache.spark.shuffle.ShuffleWriteProcessor;
import org.apache.spark.shuffle.api.ShuffleMapOutputWriter;
import org.apache.spark.shuffle.sort.SortShuffleManager;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO;
import org.apache.spark.shuffle.sort.io.LocalDiskShuffleMapOutputWriter;
import org.apache.spark.storage.BlockId;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.BlockManagerId;
import org.apache.spark.storage.ShuffleBlockId;
import org.sparkgpugraph.runtime.cluster.PinnedLanes;
import org.sparkgpugraph.runtime.cluster.ScalaCompat;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import org.sparkgpugraph.runtime.cluster.TaskThreads;
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

  private final Lanes lanes;

  /**
   * @param lanes into which what shards say is divided; a reader has as many partitions
   */
  PlainShuffle(Lanes lanes) {
    this.lanes = lanes;
  }

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
        && shards <= PinnedLanes.mostPartitions(conf);
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
    List<ShardWork.Message> messages = new ArrayList<>();
    while (records.hasNext()) {
      Product2<Integer, byte[]> record = (Product2<Integer, byte[]>) records.next();
      messages.add(new ShardWork.Message(record._1(), record._2()));
    }
    long[] lengths = write(messages, dependency, mapId, context);
    return status(SparkEnv.get().blockManager(), lengths, mapId);
  }

  /**
   * Writes other outputs of a task than the one that Spark asks for, which hold together what a
   * shard says: as many as the bytes are worth, side by side. Each has a file of its own, since the
   * kernel lets one thread at a time write to a file.
   *
   * @param ids of the outputs
   * @param shard that says it
   */
  List<ShardOutput> write(
      List<ShardWork.Message> messages,
      ShuffleDependency<Integer, byte[], byte[]> dependency,
      OutputIds ids,
      int shard,
      TaskContext context)
      throws Exception {
    List<List<ShardWork.Message>> blocks = blocks(messages, dependency);
    int files = lanes.files(messages.stream().mapToLong(message -> message.record().length).sum());
    List<Callable<ShardOutput>> parts = new ArrayList<>();
    for (int file = 0; file < files; file++) {
      List<List<ShardWork.Message>> part = lanes.ofFile(blocks, file, files);
      if (part.stream().allMatch(List::isEmpty)) {
        continue;
      }
      long mapId = ids.next();
      Optional<Long> spare = ids.spare();
      parts.add(
          () ->
              new ShardOutput(
                  SparkEnv.get().blockManager().shuffleServerId(),
                  mapId,
                  shard,
                  writtenAside(part, dependency, mapId, spare, context)));
    }
    long start = System.nanoTime();
    List<ShardOutput> outputs = parts.isEmpty() ? List.of() : TaskThreads.call(parts);
    count(outputs.stream().map(ShardOutput::lengths).toList(), messages.size(), start, context);
    return outputs;
  }

  /** Into which blocks what shards say is divided. */
  Lanes lanes() {
    return lanes;
  }

  /** Ids of the outputs that a task writes side by side; asked for by the task's own thread. */
  interface OutputIds {
    /** One that no other output of the shuffle has; called at most 64 times. */
    long next();

    /** One of an output that nobody reads any more, whose files may be taken. */
    Optional<Long> spare();
  }

  private long[] write(
      List<ShardWork.Message> messages,
      ShuffleDependency<Integer, byte[], byte[]> dependency,
      long mapId,
      TaskContext context) {
    long start = System.nanoTime();
    long[] lengths = written(blocks(messages, dependency), dependency, mapId, context);
    count(List.of(lengths), messages.size(), start, context);
    return lengths;
  }

  /** What a shard says, by number of the block. */
  private List<List<ShardWork.Message>> blocks(
      List<ShardWork.Message> messages, ShuffleDependency<?, ?, ?> dependency) {
    List<List<ShardWork.Message>> byReader = new ArrayList<>();
    for (int p = 0; p < dependency.partitioner().numPartitions() / lanes.most(); p++) {
      byReader.add(new ArrayList<>());
    }
    for (ShardWork.Message message : messages) {
      byReader.get(message.reader()).add(message);
    }
    return byLane(byReader);
  }

  /**
   * Tells Spark of what a task says without writing it, as if it were written: so its metrics are
   * what crosses between shards.
   */
  static void countInline(int records, long bytes, TaskContext context) {
    ShuffleWriteMetrics metrics = context.taskMetrics().shuffleWriteMetrics();
    metrics.incRecordsWritten(records);
    metrics.incBytesWritten(bytes);
  }

  /** Tells Spark what was written; by the task's own thread alone. */
  private static void count(List<long[]> lengths, int records, long start, TaskContext context) {
    ShuffleWriteMetrics metrics = context.taskMetrics().shuffleWriteMetrics();
    metrics.incRecordsWritten(records);
    metrics.incBytesWritten(lengths.stream().flatMapToLong(Arrays::stream).sum());
    metrics.incWriteTime(System.nanoTime() - start);
  }

  /** Has the shuffle manager know of an output, so that it removes its files in the end. */
  private static ShuffleManager told(
      ShuffleDependency<Integer, byte[], byte[]> dependency, long mapId, TaskContext context) {
    ShuffleManager manager = SparkEnv.get().shuffleManager();
    // It is not written to.
    manager.getWriter(
        dependency.shuffleHandle(), mapId, context, context.taskMetrics().shuffleWriteMetrics());
    return manager;
  }

  /**
   * Writes an output that Spark does not know.
   *
   * @param spare whose files are taken for it
   * @return bytes of each block
   */
  private static long[] writtenAside(
      List<List<ShardWork.Message>> blocks,
      ShuffleDependency<Integer, byte[], byte[]> dependency,
      long mapId,
      Optional<Long> spare,
      TaskContext context) {
    told(dependency, mapId, context);
    OutputFiles files = new OutputFiles(dependency.shuffleId(), mapId);
    spare.ifPresent(id -> files.takeOver(new OutputFiles(dependency.shuffleId(), id)));
    try {
      return files.write(blocks, (records, to) -> write(records, dependency, to));
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private static IllegalStateException unwritable(Exception e) {
    return new IllegalStateException(
        "an exchange between executors cannot be written: " + e.getMessage(), e);
  }

  /**
   * Writes the output that Spark asks for.
   *
   * @return bytes of each block
   */
  private static long[] written(
      List<List<ShardWork.Message>> blocks,
      ShuffleDependency<Integer, byte[], byte[]> dependency,
      long mapId,
      TaskContext context) {
    ShuffleManager manager = told(dependency, mapId, context);
    ShuffleMapOutputWriter output =
        new LocalDiskShuffleMapOutputWriter(
            dependency.shuffleId(),
            mapId,
            blocks.size(),
            (IndexShuffleBlockResolver) manager.shuffleBlockResolver(),
            SparkEnv.get().conf());
    try {
      // In their order, one after the other: that is how they lie in the file.
      for (int p = 0; p < blocks.size(); p++) {
        if (!blocks.get(p).isEmpty()) {
          write(blocks.get(p), dependency, output.getPartitionWriter(p).openStream());
        }
      }
      return output.commitAllPartitions(new long[0]).getPartitionLengths();
    } catch (RuntimeException | Error e) {
      abort(output, e);
      throw e;
    } catch (Exception e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      abort(output, e);
      throw unwritable(e);
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
      List<ShardWork.Message> records, ShuffleDependency<?, ?, ?> dependency, OutputStream to) {
    try (SerializationStream out = dependency.serializer().newInstance().serializeStream(to)) {
      for (ShardWork.Message message : records) {
        out.writeKey(message.reader(), ANY);
        out.writeValue(message.record(), ANY);
      }
    }
  }

  private List<List<ShardWork.Message>> byLane(List<List<ShardWork.Message>> byReader) {
    List<List<ShardWork.Message>> blocks = new ArrayList<>();
    for (List<ShardWork.Message> records : byReader) {
      int first = blocks.size();
      for (int lane = 0; lane < lanes.most(); lane++) {
        blocks.add(new ArrayList<>());
      }
      int[] of = lanes.of(records);
      for (int i = 0; i < of.length; i++) {
        blocks.get(first + of[i]).add(records.get(i));
      }
    }
    return blocks;
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
   * Reads what was written for a shard, by several threads where it is worth it. What is damaged
   * counts as lost, as what is compressed does: Spark has it written again.
   */
  List<byte[]> read(
      ShuffleDependency<Integer, byte[], byte[]> exchange, int shard, TaskContext context)
      throws Exception {
    return read(exchange, blocks(exchange, shard), shard, context);
  }

  /** The same of outputs that Spark does not know. */
  List<byte[]> read(
      ShuffleDependency<Integer, byte[], byte[]> exchange,
      StandingOrder order,
      int shard,
      TaskContext context)
      throws Exception {
    List<Located> blocks = new ArrayList<>();
    int first = lanes.firstBlock(shard);
    for (ShardOutput output : order.outputs()) {
      for (int lane = 0; lane < lanes.most(); lane++) {
        long bytes = output.lengths()[lane];
        if (bytes > 0) {
          blocks.add(
              new Located(
                  output.owner(),
                  new Tuple3<>(
                      new ShuffleBlockId(exchange.shuffleId(), output.mapId(), first + lane),
                      bytes,
                      output.shard())));
        }
      }
    }
    return read(exchange, blocks, shard, context);
  }

  private List<byte[]> read(
      ShuffleDependency<Integer, byte[], byte[]> exchange,
      List<Located> blocks,
      int shard,
      TaskContext context)
      throws Exception {
    long total = blocks.stream().mapToLong(Located::bytes).sum();
    int readers = lanes.readers(blocks.size(), total);
    List<Callable<List<byte[]>>> parts = new ArrayList<>();
    for (int reader = 0; reader < readers; reader++) {
      List<Located> part = new ArrayList<>();
      for (int i = reader; i < blocks.size(); i += readers) {
        part.add(blocks.get(i));
      }
      parts.add(() -> read(exchange, part, context));
    }
    try {
      return TaskThreads.call(parts).stream().flatMap(List::stream).toList();
    } catch (IOException damaged) {
      List<byte[]> read = readOneByOne(exchange, blocks, shard, context);
      // Another reader may have failed to fetch what has come now.
      context.setFetchFailed(null);
      return read;
    }
  }

  /** Once more, to see what is damaged; it may have been damaged on the way alone. */
  private static List<byte[]> readOneByOne(
      ShuffleDependency<Integer, byte[], byte[]> exchange,
      List<Located> blocks,
      int shard,
      TaskContext context) {
    List<byte[]> all = new ArrayList<>();
    for (Located one : blocks) {
      try {
        all.addAll(read(exchange, List.of(one), context));
      } catch (IOException damaged) {
        ShuffleBlockId block = (ShuffleBlockId) one.block()._1();
        throw SparkFailures.undeclared(
            new FetchFailedException(
                one.owner(),
                exchange.shuffleId(),
                block.mapId(),
                (Integer) one.block()._3(),
                shard,
                block + " of " + one.owner() + " is damaged",
                damaged));
      }
    }
    return all;
  }

  /**
   * The records of some blocks.
   *
   * @throws IOException when one is damaged, which Scala's methods do not declare
   */
  private static List<byte[]> read(
      ShuffleDependency<Integer, byte[], byte[]> exchange,
      List<Located> blocks,
      TaskContext context)
      throws IOException {
    SparkEnv env = SparkEnv.get();
    Map<BlockManagerId, List<Tuple3<BlockId, Object, Object>>> byOwner = new LinkedHashMap<>();
    for (Located one : blocks) {
      byOwner.computeIfAbsent(one.owner(), owner -> new ArrayList<>()).add(one.block());
    }
    Iterator<Product2<Integer, byte[]>> records =
        new BlockStoreShuffleReader<>(
                handle(exchange),
                ScalaCompat.asScala(
                    byOwner.entrySet().stream().map(PlainShuffle::owned).iterator()),
                context,
                context.taskMetrics().createTempShuffleReadMetrics(),
                uncompressed(env.conf()),
                env.blockManager(),
                env.mapOutputTracker(),
                false)
            .read();
    return StepRdd.all(records);
  }

  private static Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>> owned(
      Map.Entry<BlockManagerId, List<Tuple3<BlockId, Object, Object>>> owned) {
    return new Tuple2<>(owned.getKey(), ScalaCompat.asScala(owned.getValue().iterator()).toList());
  }

  /**
   * A block that is not empty.
   *
   * @param block its id, about how many bytes it has, and the index of the map task
   */
  private record Located(BlockManagerId owner, Tuple3<BlockId, Object, Object> block) {
    long bytes() {
      return (Long) block._2();
    }
  }

  /** Where what was written for a shard is. */
  private List<Located> blocks(ShuffleDependency<Integer, byte[], byte[]> exchange, int shard) {
    int first = lanes.firstBlock(shard);
    Iterator<Tuple2<BlockManagerId, Seq<Tuple3<BlockId, Object, Object>>>> owners =
        SparkEnv.get()
            .mapOutputTracker()
            .getMapSizesByExecutorId(
                exchange.shuffleId(), 0, Integer.MAX_VALUE, first, first + lanes.most());
    List<Located> blocks = new ArrayList<>();
    while (owners.hasNext()) {
      var owned = owners.next();
      for (var block : ScalaCompat.asJava(owned._2())) {
        blocks.add(new Located(owned._1(), block));
      }
    }
    return blocks;
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
