package org.sparkgpugraph.runtime.load;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.CollectionAccumulator;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.shard.EdgeParcel;
import org.sparkgpugraph.graphs.shard.EdgeRouter;
import org.sparkgpugraph.graphs.shard.EdgeSample;
import org.sparkgpugraph.graphs.shard.GhostReply;
import org.sparkgpugraph.graphs.shard.GhostRequest;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.runtime.cluster.GpuProfile;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.PinnedInput;
import org.sparkgpugraph.runtime.cluster.PinnedLanes;
import org.sparkgpugraph.runtime.cluster.PinnedRdd;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeapReservation;
import org.sparkgpugraph.runtime.held.HeldGraph;
import org.sparkgpugraph.runtime.held.HostCopies;
import org.sparkgpugraph.runtime.held.LoadMarks;
import org.sparkgpugraph.runtime.held.ShardPiece;
import org.sparkgpugraph.runtime.held.Staging;
import org.sparkgpugraph.runtime.observe.LoadProgress;
import org.sparkgpugraph.runtime.rapids.Rapids;
import org.sparkgpugraph.runtime.serial.PartitionNumbers;
import org.sparkgpugraph.runtime.serial.TaskResult;
import org.sparkgpugraph.runtime.serial.VertexCapacity;
import scala.Tuple2;

/**
 * Jobs on all shards of a graph, seen from the driver. Their tasks run where their shard is held;
 * between stages the shards speak with each other through Spark's shuffle, and nothing of the
 * graph's size comes to the driver.
 */
final class ShardJob {
  /** Edges are sampled by the same numbers in every run. */
  private static final long SEED = 0x5DEECE66DL;

  /** Samples of parts, 100 KB at most, that the driver merges itself: a level more is a stage. */
  private static final int MERGED_BY_DRIVER = 64;

  /** Most tasks that read what is sent to a shard on devices: a table of each is made there. */
  private static final int MOST_TABLE_TASKS = 32;

  private final SparkContext sc;
  private final String key;
  private final List<String> locations;

  /**
   * @param key of the graph
   * @param locations {@code executor_<host>_<id>} of the owner of each shard; null with a local
   *     master
   */
  ShardJob(SparkContext sc, String key, List<String> locations) {
    this.sc = sc;
    this.key = key;
    this.locations = locations;
  }

  /** Something that a task does with its shard. */
  interface Step<T> extends Serializable {
    /**
     * @param key of the shard
     */
    T of(int shard, String key);
  }

  /**
   * Samples the edges of a source and counts them: of those that stand for all, where there are
   * such, so that their number is an estimate.
   *
   * @param key of the graph that is made of it
   */
  static EdgeSample sample(GraphSource source, String key) {
    KnownEdges.Probes probes = KnownEdges.probes(source.edges());
    int levels = probes.blocks().getNumPartitions() > MERGED_BY_DRIVER ? 2 : 1;
    EdgeSample sample =
        JobDescription.of(
            source.sc(),
            "load: counting and sampling edges",
            () ->
                OwnerJob.anywhere(
                    source.sc(),
                    key,
                    () ->
                        probes
                            .blocks()
                            .mapPartitionsWithIndex(
                                (index, blocks) -> {
                                  LoadMarks.begun(key);
                                  try (HeapReservation copies = new HeapReservation(key, false)) {
                                    return List.of(
                                            EdgeSample.of(
                                                new HostCopies(blocks, copies), SEED + index))
                                        .iterator();
                                  }
                                },
                                true)
                            .treeAggregate(
                                EdgeSample.empty(), EdgeSample::merge, EdgeSample::merge, levels)));
    return sample.ofShare(probes.share());
  }

