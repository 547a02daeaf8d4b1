package org.sparkgpugraph.runtime.load;

import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkgpugraph.function.EdgePredicate;
import org.sparkgpugraph.function.VertexPredicate;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.PhaseTimes;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.VertexBlock;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.runtime.cluster.Executors;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import org.sparkgpugraph.runtime.cluster.JobDescription;
import org.sparkgpugraph.runtime.cluster.MisplacedTaskException;
import org.sparkgpugraph.runtime.cluster.OwnerJob;
import org.sparkgpugraph.runtime.cluster.PinnedRdd;
import org.sparkgpugraph.runtime.cluster.Placement;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.cluster.RunConf;
import org.sparkgpugraph.runtime.cluster.SparkFailures;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.GraphHandle;
import org.sparkgpugraph.runtime.held.HeapReservation;
import org.sparkgpugraph.runtime.held.HeldAttributes;
import org.sparkgpugraph.runtime.held.HostCopies;
import org.sparkgpugraph.runtime.held.Needs;
import org.sparkgpugraph.runtime.held.ShardPiece;

/**
 * A graph that executors hold, seen from the driver: how to load it, load more of it, restore it
 * after an executor was lost, and free it. Thread-safe. Internal; users see {@link
 * org.sparkgpugraph.ResidentGraph}.
 */
