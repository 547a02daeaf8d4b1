package org.sparkgpugraph.runtime.load;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.function.VertexPredicate;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.IdRanges;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.graphs.model.VertexOwners;
import org.sparkgpugraph.graphs.placement.PlacementRequest;
import org.sparkgpugraph.graphs.shard.EdgeSample;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.Executors;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.Placement;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.conf.EdgeHome;
import org.sparkgpugraph.runtime.conf.VertexPlacement;
import org.sparkgpugraph.runtime.held.EdgeHomes;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.LoadMarks;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.held.ShardPiece;
import org.sparkgpugraph.runtime.held.Staging;
import org.sparkgpugraph.runtime.observe.LoadProgress;

/**
 * Loads graphs from a source into executors, loads more of them, and loads again what was lost.
 *
 * <p>In one JVM with one executor graph tasks hand references over, then one task builds. Otherwise
 * it is one Spark job ({@link ShardJob}), after one that samples the edges where there are several
 * shards.
 *
 * @param source of the graph
 * @param conf in force when the graph was loaded first
 * @param mask what was left out since; null: nothing
 * @param once whether the graph is loaded for what runs next alone
 */
public record GraphLoader(GraphSource source, RunConf conf, Mask mask, boolean once) {
  private static final Logger LOG = LoggerFactory.getLogger(GraphLoader.class);

  /**
   * Bytes per edge by which a graph is taken for small or large before it is loaded: a source in
   * each CSR, the same in each transpose.
   */
  private static final long EDGE_BYTES = 16;

  /** How often a load is started again because executors were lost. */
  private static final int ATTEMPTS = 3;

  /** Vertices and edges to be left out; see {@link ResidentState#masked}. */
  record Mask(VertexPredicate vertices, EdgePredicate edges) implements Serializable {
    /** What both leave; they may be null, and so may their parts: all. */
    static Mask both(Mask first, Mask second) {
      if (first == null) {
        return second;
      }
      VertexPredicate vertices = first.vertices;
      if (vertices == null) {
        vertices = second.vertices;
      } else if (second.vertices != null) {
        vertices = id -> first.vertices.test(id) && second.vertices.test(id);
      }
      EdgePredicate edges = first.edges;
      if (edges == null) {
        edges = second.edges;
      } else if (second.edges != null) {
        edges = (from, to) -> first.edges.test(from, to) && second.edges.test(from, to);
      }
      return new Mask(vertices, edges);
    }
  }

  /**
   * Where a graph that is held is to be held from now on.
   *
   * @param key its key then
   * @param places where the shards are to be; owners that are lost while they are loaded are
   *     replaced in it, so that it says, also when that fails, where there may be shards
   */
  record Target(String key, List<String> places) {}

  /** Whether an edge of the source is in the graph; null: all are. */
  EdgePredicate kept() {
    if (mask == null) {
      return null;
    }
    VertexPredicate vertices = mask.vertices();
    EdgePredicate edges = mask.edges();
    return (source, destination) ->
        (vertices == null || vertices.test(source) && vertices.test(destination))
            && (edges == null || edges.test(source, destination));
  }

  /** The same for a graph that is masked once more. */
  GraphLoader masked(Mask more) {
    return new GraphLoader(source, conf, Mask.both(mask, more), once);
  }

  GraphLoader withSource(GraphSource other) {
    return new GraphLoader(other, conf, mask, once);
  }