  /**
   * Loads a graph, or more of it, and connects its shards.
   *
   * @param building which shards are sent what the source has; the others are held already
   * @param progress counts the edges that are read
   */
  List<ShardPiece> load(
      GraphSource source, LoadTask task, List<Integer> building, LoadProgress progress) {
    int lanes = PinnedLanes.lanes(sc.getConf(), locations.size(), task.how().threads());
    JavaPairRDD<Integer, Object> parcels = edgeParcels(source, task, lanes, progress);
    if (task.source().hasVertices()) {
      parcels = parcels.union(vertexParcels(source, task, lanes));
    }
    if (building.size() < locations.size()) {
      ArrayList<Integer> shards = new ArrayList<>(building);
      parcels = parcels.filter(parcel -> shards.contains(parcel._1() / lanes));
    }
    JavaRDD<PinnedLanes.Reading<Object>> arrived =
        GpuProfile.ask(
            sc, PinnedLanes.of(shuffled(parcels, lanes), locations, lanes), task.how().engine());
    if (locations.size() == 1) {
      return pieces(
          arrived.mapPartitionsWithIndex(
              (shard, all) -> {
                HeldGraph held = ShardLoading.build(task, shard, all.next());
                return List.of(TaskResult.pack(ShardPiece.of(held))).iterator();
              },
              true));
    }
    return connect(
        arrived.mapPartitionsWithIndex(
            (shard, all) -> addressed(ShardLoading.build(task, shard, all.next())), true));
  }

  /**
   * How many tasks read what is sent to a shard on devices: one for each core of its executor.
   *
   * @param threads of an executor
   */
  static int tableTasks(SparkContext sc, int shards, int threads) {
    return Math.min(MOST_TABLE_TASKS, PinnedLanes.lanes(sc.getConf(), shards, threads));
  }

  /**
   * Loads a graph of edges that were sent to its shards on devices, and connects these. Several
   * tasks of an executor leave there what each has read, then one makes the shard.
   *
   * @param tables {@link ShardTables}
   * @throws MisroutedEdgesException when a shard was sent what belongs to others; some shards may
   *     be held then
   * @throws Staging.DeviceFullException when they have no room on a device; nothing is held then
   */
  List<ShardPiece> loadTables(JavaRDD<EdgeBlock> tables, LoadTask task) {
    int shards = locations.size();
    int parts = tables.getNumPartitions() / shards;
    String staged = RegistryKey.of(sc, "blocks");
    CollectionAccumulator<String> onHost = sc.collectionAccumulator("edges that left GPUs");
    List<ShardPiece> pieces;
    try {
      stage(tables, task, staged, parts);
      JavaRDD<Integer> pinned =
          GpuProfile.ask(sc, PinnedRdd.of(sc, locations), task.how().engine());
      pieces =
          connect(
              pinned.flatMap(
                  shard -> {
                    String here = GraphHandle.key(staged, shard, shards);
                    HeldGraph held =
                        ShardLoading.build(
                            task,
                            shard,
                            ExecutorRegistry.staging(here, task.key(shard), task.edgeValues()),
                            parts,
                            why -> onHost.add("shard " + shard + ": " + why));
                    // Whoever tries again finds the shard.
                    ExecutorRegistry.remove(here);
                    return addressed(held);
                  }));
    } finally {
      ResidentState.forget(sc, staged, locations);
    }
    Optional<String> first = onHost.value().stream().min(Comparator.naturalOrder());
    return first
        .map(why -> pieces.stream().map(piece -> piece.ofHost(why)).toList())
        .orElse(pieces);
  }

  /**
   * Has tables wait in the executors that are to hold their shards. Their tasks ask for no GPU of
   * their own: they are those of a query, of which an executor runs several at a time.
   *
   * @param staged key under which they wait, of each shard its own
   * @param parts partitions of each shard
   * @throws Staging.DeviceFullException when they take more of a device than graphs and runs may:
   *     so they leave others room, and their rows take at least as much beside them
   */
  private void stage(JavaRDD<EdgeBlock> tables, LoadTask task, String staged, int parts) {
    int shards = locations.size();
    List<String> places = new ArrayList<>();
    for (String location : locations) {
      places.addAll(Collections.nCopies(parts, location));
    }
    double fraction = task.how().device().poolFraction();
    JavaRDD<String> refused =
        PinnedInput.of(tables, places)
            .mapPartitionsWithIndex(
                (index, blocks) -> {
                  int shard = index / parts;
                  LoadMarks.begun(task.key());
                  Staging here =
                      ExecutorRegistry.staging(
                          GraphHandle.key(staged, shard, shards),
                          task.key(shard),
                          task.edgeValues());
                  try {
                    // The job may be submitted again, for tasks that were misplaced.
                    if (!here.has(index % parts)) {
                      here.edges(index % parts, blocks, mostOnDevice(fraction), read -> {});
                    }
                    return Collections.<String>emptyIterator();
                  } catch (Staging.DeviceFullException e) {
                    // No failure, which Spark would try again.
                    return List.of("shard " + shard + ": " + e.getMessage()).iterator();
                  }
                },
                true);
    Optional<String> first = run(refused::collect).stream().min(Comparator.naturalOrder());
    if (first.isPresent()) {
      throw new Staging.DeviceFullException(
          first.get() + " (" + GpuGraphConf.POOL_FRACTION.key() + ")");
    }
  }

