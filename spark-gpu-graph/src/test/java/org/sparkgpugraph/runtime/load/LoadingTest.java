package org.sparkgpugraph.runtime.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.EngineChoice;
import org.sparkgpugraph.runtime.cluster.GraphMemoryException;
import org.sparkgpugraph.runtime.cluster.RegistryKey;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.runtime.held.Staging;
import org.sparkgpugraph.testing.SharedSpark;

/** Builds that end early. */
@ExtendWith(SharedSpark.class)
class LoadingTest {
  private final JavaSparkContext context;

  LoadingTest(JavaSparkContext context) {
    this.context = context;
  }

  /** An executor whose JVM has no piece of memory for an array refuses the graph, and lives on. */
  @Test
  void aBuildWithoutMemoryIsARefusal() {
    String key = RegistryKey.of(context.sc(), "graph");
    ValueType type = new ValueType.Scalar(Kind.INT);
    LoadTask task =
        new LoadTask(
            key,
            null,
            null,
            new LoadTask.Source(type, type, false, 1, false),
            new LoadTask.How(EngineChoice.CPU, null, 1, 2, false),
            null,
            true,
            List.of());
    Staging staging = new Staging(key, null);
    staging.vertices(
        0,
        () -> {
          throw new OutOfMemoryError("Java heap space");
        });
    ExecutorRegistry.reserve(key, 4096);
    assertThatThrownBy(() -> Loading.build(task, staging))
        .isInstanceOf(GraphMemoryException.class)
        .hasNoCause()
        .hasMessageStartingWith("graph " + key + " does not fit executor driver: the JVM has no")
        .hasMessageContaining("(Java heap space), with 4096 bytes reserved for it of a heap of ")
        .hasMessageEndingWith("raise spark.driver.memory, or close graphs that are not needed");
    assertThat(ExecutorRegistry.buildBytes()).isZero();
    staging.close();
    ExecutorRegistry.remove(key);
  }
}