  /** Loads a graph. When it fails nothing is held. */
  GraphHandle load(String key, Needs needs) {
    SparkContext sc = source.sc();
    if (sc.isLocal()) {
      closeWithContext(sc);
    }
    KnownEdges counted = KnownEdges.ifCounted(source.edges());
    if (counted != null && sc.isLocal()) {
      long least = leastBytes(counted, needs, Math.max(1, conf.executors()));
      if (!ExecutorRegistry.fits(least) && !fitsElsewhere(least)) {
        ExecutorRegistry.check(key, least);
      }
    }
    if (sc.isLocal() && conf.executors() <= 1) {
      return freeingOnFailure(key, Collections.singletonList(null), () -> handOver(key, needs));
    }
    EdgeSample[] sample = new EdgeSample[1];
    // Where it is in the end: that is what is to be freed when it fails.
    List<String> locations =
        new ArrayList<>(
            Placement.choose(
                sc,
                key,
                conf.executors(),
                () -> {
                  sample[0] = counted == null ? ShardJob.sample(source, key) : null;
                  long edges = counted == null ? sample[0].edges() : counted.edges();
                  return edges * (EDGE_BYTES + 2 * valueBytes());
                }));
    // What executors have room for outside of their heaps only they know.
    if (counted != null && !sc.isLocal() && EdgeHomes.wanted(sc.getConf()) == EdgeHome.HEAP) {
      int shards = locations.size();
      Placement.checkRoom(sc, key, shards, leastBytes(counted, needs, shards));
    }
    VertexOwners chosen = new IdRanges();
    if (locations.size() > 1) {
      EdgeSample taken = sample[0] == null ? ShardJob.sample(source, key) : sample[0];
      IdRanges ranges = taken.split(locations.size(), needs.outEdges());
      chosen =
          conf.placement().by() == VertexPlacement.RANGES
              ? ranges
              : new PlacementJob(
                      source,
                      key,
                      new PlacementRequest(
                          ranges,
                          needs.outEdges(),
                          conf.placement().imbalance(),
                          conf.exchange().hubs().inEdges()),
                      conf.threads())
                  .owners(taken.edges());
    }
    List<Integer> all = IntStream.range(0, locations.size()).boxed().toList();
    VertexOwners owners = chosen;
    return freeingOnFailure(
        key, locations, () -> submit(task(key, owners, needs, true), locations, all));
  }

  /**
   * What a graph takes at least while it is loaded: the edges as they wait, and the sources of its
   * in-edges, where no GPU can make these of them.
   */
  private long leastBytes(KnownEdges counted, Needs needs, int shards) {
    // Only where blocks are handed over as they are do values wait that nobody wants.
    long perEdge = 2 * Integer.BYTES + (needs.edgeValues() ? valueBytes() : 0);
    boolean handedOver = source.sc().isLocal() && shards == 1;
    long waiting = handedOver ? counted.bytes() : perEdge * counted.edges();
    boolean onHost = shards > 1 || conf.engine() == EngineChoice.CPU;
    return waiting + (onHost ? Integer.BYTES * counted.edges() : 0);
  }

  /** Whether edges have room outside of the heap. */
  private static boolean fitsElsewhere(long bytes) {
    EdgeMemory beyond = EdgeHomes.beyondHeap();
    return beyond != null && beyond.hasRoom(bytes);
  }

  private long valueBytes() {
    return source.edgeType().columns().stream().mapToLong(ColumnType::bytes).sum();
  }

  /** Loads more of a graph. Shards that have what is wanted are shared with what they were. */
  GraphHandle more(GraphHandle now, Needs needs, Target to, boolean attributesOfSource) {
    Needs wanted = now.loaded().and(needs);
    if (isHandedOver(now)) {
      return handOver(now.key(), wanted);
    }
    if (mask != null) {
      return loadAndMask(now, wanted, to, attributesOfSource);
    }
    return submit(
        task(to.key(), now.owners(), wanted, attributesOfSource).from(now.key()),
        to.places(),
        IntStream.range(0, now.executors()).boxed().toList());
  }