  /** Bytes that graphs and runs may take of the pool of the library that made the tables. */
  private static long mostOnDevice(double fraction) {
    return fraction > 0
        ? Rapids.here().map(rapids -> rapids.pool(fraction).most()).orElse(Long.MAX_VALUE)
        : Long.MAX_VALUE;
  }

  private static JavaPairRDD<Integer, Object> edgeParcels(
      GraphSource source, LoadTask task, int lanes, LoadProgress progress) {
    ParcelLanes choice =
        new ParcelLanes(lanes, task.owners().shards(), source.edges().getNumPartitions());
    return JavaPairRDD.fromJavaRDD(
        source
            .edges()
            .mapPartitionsWithIndex(
                (index, blocks) ->
                    map(
                        routed(
                            task.key(),
                            reserved ->
                                new EdgeRouter(
                                    task.owners(),
                                    task.routesOutEdges(),
                                    task.edgeValues(),
                                    reserved),
                            index,
                            counted(blocks, progress.begun())),
                        parcel -> new Tuple2<>(choice.of(parcel), parcel)),
                false));
  }

  private static Iterator<EdgeBlock> counted(Iterator<EdgeBlock> blocks, LoadProgress progress) {
    return map(
        blocks,
        block -> {
          progress.edges(block.size());
          return block;
        });
  }

  /**
   * The edges of one partition of a source, in parcels for the shuffle; in a task.
   *
   * @param key of the graph
   * @param router makes them with memory that is reserved until the task ends
   */
  static Iterator<EdgeParcel> routed(
      String key,
      Function<HeapReservation, EdgeRouter> router,
      int index,
      Iterator<EdgeBlock> blocks) {
    LoadMarks.begun(key);
    HeapReservation reserved = HeapReservation.ofTask(key);
    return router.apply(reserved).route(index, new HostCopies(blocks, reserved));
  }

  private static JavaPairRDD<Integer, Object> vertexParcels(
      GraphSource source, LoadTask task, int lanes) {
    ParcelLanes choice =
        new ParcelLanes(lanes, task.owners().shards(), source.vertices().getNumPartitions());
    return JavaPairRDD.fromJavaRDD(
        source
            .vertices()
            .mapPartitionsWithIndex(
                (index, blocks) -> vertexParcels(task, index, blocks, choice), false));
  }

  private static Iterator<Tuple2<Integer, Object>> vertexParcels(
      LoadTask task, int index, Iterator<VertexBlock> blocks, ParcelLanes choice) {
    VertexBlock block = blocks.next();
    if (blocks.hasNext()) {
      throw new IllegalArgumentException("vertex partition " + index + " has several blocks");
    }
    ValueType type = task.routesAttributes() ? task.source().vertexType() : null;
    List<Tuple2<Integer, Object>> parcels = new ArrayList<>();
    parcels.add(new Tuple2<>(0, new VertexCapacity(index, block.capacity())));
    new EdgeRouter(task.owners(), false, null)
        .routeVertices(index, block, type)
        .forEachRemaining(parcel -> parcels.add(new Tuple2<>(choice.of(parcel), parcel)));
    return parcels.iterator();
  }

  /**
   * Makes something of every shard, then connects the shards of it.
   *
   * @param step gives the shard to connect, which is registered under the key of this job
   */
  List<ShardPiece> connect(Step<HeldGraph> step) {
    String whole = key;
    int shards = locations.size();
    JavaRDD<Integer> pinned = PinnedRdd.of(sc, locations);
    if (shards == 1) {
      return pieces(
          pinned.map(
              shard ->
                  TaskResult.pack(
                      ShardPiece.of(step.of(shard, GraphHandle.key(whole, shard, shards))))));
    }
    return connect(
        pinned.flatMap(shard -> addressed(step.of(shard, GraphHandle.key(whole, shard, shards)))));
  }