public final class ResidentState implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ResidentState.class);
  private static final Cleaner CLEANER = Cleaner.create();

  /** How often something is tried when executors are lost. */
  private static final int ATTEMPTS = 4;

  /** How long {@link #forget} waits for executors that are busy. */
  private static final long FORGET_MILLIS = 5_000;

  private final GraphLoader loader;
  private final Attributes attributes;

  /** Shared with all graphs that share structure with this one. */
  private final GraphUse use;

  /** What is to be freed; null when it was. Not part of this, so that the cleaner may know it. */
  private final AtomicReference<Holding> holding = new AtomicReference<>();

  private GraphHandle handle;
  private double loadSeconds;

  /** Whether shards that were built again wait for their attributes: bringing them has failed. */
  private volatile boolean attributesMissing;

  /** What is held, and what keeps its executors from being removed while they are idle. */
  private record Holding(SparkContext sc, GraphHandle handle, IdleGuard guard) {
    static Holding of(SparkContext sc, GraphHandle handle) {
      return new Holding(sc, handle, IdleGuard.of(sc, handle));
    }

    void free() {
      guard.close();
      forget(sc, handle.key(), handle.locations());
    }
  }

  /** Where vertex attributes come from. */
  private interface Attributes {
    /** The source itself. */
    Attributes SOURCE = null;

    /**
     * Brings them once more to all shards of a graph.
     *
     * @throws GraphLostException when they are lost
     */
    void restore(GraphHandle handle);
  }

  private ResidentState(
      GraphLoader loader, Attributes attributes, GraphUse use, GraphHandle handle) {
    this.loader = loader;
    this.attributes = attributes;
    this.use = use;
    this.handle = handle;
    holding.set(
        freeingOnFailure(
            source().sc(),
            handle.key(),
            handle.locations(),
            () -> Holding.of(source().sc(), handle)));
    AtomicReference<Holding> held = holding;
    CLEANER.register(
        this,
        () -> {
          Holding left = held.getAndSet(null);
          if (left != null) {
            LOG.warn("{} was never closed; freeing it now", left.handle().key());
            left.free();
          }
        });
  }

  /**
   * Loads a graph into executors.
   *
   * @param once whether it is loaded for what runs next alone, and closed then: rows that such a
   *     program may not need wait until it does
   */
  public static ResidentState load(
      GraphSource source, RunOptions options, Needs needs, boolean once) {
    SparkContext sc = source.sc();
    RunConf conf = RunConf.of(sc, options);
    EngineCheck.check(sc, conf);
    GraphLoader loader = new GraphLoader(source, conf, null, once);
    long start = System.nanoTime();
    try {
      GraphHandle handle = loader.load(RegistryKey.of(sc, "graph"), needs);
      ResidentState state = new ResidentState(loader, Attributes.SOURCE, new GraphUse(), handle);
      state.loaded(start);
      return state;
    } catch (Exception e) {
      // Wherever Spark was interrupted, also while it was asked for its executors.
      throw SparkFailures.unwrap(e);
    }
  }

  private synchronized void loaded(long start) {
    double seconds = (System.nanoTime() - start) / 1e9;
    loadSeconds += seconds;
    LOG.info(
        "loaded {}: {} vertices, {} edges, {} MB in {} s, held by {}",
        handle.key(),
        handle.vertices(),
        handle.edges(),
        handle.bytes() >> 20,
        String.format("%.2f", seconds),
        handle.locations().get(0) == null
            ? handle.executors() + " executor graph(s) of this JVM"
            : handle.locations());
  }

  /** Runs a job that holds something under a key; when it fails nothing is held. */
  static <T> T freeingOnFailure(
      SparkContext sc, String key, List<String> locations, Supplier<T> job) {
    try {
      return job.get();
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      forget(sc, key, locations);
      throw SparkFailures.unwrap(e);
    }
  }

  /** Runs a job that holds a graph once more under a new key; when it fails nothing is held. */
  private <T> T derive(String newKey, GraphHandle from, Supplier<T> job) {
    return freeingOnFailure(source().sc(), newKey, from.locations(), job);
  }

  private ShardJob job(GraphHandle graph) {
    return new ShardJob(source().sc(), graph.key(), graph.locations());
  }

  /**
   * The same structure with other vertex attributes.
   *
   * @param values ids and values; every id must be a vertex
   * @param missing attribute of the vertices that {@code values} does not name
   */
  public ResidentState withAttributes(JavaRDD<VertexBlock> values, Class<?> type, Object missing) {
    // Arrays are as long as this one.
    boolean tells = missing.getClass() == type;
    GraphSource changed = source().withVertexClass(type);
    return withAttributes(
        values, tells ? changed.withVertexType(ValueType.like(missing)) : changed, missing);
  }

  /** As above, of a type that no class stands for. */
  public ResidentState withAttributes(
      JavaRDD<VertexBlock> values, ValueType.Row type, Columns missing) {
    return withAttributes(values, source().withVertexType(type), missing);
  }

  private ResidentState withAttributes(
      JavaRDD<VertexBlock> values, GraphSource changed, Object missing) {
    ValueType valueType = changed.vertexType();
    JavaPairRDD<Integer, VertexBlock> routed = VertexRouting.byShard(values, handle().owners());
    Attributes again = lost -> replaceAttributes(lost, lost, routed, valueType, missing, false);
    GraphHandle made =
        recovering(
            now -> {
              GraphHandle with = now.withAttributes(RegistryKey.of(source().sc(), "graph"));
              return derive(
                  with.key(),
                  now,
                  () -> {
                    replaceAttributes(now, with, routed, valueType, missing, true);
                    return with;
                  });
            });
    return new ResidentState(loader.withSource(changed), again, use, made);
  }

  private void replaceAttributes(
      GraphHandle from,
      GraphHandle to,
      JavaPairRDD<Integer, VertexBlock> routed,
      ValueType type,
      Object missing,
      boolean verticesOnly) {
    job(to)
        .replaceAttributes(
            routed,
            (shard, newKey, blocks) ->
                HeldAttributes.replace(
                    from.key(shard), newKey, type, missing, blocks, verticesOnly));
  }

  /**
   * The same structure with a result of it as vertex attributes.
   *
   * @param type class of the values
   * @param valueType what they are
   */
  public ResidentState withAttributes(HeldBlocks result, Class<?> type, ValueType valueType) {
    return using(() -> adopting(result, type, valueType));
  }

  private ResidentState adopting(HeldBlocks result, Class<?> type, ValueType valueType) {
    GraphHandle now = handle();
    GraphHandle with = now.withAttributes(RegistryKey.of(source().sc(), "graph"));
    String resultKey = result.key();
    if (!result.graph().owners().equals(now.owners())) {
      throw new IllegalArgumentException(
          "the values belong to another graph; use withVertices(values.toPairs(), ...)");
    }
    derive(
        with.key(),
        now,
        () -> {
          job(with)
              .replaceAttributes(
                  null,
                  (shard, newKey, none) ->
                      HeldAttributes.adopt(now.key(shard), newKey, now.key(resultKey, shard)));
          return null;
        });
    Attributes again =
        lost -> {
          throw GraphLostException.forGood(
              lost.key(),
              "its vertex attributes are the result of a run, which an executor held that was"
                  + " lost; run that program again");
        };
    GraphSource changed = source().withVertexClass(type).withVertexType(valueType);
    return new ResidentState(loader.withSource(changed), again, use, with);
  }

  /**
   * A smaller graph. What can be loaded of this one is loaded first: the source's blocks do not fit
   * the smaller graph any more.
   */
  public ResidentState masked(VertexPredicate vertices, EdgePredicate edges) {
    GraphSource source = source();
    boolean hasAttributes = source.vertices() != null && !source.vertexType().columns().isEmpty();
    ensure(new Needs(hasAttributes, !source.edgeType().columns().isEmpty(), false));
    GraphHandle masked =
        recovering(
            now -> {
              String newKey = RegistryKey.of(source.sc(), "graph");
              List<ShardPiece> pieces =
                  derive(
                      newKey,
                      now,
                      () ->
                          new ShardJob(source.sc(), newKey, now.locations())
                              .connect(
                                  (shard, shardKey) ->
                                      Loading.mask(now.key(shard), shardKey, vertices, edges)));
              return now.masked(newKey, pieces, now.loaded());
            });
    return new ResidentState(
        loader.withSource(source.withoutOrigin()).masked(new GraphLoader.Mask(vertices, edges)),
        attributes,
        use,
        masked);
  }

  /** Whether vertex attributes are the source's, not given since. */
  public boolean hasAttributesOfSource() {
    return attributes == Attributes.SOURCE;
  }

  public GraphSource source() {
    return loader.source();
  }

  /**
   * The edges of the source as arrays: those that are on a device are copied by the task that reads
   * them, in heap that it has reserved. A block is read before the one after the next is.
   */
  public JavaRDD<EdgeBlock> edgesOnHost() {
    String key = handle().key();
    return source()
        .edges()
        .mapPartitions(blocks -> new HostCopies(blocks, HeapReservation.ofTask(key)), true);
  }

  /** Whether an edge of the source, as it is there, is in the graph; null: all are. */
  public EdgePredicate keptOfSource() {
    return loader.kept();
  }

  /** What is loaded now. */
  public synchronized GraphHandle handle() {
    if (holding.get() == null) {
      throw new IllegalStateException("the resident graph " + handle.key() + " is closed");
    }
    checkRunning(source().sc(), "the resident graph " + handle.key());
    return handle;
  }

  /** Seconds that loading took, all parts. */
  public synchronized double loadSeconds() {
    return loadSeconds;
  }

  /** Does something with the graph as it is; waits while its shards are changed. */
  public <T> T using(Supplier<T> reading) {
    use.begin();
    try {
      return reading.get();
    } finally {
      use.end();
    }
  }

  /** Loads what a program needs and is not there yet. */
  public GraphHandle ensure(Needs needs) {
    change(() -> !handle().loaded().cover(needs) || attributesMissing, () -> load(needs));
    return handle();
  }

  /**
   * Brings what was lost with executors to others. Waits for other programs on the graph: shards
   * that are held still stay, but are connected anew. When it fails the executors that were tried
   * hold nothing more than before, and the next program tries again.
   *
   * @return where the graph is now; the same as before when no owner is lost
   * @throws GraphLostException when its vertex attributes cannot be made again
   */
  public GraphHandle recover() {
    return recover(handle(), List.of());
  }

  /**
   * As above, and loads shards again whose edges cannot be read any more where they are.
   *
   * @param lost the graph as it was then; where it is another one by now that was done
   * @param again numbers of these shards
   */
  public GraphHandle recover(GraphHandle lost, List<Integer> again) {
    BooleanSupplier unread = () -> !again.isEmpty() && lost.key().equals(handle().key());
    change(
        () -> isLost(handle()) || attributesMissing || unread.getAsBoolean(),
        () -> repair(unread.getAsBoolean() ? again : List.of()));
    return handle();
  }

  /** With several shards nobody else may use them meanwhile. */
  private void change(BooleanSupplier needed, Runnable change) {
    try {
      use.change(handle().executors() > 1, needed, change);
    } catch (Exception e) {
      throw SparkFailures.unwrap(e);
    }
  }

  private boolean isLost(GraphHandle now) {
    SparkContext sc = source().sc();
    return !sc.isLocal() && !Executors.living(sc).containsAll(now.locations());
  }

  private void load(Needs needs) {
    if (attributesMissing) {
      repair(List.of());
    }
    GraphHandle now = handle();
    if (!now.loaded().cover(needs)) {
      // Programs that run on a single shard do not wait: it stays where they look for it.
      replacing(
          now.executors() > 1 ? RegistryKey.of(source().sc(), "graph") : now.key(),
          new ArrayList<>(now.locations()),
          to -> loader.more(now, needs, to, attributes == Attributes.SOURCE));
    }
  }

  private void repair(List<Integer> again) {
    GraphHandle now = handle();
    if (isLost(now) || !again.isEmpty()) {
      replacing(
          RegistryKey.of(source().sc(), "graph"),
          Placement.replace(source().sc(), now.locations()),
          to -> loader.restore(now, to, again, attributes == Attributes.SOURCE));
    } else {
      restoreAttributes();
    }
  }

  /**
   * Takes the graph as something makes it, under a new key; when that fails nothing is left under
   * that key, and the graph is as it was.
   *
   * @param places where the shards are to be; says, also when it fails, where they are
   */
  private void replacing(
      String key, List<String> places, Function<GraphLoader.Target, GraphHandle> loading) {
    long start = System.nanoTime();
    GraphHandle before = handle();
    boolean newKey = !key.equals(before.key());
    try {
      take(loading.apply(new GraphLoader.Target(key, places)));
    } catch (Exception | Error e) {
      // Also Spark's own exceptions, which are checked though its methods do not declare them.
      if (newKey || !places.equals(before.locations())) {
        forget(source().sc(), key, places);
      }
      throw SparkFailures.unwrap(e);
    }
    if (newKey) {
      forget(source().sc(), before.key(), before.locations());
    }
    loaded(start);
    restoreAttributes();
  }

  /** Takes the graph as it is now. */
  private void take(GraphHandle now) {
    Holding before = holding.get();
    if (before == null) {
      handle(); // says that it was closed
    }
    boolean moved = !now.locations().equals(before.handle().locations());
    Holding made =
        moved ? Holding.of(source().sc(), now) : new Holding(source().sc(), now, before.guard());
    if (!holding.compareAndSet(before, made)) {
      made.free();
      handle(); // says that it was closed
    }
    if (moved) {
      before.guard().close();
    }
    // Before any are brought: what fails half-way is done again before a program reads them.
    attributesMissing |= moved && attributes != Attributes.SOURCE && now.hasAttributes();
    synchronized (this) {
      handle = now;
    }
  }

  /** Where shards were moved attributes follow. */
  private void restoreAttributes() {
    if (attributesMissing) {
      attributes.restore(handle());
      attributesMissing = false;
    }
  }

  /**
   * Does something with the graph; when an owner was lost, recovers and does it again.
   *
   * @throws GraphLostException when nothing was recovered, or executors are lost again and again
   */
  public <T> T recovering(Function<GraphHandle, T> job) {
    return using(() -> tryAgain(job));
  }

  private <T> T tryAgain(Function<GraphHandle, T> job) {
    for (int attempt = 1; ; attempt++) {
      GraphHandle now = handle();
      try {
        return job.apply(now);
      } catch (Exception | Error e) {
        // Also Spark's own exceptions, which are checked though its methods do not declare them.
        RuntimeException thrown = SparkFailures.unwrap(e);
        boolean lost =
            thrown instanceof GraphLostException || thrown instanceof MisplacedTaskException;
        if (!lost || attempt == ATTEMPTS || recover().locations().equals(now.locations())) {
          throw thrown;
        }
      }
    }
  }

  /** Whether there is a vertex with this id. */
  public boolean containsVertex(long id) {
    SparkContext sc = source().sc();
    return recovering(
        now -> {
          int shard = now.owners().shardOf(id);
          String location = now.locations().get(shard);
          String key = now.key(shard);
          if (location == null) {
            // It is held by this JVM.
            return ExecutorRegistry.graph(key).contains(id);
          }
          return OwnerJob.at(
              sc,
              now.key(),
              location,
              EngineChoice.CPU,
              Boolean.class,
              part -> ExecutorRegistry.graph(key).contains(id));
        });
  }

  /** Refuses to work with what a context held that is stopped. */
  static void checkRunning(SparkContext sc, String key) {
    if (sc.isStopped()) {
      throw new IllegalStateException(
          key
              + " was freed when its SparkContext was stopped: start another SparkContext, load the"
              + " graph and run the program there");
    }
  }

  /**
   * Frees a key in the executors that hold its shards, also when the thread is interrupted. When
   * one of them stays busy for long this returns, and the key is freed as soon as it is not.
   */
  public static void forget(SparkContext sc, String key, List<String> locations) {
    int shards = locations.size();
    List<String> keys =
        IntStream.range(0, shards).mapToObj(shard -> GraphHandle.key(key, shard, shards)).toList();
    if (locations.get(0) == null) {
      keys.forEach(ExecutorRegistry::remove);
      return;
    }
    boolean interrupted = Thread.interrupted();
    try {
      bounded(key, () -> free(sc, key, keys, locations));
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits a while for work that goes on by itself. */
  private static void bounded(String key, Runnable work) {
    Thread thread = new Thread(work, "gpugraph-free");
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(FORGET_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      LOG.warn("{} is not freed yet: an executor that holds it is busy; it will be soon", key);
    }
  }

  /** Frees keys on executors, but for those that are gone. */
  private static void free(
      SparkContext sc, String what, List<String> keys, List<String> locations) {
    // The caller's group or tags may be cancelled; this is not.
    sc.clearJobGroup();
    sc.clearJobTags();
    while (!sc.isStopped()) {
      List<Integer> held =
          IntStream.range(0, keys.size())
              .filter(i -> Executors.isAlive(sc, locations.get(i)))
              .boxed()
              .toList();
      List<String> there = held.stream().map(keys::get).toList();
      List<String> places = held.stream().map(locations::get).toList();
      try {
        JobDescription.of(
            sc,
            "freeing what executors hold",
            () ->
                OwnerJob.run(
                    sc,
                    what,
                    places,
                    () -> {
                      PinnedRdd.of(sc, places)
                          .foreach(index -> ExecutorRegistry.remove(there.get(index)));
                      return null;
                    }));
        return;
      } catch (GraphLostException e) {
        LOG.debug("an executor is gone, nothing of {} is to be freed there", what, e);
      } catch (Exception e) {
        // Also Spark's own exceptions, which are checked though its methods do not declare them.
        LOG.warn("could not free {} on {}", what, places, e);
        return;
      }
    }
  }

  @Override
  public void close() {
    Holding held = holding.getAndSet(null);
    if (held != null) {
      long start = System.nanoTime();
      held.free();
      PhaseTimes.ended("free the graph", start);
    }
  }
}