  /**
   * Loads the shards again whose executors do not live any more, on others, and those that are lost
   * where they are, and connects all.
   *
   * @param again shards of the latter kind
   * @return the same graph as it is now
   */
  GraphHandle restore(
      GraphHandle lost, Target to, List<Integer> again, boolean attributesOfSource) {
    List<Integer> building =
        IntStream.range(0, to.places().size())
            .filter(
                shard ->
                    again.contains(shard)
                        || !Objects.equals(to.places().get(shard), lost.locations().get(shard)))
            .boxed()
            .toList();
    LOG.warn(
        "shards {} of {} were lost{}; loading them again on {}, as {}",
        building,
        lost.key(),
        again.isEmpty() ? " with their executors" : "",
        to.places(),
        to.key());
    if (mask != null) {
      return loadAndMask(lost, lost.loaded(), to, attributesOfSource);
    }
    return submit(
        task(to.key(), lost.owners(), lost.loaded(), attributesOfSource)
            .from(lost.key())
            .anew(again),
        to.places(),
        building);
  }

  /**
   * The source has more than a masked graph, and a shard can be masked only when it knows its
   * ghosts: loads all of it under another key, then masks that.
   */
  private GraphHandle loadAndMask(
      GraphHandle graph, Needs wanted, Target to, boolean attributesOfSource) {
    List<String> locations = to.places();
    Needs ofSource =
        new Needs(
            wanted.attributes() && attributesOfSource, wanted.edgeValues(), wanted.outEdges());
    LoadTask task = task(RegistryKey.of(source.sc(), "graph"), graph.owners(), ofSource, true);
    GraphHandle whole =
        freeingOnFailure(
            task.key(),
            locations,
            () -> submit(task, locations, IntStream.range(0, locations.size()).boxed().toList()));
    Mask left = mask;
    ValueType type = wanted.attributes() && !attributesOfSource ? source.vertexType() : null;
    try {
      List<ShardPiece> pieces =
          new ShardJob(source.sc(), to.key(), whole.locations())
              .connect(
                  (shard, shardKey) ->
                      Loading.maskAgain(whole.key(shard), graph.key(shard), shardKey, left, type));
      return whole.masked(to.key(), pieces, wanted);
    } finally {
      ResidentState.forget(source.sc(), whole.key(), whole.locations());
    }
  }

  private boolean isHandedOver(GraphHandle handle) {
    return source.sc().isLocal() && handle.executors() == 1;
  }

  private LoadTask task(String key, VertexOwners owners, Needs wanted, boolean attributesOfSource) {
    LoadTask.How how =
        new LoadTask.How(conf.engine(), conf.device(), conf.partitions(), conf.threads(), once);
    return new LoadTask(
        key, null, owners, LoadTask.Source.of(source), how, wanted, attributesOfSource, List.of());
  }

  private GraphHandle freeingOnFailure(
      String key, List<String> locations, Supplier<GraphHandle> job) {
    return ResidentState.freeingOnFailure(source.sc(), key, locations, job);
  }

  /**
   * Several JVMs or shards. Starts again when an owner is lost meanwhile.
   *
   * @param places owners; those that are lost meanwhile are replaced in it
   */
  private GraphHandle submit(LoadTask task, List<String> places, List<Integer> building) {
    List<Integer> shards = building;
    for (int attempt = 1; ; attempt++) {
      try (LoadProgress.Watch watch = watch(task)) {
        Loaded loaded = loadShards(task, places, shards, attempt, watch.counter());
        warnOfUnequal(task, loaded.pieces());
        GraphHandle handle = handle(task, places, loaded);
        watch.loaded(handle.vertices(), handle.edges());
        return handle;
      } catch (GraphLostException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
        List<String> now = Placement.replaceWhileLoading(source.sc(), places);
        if (now.equals(places)) {
          throw e;
        }
        LOG.warn("an executor was lost while {} was loaded; starting again", task.key(), e);
        Collections.copy(places, now);
        shards = IntStream.range(0, now.size()).boxed().toList();
      }
    }
  }

  /**
   * Shards that are loaded.
   *
   * @param columns how edges came that RAPIDS may have on the GPU; null: there is nothing to tell
   */
  private record Loaded(List<ShardPiece> pieces, String columns) {}