  /** Asks, answers and accepts. */
  private List<ShardPiece> connect(JavaRDD<Tuple2<Integer, GhostRequest>> requests) {
    String whole = key;
    int shards = locations.size();
    JavaRDD<Tuple2<Integer, GhostReply>> replies =
        carry(JavaPairRDD.fromJavaRDD(requests))
            .mapPartitionsWithIndex(
                (shard, all) ->
                    map(
                        ShardLoading.answer(GraphHandle.key(whole, shard, shards), all),
                        reply -> new Tuple2<>(reply.reader(), reply)),
                true);
    List<ShardPiece> pieces = pieces(accept(replies));
    long vertices = pieces.stream().mapToLong(ShardPiece::vertices).sum();
    onAll(
        (shard, shardKey) -> {
          ShardLoading.complete(shardKey, vertices);
          return null;
        });
    return pieces;
  }

  /**
   * Gives every shard other attributes and tells them to the others' ghosts.
   *
   * @param step does it for a shard; what comes of it is registered under the key of this job
   * @param values what each shard is given, addressed to it; null: nothing
   */
  void replaceAttributes(JavaPairRDD<Integer, VertexBlock> values, ReplaceStep step) {
    String whole = key;
    int shards = locations.size();
    JavaRDD<Tuple2<Integer, GhostReply>> told =
        values == null
            ? PinnedRdd.of(sc, locations)
                .flatMap(
                    shard ->
                        replaced(whole, shard, shards, step, List.<VertexBlock>of().iterator()))
            : carry(values)
                .mapPartitionsWithIndex(
                    (shard, blocks) -> replaced(whole, shard, shards, step, blocks), true);
    JobDescription.of(
        sc, "load: vertex attributes", () -> shards == 1 ? run(told::count) : pieces(accept(told)));
  }

  /** Gives a shard other attributes. */
  interface ReplaceStep extends Serializable {
    /**
     * @param newKey to register the shard with its new attributes under
     * @param values that were sent to it
     */
    void replace(int shard, String newKey, Iterator<VertexBlock> values);
  }

  private static Iterator<Tuple2<Integer, GhostReply>> replaced(
      String whole, int shard, int shards, ReplaceStep step, Iterator<VertexBlock> values) {
    String shardKey = GraphHandle.key(whole, shard, shards);
    step.replace(shard, shardKey, values);
    return shards == 1
        ? List.<Tuple2<Integer, GhostReply>>of().iterator()
        : map(ShardLoading.tell(shardKey), reply -> new Tuple2<>(reply.reader(), reply));
  }

  private JavaRDD<byte[]> accept(JavaRDD<Tuple2<Integer, GhostReply>> replies) {
    String whole = key;
    int shards = locations.size();
    return carry(JavaPairRDD.fromJavaRDD(replies))
        .mapPartitionsWithIndex(
            (shard, all) -> {
              ShardPiece piece = ShardLoading.accept(GraphHandle.key(whole, shard, shards), all);
              return List.of(TaskResult.pack(piece)).iterator();
            },
            true);
  }

  /** Does something with every shard. */
  <T> List<T> onAll(Step<T> step) {
    String whole = key;
    int shards = locations.size();
    return run(
        () ->
            PinnedRdd.of(sc, locations)
                .map(shard -> step.of(shard, GraphHandle.key(whole, shard, shards)))
                .collect());
  }

  private List<ShardPiece> pieces(JavaRDD<byte[]> packed) {
    return run(packed::collect).stream()
        .map(bytes -> TaskResult.unpack(bytes, ShardPiece.class))
        .toList();
  }

  private <T> T run(java.util.concurrent.Callable<T> job) {
    return OwnerJob.run(sc, key, locations, job);
  }

  /** To the executors that hold the shards. */
  private <T> JavaRDD<T> carry(JavaPairRDD<Integer, T> messages) {
    return PinnedInput.of(shuffled(messages, 1), locations);
  }

  /** Into some partitions for each shard. */
  private <T> JavaRDD<T> shuffled(JavaPairRDD<Integer, T> messages, int lanes) {
    return messages.partitionBy(new PartitionNumbers(locations.size() * lanes)).values();
  }

  private static Iterator<Tuple2<Integer, GhostRequest>> addressed(HeldGraph held) {
    return map(ShardLoading.requests(held), request -> new Tuple2<>(request.home(), request));
  }

  /** Each of them, when it is asked for. */
  static <T, R> Iterator<R> map(Iterator<T> from, Function<T, R> function) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return from.hasNext();
      }

      @Override
      public R next() {
        return function.apply(from.next());
      }
    };
  }
}
