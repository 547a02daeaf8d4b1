package io.sparkgpugraph.spark;

import io.sparkgpugraph.RunObserver;
import io.sparkgpugraph.graph.EdgeBlock;
import io.sparkgpugraph.graph.VertexBlock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What this executor's JVM keeps between tasks: blocks handed over by load tasks, graphs, results.
 * Keys are made by the driver and never reused, so a late task of a dead run finds nothing.
 */
final class ExecutorRegistry {
  private static final Map<String, Staging> STAGED = new ConcurrentHashMap<>();
  private static final Map<String, HeldGraph> GRAPHS = new ConcurrentHashMap<>();
  private static final Map<String, HeldResult> RESULTS = new ConcurrentHashMap<>();
  private static final Map<String, StorageMemory> MEMORY = new ConcurrentHashMap<>();
  private static final Map<String, RunObserver> OBSERVERS = new ConcurrentHashMap<>();

  private static final Set<String> APPLICATIONS = ConcurrentHashMap.newKeySet();

  private ExecutorRegistry() {}

  /** Blocks of a source on their way into a graph; a re-run task replaces what it staged before. */
  static final class Staging {
    private final Map<Integer, List<EdgeBlock>> edges = new ConcurrentSkipListMap<>();
    private final Map<Integer, VertexBlock> vertices = new ConcurrentSkipListMap<>();

    void edges(int partition, List<EdgeBlock> blocks) {
      edges.put(partition, List.copyOf(blocks));
    }

    void vertices(int partition, List<VertexBlock> blocks) {
      if (blocks.size() != 1) {
        throw new IllegalArgumentException(
            "vertex partition " + partition + " has " + blocks.size() + " blocks, not one");
      }
      vertices.put(partition, blocks.get(0));
    }

    /** All edge blocks, in the order of the source's partitions. */
    List<EdgeBlock> edges() {
      List<EdgeBlock> all = new ArrayList<>();
      edges.values().forEach(all::addAll);
      return all;
    }

    /** One vertex block per partition, in order. */
    List<VertexBlock> vertices() {
      return new ArrayList<>(vertices.values());
    }
  }

  static Staging staging(String key) {
    return STAGED.computeIfAbsent(key, k -> new Staging());
  }

  /** Takes the staged blocks away, so that their memory can go as soon as the graph is built. */
  static Staging takeStaging(String key) {
    Staging staging = STAGED.remove(key);
    return staging == null ? new Staging() : staging;
  }

  static boolean holds(String key) {
    return GRAPHS.containsKey(key);
  }

  static void putGraph(String key, HeldGraph graph) {
    GRAPHS.put(key, graph);
    reserve(key, graph.graph().bytes() + graph.attributeBytes());
  }

  /** Keeps a graph whose structure another key holds already. */
  static void putView(String key, HeldGraph graph) {
    GRAPHS.put(key, graph);
    reserve(key, graph.attributeBytes());
  }

  /**
   * The graph of a key.
   *
   * @throws GraphLostException when this executor does not hold it
   */
  static HeldGraph graph(String key) {
    HeldGraph graph = GRAPHS.get(key);
    if (graph == null) {
      throw new GraphLostException(key, "graph");
    }
    return graph;
  }

  static void putResult(String key, HeldResult result) {
    RESULTS.put(key, result);
    reserve(key, result.values().bytes());
  }

  static HeldResult result(String key) {
    HeldResult result = RESULTS.get(key);
    if (result == null) {
      throw new GraphLostException(key, "result");
    }
    return result;
  }

  /** Forgets everything under a key; doing it twice is harmless. */
  static void remove(String key) {
    STAGED.remove(key);
    GRAPHS.remove(key);
    RESULTS.remove(key);
    OBSERVERS.remove(key);
    StorageMemory memory = MEMORY.remove(key);
    if (memory != null) {
      memory.close();
    }
  }

  /** Forgets everything of one application: its context stopped. */
  static void removeAll(String application) {
    List<String> keys = new ArrayList<>(GRAPHS.keySet());
    keys.addAll(RESULTS.keySet());
    keys.addAll(STAGED.keySet());
    keys.sort(Comparator.naturalOrder());
    for (String key : keys) {
      if (key.startsWith(application + "/")) {
        remove(key);
      }
    }
  }

  /** Whether an application is seen for the first time since its context started. */
  static boolean firstUse(String application) {
    return APPLICATIONS.add(application);
  }

  /** Number of graphs and results held, for tests of what is left behind. */
  static int size() {
    return GRAPHS.size() + RESULTS.size() + STAGED.size();
  }

  /** The driver's observer of a run, when driver and executor are one JVM. */
  static void observe(String key, RunObserver observer) {
    OBSERVERS.put(key, observer);
  }

  static RunObserver observer(String key) {
    return OBSERVERS.getOrDefault(key, RunObserver.NONE);
  }

  private static void reserve(String key, long bytes) {
    StorageMemory before = MEMORY.put(key, StorageMemory.acquire(key, bytes));
    if (before != null) {
      before.close();
    }
  }
}
