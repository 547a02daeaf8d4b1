package io.sparkgpugraph.spark;

import io.sparkgpugraph.RunOptions;
import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.graph.EdgePredicate;
import io.sparkgpugraph.graph.VertexBlock;
import io.sparkgpugraph.program.ValueType;
import java.io.Serializable;
import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongPredicate;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * A graph that an executor holds, seen from the driver: how to load it, load more of it, and free
 * it. Thread-safe. Internal; users see {@link io.sparkgpugraph.ResidentGraph}.
 */
public final class ResidentState implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ResidentState.class);
  private static final Cleaner CLEANER = Cleaner.create();

  private final GraphSource source;
  private final int partitions;
  private final AtomicBoolean closed = new AtomicBoolean();
  private GraphHandle handle;
  private double loadSeconds;

  private ResidentState(GraphSource source, int partitions) {
    this.source = source;
    this.partitions = partitions;
  }

  /**
   * Loads a graph into an executor.
   *
   * @param attributes whether vertex attributes are needed now
   * @param edgeValues whether edge values are needed now
   */
  public static ResidentState load(
      GraphSource source, RunOptions options, boolean attributes, boolean edgeValues) {
    SparkContext sc = source.sc();
    RunConf conf = RunConf.of(sc, options);
    EngineCheck.check(sc, conf);
    int partitions = conf.partitions();
    ResidentState state = new ResidentState(source, partitions);
    state.handle = state.submit(newKey(sc, "graph"), attributes, edgeValues);
    return state.watched();
  }

  /** Frees the executor's memory even if nobody closes this. */
  private ResidentState watched() {
    String key = handle.key();
    String location = handle.location();
    SparkContext sc = source.sc();
    AtomicBoolean flag = closed;
    CLEANER.register(
        this,
        () -> {
          if (flag.compareAndSet(false, true)) {
            LOG.warn("{} was never closed; freeing it now", key);
            forget(sc, key, location);
          }
        });
    return this;
  }

  /** Runs a job that holds a graph once more under a new key; when it fails nothing is held. */
  private <T> T derive(String newKey, GraphHandle from, Callable<T> job) {
    try {
      return OwnerJob.run(source.sc(), from.key(), from.location(), job);
    } catch (Exception | Error e) {
      forget(source.sc(), newKey, from.location());
      throw e;
    }
  }

  private ResidentState derived(GraphSource newSource, GraphHandle newHandle) {
    ResidentState state = new ResidentState(newSource, partitions);
    state.handle = newHandle;
    return state.watched();
  }

  /**
   * The same structure with other vertex attributes.
   *
   * @param values ids and values; every id must be a vertex
   * @param missing attribute of the vertices that {@code values} does not name
   */
  public ResidentState withAttributes(JavaRDD<VertexBlock> values, Class<?> type, Object missing) {
    GraphHandle now = handle();
    SparkContext sc = source.sc();
    String newKey = newKey(sc, "graph");
    ValueType valueType = ValueType.of(type);
    String key = now.key();
    // Narrow and pinned: the values come to the executor that holds the graph.
    derive(
        newKey,
        now,
        () ->
            PinnedInput.of(values.coalesce(1), now.location())
                .mapPartitions(
                    blocks -> {
                      List<VertexBlock> all = new ArrayList<>();
                      blocks.forEachRemaining(all::add);
                      Loading.replaceAttributes(key, newKey, valueType, missing, all);
                      return List.<Integer>of().iterator();
                    })
                .count());
    return derived(source.withVertexClass(type), now.withAttributes(newKey));
  }

  /** The same structure with a result of it as vertex attributes. */
  public ResidentState withAttributes(HeldBlocks result, Class<?> type) {
    GraphHandle now = handle();
    String newKey = newKey(source.sc(), "graph");
    String key = now.key();
    String resultKey = result.key();
    derive(
        newKey,
        now,
        () -> {
          PinnedRdd.of(source.sc(), 1, now.location())
              .foreach(part -> Loading.adoptResult(key, newKey, resultKey));
          return null;
        });
    return derived(source.withVertexClass(type), now.withAttributes(newKey));
  }

  /**
   * A smaller graph. What can be loaded of this one is loaded first: the source's blocks do not fit
   * the smaller graph any more.
   */
  public ResidentState masked(VertexPredicate vertices, EdgePredicate edges) {
    GraphHandle now =
        ensure(
            source.vertices() != null && !source.vertexType().columns().isEmpty(),
            !source.edgeType().columns().isEmpty());
    String newKey = newKey(source.sc(), "graph");
    byte[] made =
        derive(
            newKey,
            now,
            () ->
                PinnedRdd.of(source.sc(), 1, now.location())
                    .map(part -> TaskResult.pack(Loading.mask(now, newKey, vertices, edges)))
                    .first());
    return derived(source.withoutGraph(), TaskResult.unpack(made, GraphHandle.class));
  }

  /** A serializable predicate over original vertex ids. */
  public interface VertexPredicate extends LongPredicate, Serializable {}

  public GraphSource source() {
    return source;
  }

  /** What is loaded now. */
  public synchronized GraphHandle handle() {
    if (closed.get()) {
      throw new IllegalStateException("the resident graph " + handle.key() + " is closed");
    }
    return handle;
  }

  /** Seconds that loading took, all parts. */
  public synchronized double loadSeconds() {
    return loadSeconds;
  }

  /** Loads what a program needs and is not there yet. */
  synchronized GraphHandle ensure(boolean attributes, boolean edgeValues) {
    GraphHandle now = handle();
    boolean moreAttributes = attributes && !now.hasAttributes();
    boolean moreValues = edgeValues && !now.hasEdgeValues();
    if (moreAttributes || moreValues) {
      handle =
          submit(now.key(), attributes || now.hasAttributes(), edgeValues || now.hasEdgeValues());
    }
    return handle;
  }

  /** Whether there is a vertex with this id. */
  public boolean containsVertex(long id) {
    String key = handle().key();
    String location = handle().location();
    return OwnerJob.run(
        source.sc(),
        key,
        location,
        () ->
            PinnedRdd.of(source.sc(), 1, location)
                .map(part -> Loading.contains(ExecutorRegistry.graph(key).graph(), id))
                .first());
  }

  private GraphHandle submit(String key, boolean attributes, boolean edgeValues) {
    long start = System.nanoTime();
    SparkContext sc = source.sc();
    LoadTask task =
        new LoadTask(
            key,
            source.vertexType(),
            source.edgeType(),
            partitions,
            RunConf.of(sc, RunOptions.DEFAULT).threads(),
            source.vertices() != null,
            attributes,
            edgeValues);
    GraphHandle loaded;
    try {
      loaded = sc.isLocal() ? handOver(sc, task) : shuffle(task);
    } catch (Exception | Error e) {
      // Spark's own exceptions are checked, though its methods do not declare them.
      if (handle == null) {
        forget(sc, key, null);
      }
      throw SparkFailures.unwrap(e);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    loadSeconds += seconds;
    LOG.info(
        "loaded {}: {} vertices, {} edges, {} MB in {} s",
        key,
        loaded.vertices(),
        loaded.edges(),
        loaded.bytes() >> 20,
        String.format("%.2f", seconds));
    return loaded;
  }

  /** One JVM: tasks hand array references over, then one task builds. */
  private GraphHandle handOver(SparkContext sc, LoadTask task) {
    closeWithContext(sc);
    String key = newKey(sc, "blocks");
    try {
      return handOver(sc, task, key);
    } finally {
      ExecutorRegistry.remove(key);
    }
  }

  /**
   * @param key under which the blocks wait for the second job
   */
  private GraphHandle handOver(SparkContext sc, LoadTask task, String key) {
    JavaRDD<Integer> staged =
        source
            .edges()
            .mapPartitionsWithIndex(
                (index, blocks) -> {
                  List<EdgeBlock> list = new ArrayList<>();
                  blocks.forEachRemaining(list::add);
                  ExecutorRegistry.staging(key).edges(index, list);
                  return List.<Integer>of().iterator();
                },
                true);
    if (task.vertices()) {
      staged =
          staged.union(
              source
                  .vertices()
                  .mapPartitionsWithIndex(
                      (index, blocks) -> {
                        List<VertexBlock> list = new ArrayList<>();
                        blocks.forEachRemaining(list::add);
                        ExecutorRegistry.staging(key).vertices(index, list);
                        return List.<Integer>of().iterator();
                      },
                      true));
    }
    staged.count();
    byte[] handle =
        PinnedRdd.of(sc, 1, null)
            .map(part -> TaskResult.pack(Loading.build(task, ExecutorRegistry.staging(key), null)))
            .first();
    return TaskResult.unpack(handle, GraphHandle.class);
  }

  /** Several JVMs: blocks travel to one task through a shuffle. */
  private GraphHandle shuffle(LoadTask task) {
    String key = task.key();
    if (source.sc().getConf().getBoolean("spark.dynamicAllocation.enabled", false)) {
      LOG.warn(
          "dynamic allocation may remove the executor that holds {} while it is idle: set"
              + " spark.dynamicAllocation.executorIdleTimeout longer than the pauses between runs",
          key);
    }
    JavaRDD<LoadTask.Parcel> parcels =
        source
            .edges()
            .mapPartitionsWithIndex(
                (index, blocks) -> {
                  List<LoadTask.Parcel> list = new ArrayList<>();
                  while (blocks.hasNext()) {
                    list.add(new LoadTask.Parcel(index, list.size(), blocks.next(), null));
                  }
                  return list.iterator();
                },
                true);
    if (task.vertices()) {
      parcels =
          parcels.union(
              source
                  .vertices()
                  .mapPartitionsWithIndex(
                      (index, blocks) -> {
                        List<LoadTask.Parcel> list = new ArrayList<>();
                        while (blocks.hasNext()) {
                          list.add(new LoadTask.Parcel(index, list.size(), null, blocks.next()));
                        }
                        return list.iterator();
                      },
                      true));
    }
    JavaRDD<LoadTask.Parcel> arrived =
        parcels
            .mapToPair(parcel -> new Tuple2<>(0, parcel))
            .partitionBy(new PartitionNumbers(1))
            .values();
    // What is loaded later joins what is there.
    String owner = handle == null ? null : handle.location();
    byte[] built =
        OwnerJob.run(
            source.sc(),
            key,
            owner,
            () ->
                PinnedInput.of(arrived, owner)
                    .mapPartitions(
                        all -> {
                          GraphHandle held =
                              Loading.build(task, Loading.stage(all), Loading.location());
                          return List.of(TaskResult.pack(held)).iterator();
                        })
                    .first());
    return TaskResult.unpack(built, GraphHandle.class);
  }

  static String newKey(SparkContext sc, String what) {
    return sc.applicationId() + "/" + what + "-" + UUID.randomUUID();
  }

  /** Frees a key in the executor that holds it. */
  static void forget(SparkContext sc, String key, String location) {
    if (location == null) {
      ExecutorRegistry.remove(key);
      return;
    }
    if (sc.isStopped()) {
      return;
    }
    try {
      OwnerJob.run(
          sc,
          key,
          location,
          () -> {
            PinnedRdd.of(sc, 1, location).foreach(part -> ExecutorRegistry.remove(key));
            return null;
          });
    } catch (GraphLostException e) {
      LOG.debug("{} is gone, nothing is to be freed there", location, e);
    } catch (Exception e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      LOG.warn("could not free {} on {}", key, location, e);
    }
  }

  private static void closeWithContext(SparkContext sc) {
    String application = sc.applicationId();
    if (ExecutorRegistry.firstUse(application)) {
      sc.addSparkListener(
          new SparkListener() {
            @Override
            public void onApplicationEnd(SparkListenerApplicationEnd end) {
              ExecutorRegistry.removeAll(application);
            }
          });
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      forget(source.sc(), handle.key(), handle.location());
    }
  }
}
