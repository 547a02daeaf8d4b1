package io.sparkgpugraph.integration;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaFutureAction;
import org.apache.spark.api.java.JavaSparkContext;
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
    int tasks = TASKS_PER_CORE * sc.defaultParallelism();
    // Tasks that pause, so that every executor gets some.
    return new HashMap<>(
        sc.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
            .mapToPair(
                i -> {
                  Thread.sleep(PAUSE_MILLIS);
                  return new Tuple2<>(SparkEnv.get().executorId(), held());
                })
            .collectAsMap());
  }

  private static String held() throws ReflectiveOperationException {
    return number("size") + " things, " + number("deviceBytes") + " bytes of devices";
  }

  private static Number number(String method) throws ReflectiveOperationException {
    Class<?> registry = Class.forName("io.sparkgpugraph.spark.ExecutorRegistry");
    Method found = registry.getDeclaredMethod(method);
    found.setAccessible(true);
    return (Number) found.invoke(null);
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

  /** Runs one executor out of its memory, for real: its JVM ends. */
  static Hoarding exhaust(JavaSparkContext sc, String id) {
    int tasks = TASKS_PER_CORE * sc.defaultParallelism();
    return new Hoarding(
        sc.parallelize(IntStream.range(0, tasks).boxed().toList(), tasks)
            .foreachAsync(
                i -> {
                  Thread.sleep(PAUSE_MILLIS);
                  if (SparkEnv.get().executorId().equals(id)) {
                    hoard();
                  }
                }));
  }

  private static void hoard() {
    List<long[]> all = new ArrayList<>();
    while (true) {
      all.add(new long[1 << 20]);
    }
  }
}
