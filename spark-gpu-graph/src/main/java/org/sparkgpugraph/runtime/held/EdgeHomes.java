package org.sparkgpugraph.runtime.held;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.memory.MemoryManager;
import org.apache.spark.memory.MemoryMode;
import org.apache.spark.network.util.ByteUnit;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.storage.TestBlockId;
import org.sparkgpugraph.graphs.memory.DirectMemory;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.FirstWithRoom;
import org.sparkgpugraph.graphs.memory.MappedMemory;
import org.sparkgpugraph.runtime.conf.EdgeHome;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;

/**
 * Where this executor has arrays with an element for each edge: on the heap, off it within what
 * Spark was told of ({@code spark.memory.offHeap.size}, which Spark counts, or {@code
 * spark.executor.memoryOverhead}), or in mapped files in Spark's local directories.
 */
public final class EdgeHomes {
  /** What of the overhead is left to the JVM itself and to Spark: Spark's own least. */
  private static final long OTHERS = 384L << 20;

  private static final String SIZE = "spark.memory.offHeap.size";

  private static final TestBlockId NAME = new TestBlockId("gpugraph-edges");

  // Guarded by the class; those of the SparkEnv that there is.
  private static SparkEnv env;
  private static DirectMemory.Budget budget;
  private static DirectMemory direct;
  private static MappedMemory mapped;

  private EdgeHomes() {}

  /** What the configuration says. */
  public static EdgeHome wanted(SparkConf conf) {
    return GpuGraphConf.of(conf, Map.of()).get(GpuGraphConf.MEMORY_EDGES);
  }

  /** Where edges are in any case; null: on the heap, at least while that has room. */
  public static synchronized EdgeMemory forced() {
    return switch (wantedHere()) {
      case OFF_HEAP -> direct();
      case MAPPED -> mapped();
      default -> null;
    };
  }

  /** Where edges go that the heap has no room for; null: nowhere, they are refused. */
  public static synchronized EdgeMemory beyondHeap() {
    return switch (wantedHere()) {
      case AUTO -> new FirstWithRoom(direct(), mapped());
      case HEAP -> null;
      case OFF_HEAP -> direct();
      case MAPPED -> mapped();
    };
  }

  /** Bytes off the heap that graphs take, with those that the collector has still to find. */
  public static synchronized long bytes() {
    return (direct == null ? 0 : direct.bytes()) + mappedBytes();
  }

  /** Of these, bytes in mapped files. */
  public static synchronized long mappedBytes() {
    return mapped == null ? 0 : mapped.bytes();
  }

  /** Bytes off the heap, but for mapped files, that all graphs here may take together. */
  static synchronized long offHeapLimit() {
    return SparkEnv.get() == null ? 0 : direct().limit();
  }

  /** Bytes that are free for further files in the local directory that has most. */
  static long diskFree() {
    // A disk that does not answer keeps nobody else waiting.
    MappedMemory files = files();
    return files == null ? 0 : files.mostFree();
  }

  private static synchronized MappedMemory files() {
    return SparkEnv.get() == null ? null : mapped();
  }

  private static EdgeHome wantedHere() {
    SparkEnv now = SparkEnv.get();
    return now == null ? EdgeHome.HEAP : wanted(now.conf());
  }

  private static DirectMemory direct() {
    renew();
    if (direct == null) {
      direct = new DirectMemory(budget());
    }
    return direct;
  }

  private static MappedMemory mapped() {
    renew();
    if (mapped == null) {
      File[] local = env.blockManager().diskBlockManager().localDirs();
      List<Path> paths = Arrays.stream(local).map(File::toPath).toList();
      mapped = new MappedMemory(paths, budget());
    }
    return mapped;
  }

  private static void renew() {
    SparkEnv now = SparkEnv.get();
    if (now != env) {
      env = now;
      budget = null;
      direct = null;
      mapped = null;
    }
  }

  /**
   * Bytes off the heap that Spark was told of for an executor.
   *
   * @param onDriver whether it is the driver's JVM, as with a local master
   */
  public static long told(SparkConf conf, boolean onDriver) {
    return isSparks(conf)
        ? JavaUtils.byteStringAsBytes(conf.get(SIZE, "0"))
        : Math.max(
            0,
            (JavaUtils.byteStringAs(conf.get(overhead(onDriver), "0"), ByteUnit.MiB) << 20)
                - OTHERS);
  }

  private static boolean isSparks(SparkConf conf) {
    return conf.getBoolean("spark.memory.offHeap.enabled", false);
  }

  private static String overhead(boolean onDriver) {
    return onDriver ? "spark.driver.memoryOverhead" : "spark.executor.memoryOverhead";
  }

  private static DirectMemory.Budget budget() {
    if (budget == null) {
      budget = newBudget();
    }
    return budget;
  }

  private static DirectMemory.Budget newBudget() {
    SparkConf conf = env.conf();
    if (isSparks(conf)) {
      return new SparkPool(env.memoryManager(), conf.get(SIZE, "0"));
    }
    boolean onDriver = "driver".equals(env.executorId());
    String key = overhead(onDriver);
    return DirectMemory.Budget.of(
        told(conf, onDriver),
        "set spark.memory.offHeap.enabled and spark.memory.offHeap.size, or raise "
            + key
            + ", of which 384 MB are left to others");
  }

  /** Spark's memory off the heap, whose cached blocks make room. */
  static final class SparkPool implements DirectMemory.Budget {
    private final MemoryManager manager;
    private final String size;
    private final AtomicLong taken = new AtomicLong();

    /**
     * @param size as it was configured
     */
    SparkPool(MemoryManager manager, String size) {
      this.manager = manager;
      this.size = size;
    }

    @Override
    public boolean take(long bytes) {
      boolean done = bytes == 0 || manager.acquireStorageMemory(NAME, bytes, MemoryMode.OFF_HEAP);
      taken.addAndGet(done ? bytes : 0);
      return done;
    }

    @Override
    public boolean hasRoom(long bytes) {
      // To acquire them for an answer would drop cached blocks of the application.
      return bytes <= manager.maxOffHeapStorageMemory() - taken.get();
    }

    @Override
    public void give(long bytes) {
      manager.releaseStorageMemory(bytes, MemoryMode.OFF_HEAP);
      taken.addAndGet(-bytes);
    }

    @Override
    public long limit() {
      return manager.maxOffHeapStorageMemory();
    }

    @Override
    public String describe() {
      return "Spark has not as much free of its %s (raise spark.memory.offHeap.size)"
          .formatted(size);
    }
  }
}