  private Loaded loadShards(
      LoadTask task,
      List<String> places,
      List<Integer> shards,
      int attempt,
      LoadProgress progress) {
    boolean first = task.before() == null && task.anew().isEmpty();
    String columns = source.gpuColumns();
    LoadTask parcels = task;
    if (source.shardTables() != null && places.size() > 1) {
      SentLoad.Outcome sent =
          first
              ? new SentLoad(source, conf.device().buildRows()).load(task, places, attempt)
              : SentLoad.Outcome.copied("more of a graph is loaded, or it is loaded again");
      columns = sent.told();
      if (sent.pieces() != null) {
        return new Loaded(sent.pieces(), columns);
      }
      if (sent.begun()) {
        // Some shards may be held, of what came to them.
        parcels = task.anew(shards);
      }
    }
    if (source.onDevice() && places.size() == 1 && first) {
      ShardPiece piece = handOverAt(places.get(0), task, progress);
      if (piece != null) {
        return new Loaded(List.of(piece), columns);
      }
    }
    LoadTask routed = parcels;
    String where = shards.size() == 1 ? "one executor" : shards.size() + " executors";
    List<ShardPiece> pieces =
        JobDescription.of(
            source.sc(),
            "load: reading edges, making rows on " + where,
            () ->
                new ShardJob(source.sc(), task.key(), places)
                    .load(source, routed, shards, progress));
    String why =
        first
            ? "other executors have read some"
            : "more of a graph is loaded, or it is loaded again";
    return new Loaded(
        source.onDevice() ? pieces.stream().map(piece -> piece.ofHost(why)).toList() : pieces,
        columns);
  }

  /**
   * Edges on the GPU of the only executor of a cluster: tasks leave them there, then one builds.
   * What is there of them is known when it does, whichever executors have come or gone meanwhile.
   *
   * @return null where another executor has read some of them
   */
  private ShardPiece handOverAt(String place, LoadTask task, LoadProgress progress) {
    SparkContext sc = source.sc();
    String staged = RegistryKey.of(sc, "blocks");
    String graph = task.key();
    ValueType type = task.edgeValues();
    int partitions = source.edges().getNumPartitions();
    try {
      JobDescription.of(
          sc,
          "load: reading edges",
          () -> OwnerJob.anywhere(sc, graph, () -> runHandOver(task, staged, progress)));
      return JobDescription.of(
          sc,
          "load: making rows",
          () ->
              OwnerJob.at(
                  sc,
                  graph,
                  place,
                  conf.engine(),
                  ShardPiece.class,
                  part -> {
                    Staging here = ExecutorRegistry.staging(staged, graph, type);
                    return here.edgePartitions() == partitions ? Loading.build(task, here) : null;
                  }));
    } finally {
      for (String living : Executors.living(sc)) {
        ResidentState.forget(sc, staged, List.of(living));
      }
    }
  }

  private LoadProgress.Watch watch(LoadTask task) {
    return LoadProgress.begin(source.sc(), task.key(), source.edges().getNumPartitions());
  }

  private static void warnOfUnequal(LoadTask task, List<ShardPiece> pieces) {
    List<Integer> partitions = pieces.stream().map(ShardPiece::partitions).toList();
    if (partitions.stream().distinct().count() > 1) {
      LOG.warn(
          "the executors that hold {} have unequal numbers of devices ({}): each holds the same"
              + " share of the edges, so every superstep waits for the one with fewest",
          task.key(),
          partitions);
    }
  }

  private GraphHandle handle(LoadTask task, List<String> locations, Loaded loaded) {
    List<ShardPiece> pieces = loaded.pieces();
    return new GraphHandle(
        task.key(),
        new ArrayList<>(locations),
        task.owners(),
        pieces.stream().mapToLong(ShardPiece::vertices).sum(),
        pieces.stream().mapToLong(ShardPiece::edges).sum(),
        pieces.stream().mapToLong(ShardPiece::bytes).sum(),
        pieces.stream().mapToInt(ShardPiece::partitions).sum(),
        Math.max(0, task.source().vertexPartitions()),
        // An executor that holds the whole graph makes out-edges of the in-edges.
        pieces.size() == 1 ? task.wanted().and(new Needs(false, false, true)) : task.wanted(),
        pieces.stream()
            .map(ShardPiece::throughHost)
            .filter(Objects::nonNull)
            .findFirst()
            .map(why -> "edges on the GPU go through the host: " + why)
            .orElse(loaded.columns()));
  }

