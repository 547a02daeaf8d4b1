package org.sparkgpugraph.runtime.held;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.sparkgpugraph.graphs.memory.BuildMemory;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.run.EdgeBytes;
import org.sparkgpugraph.run.RunObserver;
import org.sparkgpugraph.runtime.cluster.GraphLostException;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.cluster.StorageMemory;
import org.sparkgpugraph.runtime.device.CudaFinder;
import org.sparkgpugraph.runtime.device.EmulatedFinder;
import org.sparkgpugraph.runtime.device.Engines;

/**
 * What this executor's JVM keeps between tasks: blocks handed over by load tasks, graphs, results.
 * Keys are made by the driver and never reused, so a late task of a dead run finds nothing; what it
 * brings is dropped, because its key was forgotten.
 */
public final class ExecutorRegistry {
  private static final Map<String, Staging> STAGED = new ConcurrentHashMap<>();
  private static final Map<String, HeldGraph> GRAPHS = new ConcurrentHashMap<>();
  private static final Map<String, Long> RESERVED = new ConcurrentHashMap<>();
  private static final Map<String, HeldResult> RESULTS = new ConcurrentHashMap<>();
  private static final Map<String, HeldShard> SHARDS = new ConcurrentHashMap<>();
  private static final Map<String, RunObserver> OBSERVERS = new ConcurrentHashMap<>();

  private static final Set<String> APPLICATIONS = ConcurrentHashMap.newKeySet();
  private static final Set<String> ENDED = ConcurrentHashMap.newKeySet();

  /** More keys than tasks that are on their way out can have. */
  private static final int REMEMBERED = 4096;

