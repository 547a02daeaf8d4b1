package org.sparkgpugraph.integration;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.graphs.memory.OffHeapArray;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.model.GraphPartition;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import scala.Tuple2;

/** What tests do inside of executors. */
final class Remote {
  /** See {@link #held}. */
  static final String NOTHING = "0 things, 0 bytes of devices";

  private static final int TASKS_PER_CORE = 3;
  private static final int PAUSE_MILLIS = 60;

  private Remote() {}

  /** What the library holds in each executor: graphs, runs, results and memory of devices. */
  static Map<String, String> held(JavaSparkContext sc) {
    return new HashMap<>(
        everywhere(sc)
            .mapToPair(i -> new Tuple2<>(SparkEnv.get().executorId(), heldHere()))
            .collectAsMap());
  }

  /** Tasks that pause before what they do, so that every executor gets some. */
  private static JavaRDD<Integer> everywhere(JavaSparkContext sc) {
    int tasks = TASKS_PER_CORE * sc.defaultParallelism();
    return sc.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
        .map(
            i -> {
              Thread.sleep(PAUSE_MILLIS);
              return i;
            });
  }

  /** What the library holds in this process. */
  static String heldHere() {
    return number("size") + " things, " + number("deviceBytes") + " bytes of devices";
  }

  private static Number number(String method) {
    try {
      Class<?> registry = Class.forName("org.sparkgpugraph.runtime.held.ExecutorRegistry");
      Method found = registry.getDeclaredMethod(method);
      found.setAccessible(true);
      return (Number) found.invoke(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("asking the registry for its " + method, e);
    }
  }

  /** Sets something in all executors that are there, as if they had been started with it. */
  static void set(JavaSparkContext sc, String key, String value) {
    everywhere(sc).foreach(i -> SparkEnv.get().conf().set(key, value));
  }

  /**
   * Has an executor's disk no longer give what a shard has in mapped files: who reads it gets what
   * the system makes of such a page.
   *
   * @param key of the shard
   */
  static void loseEdges(JavaSparkContext sc, String key) {
    everywhere(sc)
        .foreach(
            i -> {
              if (ExecutorRegistry.holds(key)) {
                for (GraphPartition part : ExecutorRegistry.graph(key).graph().partitions()) {
                  lose(part.inEdges().offHeap());
                }
              }
            });
  }

  private static void lose(OffHeapArray array) throws ReflectiveOperationException, IOException {
    Field field = OffHeapArray.class.getDeclaredField("typed");
    field.setAccessible(true);
    Buffer[] chunks = (Buffer[]) field.get(array);
    for (int c = 0; c < chunks.length; c++) {
      Path path = Files.createTempFile("lost", "");
      try (FileChannel file =
          FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
        int bytes = array.chunk(c).capacity();
        file.write(ByteBuffer.allocate(1), bytes - 1);
        ByteBuffer mapped = file.map(FileChannel.MapMode.READ_ONLY, 0, bytes);
        file.truncate(0);
        chunks[c] = mapped.order(ByteOrder.nativeOrder()).asIntBuffer();
      } finally {
        Files.delete(path);
      }
    }
  }

  /** A job that takes an executor's memory until there is no more. */
  record Hoarding(JavaFutureAction<Void> job) {
    /** Waits for its end; whether Spark ran its tasks again elsewhere does not matter. */
    void await() throws Exception {
      try {
        job.get(60, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        throw new AssertionError("the tasks that were lost with the executor did not run again", e);
      }
    }
  }

  /** Keeps one executor of one core busy, and the others for a moment. */
  static JavaFutureAction<Void> occupy(JavaSparkContext sc, String id, long millis) {
    int tasks = sc.defaultParallelism();
    return sc.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
        .foreachAsync(
            i -> Thread.sleep(SparkEnv.get().executorId().equals(id) ? millis : PAUSE_MILLIS));
  }

  /** Keeps one executor of one core busy as long as a file is there, and others for a moment. */
  static JavaFutureAction<Void> occupy(JavaSparkContext sc, String id, Path file) {
    int tasks = sc.defaultParallelism();
    String name = file.toString();
    return sc.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
        .foreachAsync(
            i -> {
              Thread.sleep(PAUSE_MILLIS);
              while (SparkEnv.get().executorId().equals(id) && Files.exists(Path.of(name))) {
                Thread.sleep(PAUSE_MILLIS);
              }
            });
  }

  /** Runs one executor out of its memory, for real: its JVM ends. */
  static Hoarding exhaust(JavaSparkContext sc, String id) {
    return new Hoarding(
        everywhere(sc)
            .foreachAsync(
                i -> {
                  if (SparkEnv.get().executorId().equals(id)) {
                    hoard();
                  }
                }));
  }

  /** The same blocks; the first task that finds the file removes it and runs out of memory. */
  static JavaRDD<EdgeBlock> hoardOnce(JavaRDD<EdgeBlock> blocks, Path file) {
    String name = file.toString();
    return blocks.map(
        block -> {
          if (Files.deleteIfExists(Path.of(name))) {
            hoard();
          }
          return block;
        });
  }

  private static void hoard() {
    List<long[]> all = new ArrayList<>();
    while (true) {
      all.add(new long[1 << 20]);
    }
  }
}