  /** One JVM, one shard: tasks hand array references over, then one task builds. */
  private GraphHandle handOver(String key, Needs wanted) {
    String staged = RegistryKey.of(source.sc(), "blocks");
    try {
      return handOver(task(key, new IdRanges(), wanted, true), staged);
    } finally {
      ExecutorRegistry.remove(staged);
    }
  }

  /**
   * @param key under which the blocks wait for the second job
   */
  private GraphHandle handOver(LoadTask task, String key) {
    long start = System.nanoTime();
    String graph = task.key();
    ValueType type = task.edgeValues();
    LoadMarks.begun(graph);
    boolean taken = takeCached(task, ExecutorRegistry.staging(key, graph, type));
    start = PhaseTimes.ended("load: cached partitions", start);
    try (LoadProgress.Watch watch = watch(task)) {
      if (!taken) {
        JobDescription.of(
            source.sc(),
            "load: reading edges",
            () ->
                OwnerJob.anywhere(
                    source.sc(), task.key(), () -> runHandOver(task, key, watch.counter())));
        start = PhaseTimes.ended("load: job that hands over", start);
      }
      ShardPiece piece =
          JobDescription.of(
              source.sc(),
              "load: making rows",
              () ->
                  OwnerJob.at(
                      source.sc(),
                      task.key(),
                      null,
                      EngineChoice.CPU,
                      ShardPiece.class,
                      part -> Loading.build(task, ExecutorRegistry.staging(key, graph, type))));
      PhaseTimes.ended("load: job that builds", start);
      GraphHandle handle =
          handle(
              task,
              Collections.singletonList(null),
              new Loaded(List.of(piece), source.gpuColumns()));
      watch.loaded(handle.vertices(), handle.edges());
      return handle;
    }
  }

  /**
   * Takes the blocks of a graph that is cached in this JVM.
   *
   * @return false when it is not, or not all of it
   */
  private boolean takeCached(LoadTask task, Staging staging) {
    if (source.origin() == null) {
      return false;
    }
    List<List<EdgeBlock>> edges = source.origin().cachedEdges();
    List<Supplier<VertexBlock>> vertices =
        edges == null || !task.source().hasVertices()
            ? List.of()
            : source.origin().cachedVertices();
    if (edges == null || vertices == null) {
      return false;
    }
    IntStream.range(0, edges.size()).forEach(i -> staging.cachedEdges(i, edges.get(i)));
    IntStream.range(0, vertices.size()).forEach(i -> staging.vertices(i, vertices.get(i)));
    return true;
  }

  private long runHandOver(LoadTask task, String key, LoadProgress progress) {
    String graph = task.key();
    ValueType type = task.edgeValues();
    JavaRDD<Integer> staged =
        source
            .edges()
            .mapPartitionsWithIndex(
                (index, blocks) -> {
                  LoadMarks.begun(graph);
                  ExecutorRegistry.staging(key, graph, type)
                      .edges(index, blocks, progress.begun()::edges);
                  return List.<Integer>of().iterator();
                },
                true);
    if (task.source().hasVertices()) {
      staged =
          staged.union(
              source
                  .vertices()
                  .mapPartitionsWithIndex(
                      (index, blocks) -> {
                        List<VertexBlock> list = new ArrayList<>();
                        blocks.forEachRemaining(list::add);
                        ExecutorRegistry.staging(key, graph, type).vertices(index, list);
                        return List.<Integer>of().iterator();
                      },
                      true));
    }
    return staged.count();
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
}
