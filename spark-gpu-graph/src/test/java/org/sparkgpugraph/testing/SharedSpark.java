package org.sparkgpugraph.testing;

import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockManager;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One {@code local[2]} Spark for all tests of the module: a context takes seconds to start. Test
 * classes take it with {@code @ExtendWith(SharedSpark.class)} and a {@link JavaSparkContext}
 * parameter, or {@link #context()}. A test after one that broke the context gets another. A test
 * that needs another configuration runs in a JVM of its own.
 */
public final class SharedSpark implements BeforeAllCallback, AfterEachCallback, ParameterResolver {
  /**
   * For sessions of tests that plan many queries over a few rows: code takes longer to compile than
   * expressions to walk. What applications have is in the other tests of tables.
   */
  public static final Map<String, String> INTERPRETED =
      Map.of(
          "spark.sql.codegen.wholeStage", "false", "spark.sql.codegen.factoryMode", "NO_CODEGEN");

  private static JavaSparkContext context;

  /** The context; started on first use, stopped when the JVM ends. */
  public static synchronized JavaSparkContext context() {
    if (context == null || context.sc().isStopped()) {
      context =
          JavaSparkContext.fromSparkContext(
              SparkContext.getOrCreate(
                  new SparkConf()
                      .setMaster("local[2]")
                      .setAppName("spark-gpu-graph tests")
                      .set("spark.ui.enabled", "false")
                      .set("spark.driver.host", "127.0.0.1")
                      .set("spark.driver.bindAddress", "127.0.0.1")
                      .set("spark.default.parallelism", "2")
                      // Tables are small: each of the 200 that Spark makes takes a task.
                      .set("spark.sql.shuffle.partitions", "4")));
      context.setLogLevel("WARN");
      Runtime.getRuntime().addShutdownHook(new Thread(context::stop));
    }
    return context;
  }

  /**
   * Puts another context in the place of one that has lost its block manager. A fetch that fails,
   * as some tests want it, makes Spark take the executor for lost. In local mode that is the driver
   * itself, which Spark then never registers again: results of more than a megabyte are lost from
   * then on, and ten minutes later the context is stopped.
   */
  static synchronized void renewIfBroken() {
    if (context != null && !context.sc().isStopped() && !isRegistered()) {
      context.stop();
    }
  }

  private static boolean isRegistered() {
    BlockManager blocks = context.env().blockManager();
    return blocks.master().getMemoryStatus().contains(blocks.blockManagerId());
  }

  @Override
  public void beforeAll(ExtensionContext extension) {
    renewIfBroken();
    context();
  }

  @Override
  public void afterEach(ExtensionContext extension) {
    renewIfBroken();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext extension) {
    return parameter.getParameter().getType() == JavaSparkContext.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext extension) {
    return context();
  }
}
