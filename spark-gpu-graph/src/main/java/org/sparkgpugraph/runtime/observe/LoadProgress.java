package org.sparkgpugraph.runtime.observe;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.SparkContext;
import org.apache.spark.util.AccumulatorV2;

/**
 * How far the tasks that read a graph's edges are, for the driver's console. In the driver's own
 * JVM they tell it block by block; elsewhere Spark brings what they have counted when they end.
 */
public final class LoadProgress extends AccumulatorV2<Long, Long> {
  private static final long serialVersionUID = 1L;
  private static final Map<String, Watch> WATCHES = new ConcurrentHashMap<>();

  private final String key;
  private boolean begun;
  private long edges;

  private LoadProgress(String key) {
    this.key = key;
  }

  /** The driver's side: what the console shows of one load. */
  public static final class Watch implements AutoCloseable {
    private final String key;
    private final LoadProgress counter;
    private final ConsoleProgress console;
    private final boolean local;
    private final int tasks;
    private int ended;
    private long edges;

    /**
     * @param console null: nothing is shown
     * @param local whether tasks run in this JVM
     * @param tasks number of tasks that read
     */
    private Watch(
        String key, LoadProgress counter, ConsoleProgress console, boolean local, int tasks) {
      this.key = key;
      this.counter = counter;
      this.console = console;
      this.local = local;
      this.tasks = tasks;
    }

    /** What the tasks count with. */
    public LoadProgress counter() {
      return counter;
    }

    private synchronized void add(long more) {
      edges += more;
      show();
    }

    private synchronized void taskEnded(long counted) {
      ended++;
      // Those of tasks in this JVM have been told.
      edges += local ? 0 : counted;
      show();
    }

    private void show() {
      if (console == null) {
        return;
      }
      if (ended < tasks) {
        console.loading(ended, tasks, edges);
      } else {
        step(making(edges));
      }
    }

    private void step(String step) {
      if (console != null) {
        console.step(step);
      }
    }

    /** The graph is there. */
    public void loaded(long vertices, long all) {
      if (console != null) {
        console.loaded(vertices, all);
      }
    }

    /** The graph is loaded, or is not going to be. */
    @Override
    public void close() {
      WATCHES.remove(key, this);
      if (console != null) {
        console.close();
      }
    }
  }

  /**
   * A load begins.
   *
   * @param key of the graph
   * @param tasks number of tasks that read its edges
   */
  public static Watch begin(SparkContext sc, String key, int tasks) {
    return begin(sc, key, tasks, sc.isLocal(), ConsoleProgress.of(sc, "load", Integer.MAX_VALUE));
  }

  /**
   * As above.
   *
   * @param local whether tasks tell their edges in this JVM
   * @param console null: nothing is shown
   */
  public static Watch begin(
      SparkContext sc, String key, int tasks, boolean local, ConsoleProgress console) {
    LoadProgress counter = new LoadProgress(key);
    sc.register(counter);
    Watch watch = new Watch(key, counter, console, local, tasks);
    WATCHES.put(key, watch);
    return watch;
  }

  /**
   * All edges are there and become rows; shown where that is the driver's JVM.
   *
   * @param key of the graph
   */
  public static void allRead(String key, long edges) {
    Watch watch = WATCHES.get(key);
    if (watch != null) {
      watch.step(making(edges));
    }
  }

  private static String making(long edges) {
    return String.format(Locale.ROOT, "making rows of %,d edges", edges);
  }

  /** A task has read more edges. */
  public void edges(long more) {
    begun = true;
    edges += more;
    Watch watch = WATCHES.get(key);
    if (watch != null && watch.local) {
      watch.add(more);
    }
  }

  /** A task begins to read: it counts among those that have ended, too, when it finds nothing. */
  public LoadProgress begun() {
    begun = true;
    return this;
  }

  @Override
  public boolean isZero() {
    return !begun;
  }

  @Override
  public AccumulatorV2<Long, Long> copy() {
    LoadProgress copy = new LoadProgress(key);
    copy.begun = begun;
    copy.edges = edges;
    return copy;
  }

  @Override
  public void reset() {
    begun = false;
    edges = 0;
  }

  @Override
  public void add(Long more) {
    edges(more);
  }

  /** On the driver, when a task has ended. */
  @Override
  public void merge(AccumulatorV2<Long, Long> other) {
    begun = true;
    edges += other.value();
    Watch watch = WATCHES.get(key);
    if (watch != null && isAtDriverSide()) {
      watch.taskEnded(other.value());
    }
  }

  @Override
  public Long value() {
    return edges;
  }
}