  // The rest is guarded by the class.
  private static final Set<String> FORGOTTEN =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });

  private static final StorageMemory MEMORY = new StorageMemory();

  /**
   * Bytes that builds have reserved, by the key of the graph: a load has one for each partition.
   */
  private static final Map<String, Long> BUILD_BYTES = new HashMap<>();

  /** The sum of these. */
  private static long buildBytes;

  /** What of it Spark's storage memory counts already. */
  private static long cachedBytes;

  private static volatile Engines engines = new Engines(new CudaFinder(), new EmulatedFinder());

  private ExecutorRegistry() {}

  /** The engines of this process. */
  public static Engines engines() {
    return engines;
  }

  /**
   * Replaces the engines, for tests; the caller closes what was there.
   *
   * @return the engines that were there
   */
  public static synchronized Engines replaceEngines(Engines others) {
    Engines before = engines;
    engines = others;
    return before;
  }

  /**
   * Where a load's blocks wait; blocks of a load that has ended go nowhere.
   *
   * @param graph key of the graph
   * @param edgeType type of the edge values that are wanted; null: none
   */
  public static synchronized Staging staging(String key, String graph, ValueType edgeType) {
    Staging staging = STAGED.get(key);
    if (staging == null) {
      staging = new Staging(graph, edgeType);
      if (forgotten(key)) {
        staging.close();
      } else {
        STAGED.put(key, staging);
      }
    }
    return staging;
  }

  public static boolean holds(String key) {
    return GRAPHS.containsKey(key);
  }

  /**
   * Reserves memory for a graph that is being made, or a run, so that Spark makes room for it:
   * until it is kept, or this is called again.
   *
   * @param bytes that it takes at least; 0: none
   * @throws GraphMemoryException when there is not that much
   */
  public static synchronized void reserve(String key, long bytes) {
    long before = RESERVED.getOrDefault(key, 0L);
    if (bytes > before) {
      long builds = buildBytes(key);
      GraphMemory.check(key, bytes + builds, held() - before - builds);
    }
    reserved(key, bytes);
  }

  /**
   * Where a graph's build, and what is made of the graph later, reserves heap.
   *
   * @param key of the graph
   * @param edges where arrays go that have an element for each edge; null: they are on the heap
   */
  public static BuildMemory memory(String key, EdgeMemory edges) {
    return new BuildMemory() {
      @Override
      public Reservation begin() {
        return new HeapReservation(key, false);
      }

      @Override
      public EdgeMemory edges() {
        return edges;
      }
    };
  }

  /** What a build ends with that got no memory from the JVM, though it was reserved. */
  public static synchronized GraphMemoryException exhausted(String key, OutOfMemoryError error) {
    return GraphMemory.exhausted(key, buildBytes(key) + RESERVED.getOrDefault(key, 0L), error);
  }

  /** Refuses what certainly takes more than there is now, before anything is done for it. */
  public static synchronized void check(String key, long bytes) {
    GraphMemory.check(key, bytes, held());
  }

  /**
   * Reserves more for the graph of a reservation.
   *
   * @throws GraphMemoryException when there is not that much: says what the graph takes by now
   */
  static synchronized void acquire(HeapReservation reservation, long bytes) {
    if (bytes <= 0 || reservation.closed) {
      return;
    }
    String key = reservation.key;
    HeldGraph graph = GRAPHS.get(key);
    long own =
        buildBytes(key)
            + RESERVED.getOrDefault(key, 0L)
            + (graph == null ? 0 : graph.graph().bytes());
    GraphMemory.check(key, own + bytes, held() - own);
    resize(reservation, reservation.bytes + bytes);
    count();
  }

  /** Gives back some of what was reserved. */
  static synchronized void release(HeapReservation reservation, long bytes) {
    if (bytes > 0 && !reservation.closed) {
      resize(reservation, Math.max(0, reservation.bytes - bytes));
      count();
    }
  }

  /** Gives back all that was reserved. */
  static synchronized void end(HeapReservation reservation) {
    boolean any = reservation.bytes > 0;
    resize(reservation, 0);
    reservation.closed = true;
    if (any) {
      count();
    }
  }

  /** Kept as sums: with a reservation for each of many partitions nobody could add them up. */
  private static void resize(HeapReservation reservation, long bytes) {
    long more = bytes - reservation.bytes;
    if (more == 0) {
      return;
    }
    reservation.bytes = bytes;
    buildBytes += more;
    cachedBytes += reservation.cached ? more : 0;
    long ofKey = buildBytes(reservation.key) + more;
    if (ofKey == 0) {
      BUILD_BYTES.remove(reservation.key);
    } else {
      BUILD_BYTES.put(reservation.key, ofKey);
    }
  }

  private static long buildBytes(String key) {
    return BUILD_BYTES.getOrDefault(key, 0L);
  }

  /** Whether so many bytes more could be reserved now. */
  public static synchronized boolean fits(long bytes) {
    return GraphMemory.fits(bytes, held());
  }

  /**
   * As {@link #reserve}, for memory that is taken already.
   *
   * @param bytes 0: none
   */
  public static synchronized void reserved(String key, long bytes) {
    if (bytes == 0 || forgotten(key)) {
      RESERVED.remove(key);
    } else {
      RESERVED.put(key, bytes);
    }
    count();
  }

  /**
   * Keeps a graph; structure or values that another key holds too count once. The device memory of
   * a graph that it replaces is freed.
   *
   * @throws GraphLostException when the key was forgotten in the meantime
   * @throws GraphMemoryException when it does not fit
   */
  public static void putGraph(String key, HeldGraph graph) {
    HeldGraph dropped;
    synchronized (ExecutorRegistry.class) {
      if (forgotten(key)) {
        throw new GraphLostException(key, "graph");
      }
      HeldGraph before = GRAPHS.remove(key);
      RESERVED.remove(key);
      long others = held();
      GRAPHS.put(key, graph);
      try {
        if (before == null) {
          long builds = buildBytes(key);
          GraphMemory.check(key, held() - others + builds, others - builds);
        }
      } catch (GraphMemoryException e) {
        GRAPHS.remove(key);
        throw e;
      } finally {
        count();
      }
      dropped = before == null || isHeld(before.graph()) ? null : before;
    }
    // Outside of the lock: a device may be busy.
    if (dropped != null) {
      engines.release(dropped.graph());
    }
    // Edges that waited for the build.
    sweep();
  }

  /** Has what edges leave behind off the heap found, where there are any. */
  private static void sweep() {
    if (EdgeHomes.bytes() > 0) {
      EdgeSweep.soon();
    }
  }

  /** Whether blocks wait for a build, or one has reserved something. */
  static synchronized boolean isLoading() {
    return !STAGED.isEmpty() || !BUILD_BYTES.isEmpty();
  }

  /** Bytes off the heap, and in mapped files, of the edges of the graphs held. */
  static long edgeBytesAway() {
    Set<ExecutorGraph> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    long bytes = 0;
    for (HeldGraph held : GRAPHS.values()) {
      if (counted.add(held.graph())) {
        EdgeBytes edges = held.graph().edgeBytes();
        bytes += edges.offHeap() + edges.mapped();
      }
    }
    return bytes;
  }

  /**
   * The graph of a key.
   *
   * @throws GraphLostException when this executor does not hold it
   */
  public static HeldGraph graph(String key) {
    HeldGraph graph = GRAPHS.get(key);
    if (graph == null) {
      throw new GraphLostException(key, "graph");
    }
    return graph;
  }

  /**
   * Keeps a result.
   *
   * @throws GraphLostException when the key was forgotten in the meantime
   */
  public static synchronized void putResult(String key, HeldResult result) {
    if (forgotten(key)) {
      throw new GraphLostException(key, "result");
    }
    RESULTS.put(key, result);
    count();
  }

  public static HeldResult result(String key) {
    HeldResult result = RESULTS.get(key);
    if (result == null) {
      throw new GraphLostException(key, "result");
    }
    return result;
  }

  /**
   * The shard of a run over several executors, kept under its result's key.
   *
   * @param make makes it when it is not there; null: nobody does
   * @return null when it is not there, or its key was forgotten
   */
  public static synchronized HeldShard shard(String key, Supplier<HeldShard> make) {
    return make == null || forgotten(key)
        ? SHARDS.get(key)
        : SHARDS.computeIfAbsent(key, k -> make.get());
  }

  /** Keys of the shards of runs, for tests. */
  public static Set<String> shards() {
    return Set.copyOf(SHARDS.keySet());
  }

  /**
   * Lets go of a shard of a run as a lost executor does, for tests: its key may be used again.
   *
   * @return null when it was not there
   */
  public static HeldShard dropShard(String key) {
    HeldShard dropped = SHARDS.remove(key);
    if (dropped != null) {
      dropped.close();
    }
    return dropped;
  }

  /**
   * Forgets everything under a key, for good; doing it twice is harmless. The device memory of a
   * graph that no other key holds is freed.
   */
  public static void remove(String key) {
    HeldGraph dropped;
    HeldShard ended;
    Staging staged;
    synchronized (ExecutorRegistry.class) {
      FORGOTTEN.add(key);
      staged = STAGED.remove(key);
      RESERVED.remove(key);
      dropped = GRAPHS.remove(key);
      RESULTS.remove(key);
      ended = SHARDS.remove(key);
      OBSERVERS.remove(key);
      count();
      if (dropped != null && isHeld(dropped.graph())) {
        dropped = null;
      }
    }
    // Outside of the lock: a device may be busy, a task at work.
    if (staged != null) {
      staged.close();
    }
    if (ended != null) {
      ended.close();
    }
    if (dropped != null) {
      engines.release(dropped.graph());
    }
    if (!RegistryKey.isResult(key)) {
      sweep();
    }
  }

  private static boolean isHeld(ExecutorGraph graph) {
    return GRAPHS.values().stream().anyMatch(held -> held.graph() == graph);
  }

  /**
   * Forgets everything of one application: its context stopped. Devices are closed with the last
   * application.
   */
  public static void removeAll(String application) {
    boolean last;
    List<HeldShard> ended;
    List<Staging> staged;
    synchronized (ExecutorRegistry.class) {
      ENDED.add(application);
      APPLICATIONS.remove(application);
      ended = of(application, SHARDS);
      staged = of(application, STAGED);
      for (Map<String, ?> held : List.of(STAGED, GRAPHS, RESERVED, RESULTS, SHARDS, OBSERVERS)) {
        held.keySet().removeIf(key -> key.startsWith(application + "/"));
      }
      count();
      last = APPLICATIONS.isEmpty();
    }
    staged.forEach(Staging::close);
    ended.forEach(HeldShard::close);
    if (last) {
      engines.close();
    }
    sweep();
  }

  private static <T> List<T> of(String application, Map<String, T> held) {
    return held.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(application + "/"))
        .map(Map.Entry::getValue)
        .toList();
  }

  /** Whether an application is seen for the first time since its context started. */
  public static synchronized boolean firstUse(String application) {
    ENDED.remove(application);
    return APPLICATIONS.add(application);
  }

  private static boolean forgotten(String key) {
    return FORGOTTEN.contains(key) || ENDED.contains(key.substring(0, key.indexOf('/')));
  }

  /** Number of things held, for tests of what is left behind. */
  public static int size() {
    return GRAPHS.size() + RESULTS.size() + SHARDS.size() + STAGED.size() + OBSERVERS.size();
  }

  /** Bytes of devices that graphs and runs hold, for tests of what is left behind. */
  static long deviceBytes() {
    return engines.deviceBytes();
  }

  /** Bytes of the graphs and results held, as counted last. */
  public static synchronized long bytes() {
    return MEMORY.wanted();
  }

  /** Bytes that builds have reserved, for tests of what is left behind. */
  public static synchronized long buildBytes() {
    return buildBytes;
  }

  /** The driver's observer of a run, when driver and executor are one JVM. */
  public static void observe(String key, RunObserver observer) {
    OBSERVERS.put(key, observer);
  }

  /** The run has ended. */
  public static void unobserve(String key) {
    OBSERVERS.remove(key);
  }

  public static RunObserver observer(String key) {
    return OBSERVERS.getOrDefault(key, RunObserver.NONE);
  }

  /** Tells Spark what is held now, but for what is Spark's and counted there. */
  private static void count() {
    long held = held();
    MEMORY.resize(held - cachedBytes, held - buildBytes);
  }

  /** Adds up what is held now; parts of a graph that were made on first use are in it. */
  private static long held() {
    Set<Object> counted = Collections.newSetFromMap(new IdentityHashMap<>());
    long bytes = buildBytes + RESERVED.values().stream().mapToLong(Long::longValue).sum();
    for (HeldGraph held : GRAPHS.values()) {
      bytes += counted.add(held.graph()) ? held.graph().bytes() : 0;
      bytes += count(counted, held.attributes());
    }
    for (HeldResult held : RESULTS.values()) {
      bytes += count(counted, held.values());
    }
    return bytes;
  }

  private static long count(Set<Object> counted, Columns columns) {
    return columns != null && counted.add(columns) ? columns.bytes() : 0;
  }
}
