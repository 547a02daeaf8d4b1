package org.sparkgpugraph.testing;

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
 * parameter, or {@link #context()}. A test that needs another configuration runs in a JVM of its
 * own.
 *
 * <p>When a shuffle cannot be fetched, Spark takes the executor for lost and forgets its block
 * manager; a local master's cannot register again (its executor asks a scheduler that there is none
 * of). Blocks are then neither found nor removed, and large results of tasks are lost. A test that
 * loses a shuffle on purpose therefore ends the context, and the next gets another.
 */
public final class SharedSpark implements BeforeAllCallback, AfterEachCallback, ParameterResolver {
  private static JavaSparkContext context;

  /** The context; started on first use, stopped when the JVM ends. Not to be kept. */
  public static synchronized JavaSparkContext context() {
    if (context == null) {
      context =
          JavaSparkContext.fromSparkContext(
              SparkContext.getOrCreate(
                  new SparkConf()
                      .setMaster("local[2]")
                      .setAppName("spark-gpu-graph tests")
                      .set("spark.ui.enabled", "false")
                      .set("spark.driver.host", "127.0.0.1")
                      .set("spark.driver.bindAddress", "127.0.0.1")
                      .set("spark.default.parallelism", "2")));
      context.setLogLevel("WARN");
      JavaSparkContext started = context;
      Runtime.getRuntime().addShutdownHook(new Thread(started::stop));
    }
    return context;
  }

  /** Stops the context if its block manager was forgotten; whether it was. */
  static synchronized boolean stopIfForgotten() {
    if (context == null) {
      return false;
    }
    BlockManager blocks = context.env().blockManager();
    if (blocks.master().getMemoryStatus().contains(blocks.blockManagerId())) {
      return false;
    }
    context.stop();
    context = null;
    return true;
  }

  @Override
  public void afterEach(ExtensionContext extension) {
    stopIfForgotten();
  }

  @Override
  public void beforeAll(ExtensionContext extension) {
    context();
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
