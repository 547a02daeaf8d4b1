package org.sparkgpugraph.scaladsl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.graphx.Graph;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.BlockManager;
import org.apache.spark.storage.RDDBlockId;
import org.apache.spark.storage.StorageLevel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.testing.SharedSpark;

/** What is made of a result outlives the result, as in stock GraphX. */
@ExtendWith(SharedSpark.class)
@Tag("any-spark-4")
class DerivedGraphsTest {
  private static Graph<Object, Object> run(Graph<Object, Object> input) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(input.vertices().sparkContext());
    context.setLocalProperty(GpuGraphConf.FALLBACK.key(), "never");
    try {
      return DerivedGraphs.run(input, false);
    } finally {
      context.setLocalProperty(GpuGraphConf.FALLBACK.key(), null);
    }
  }

  private static RDD<?> partitions(Graph<?, ?> graph) {
    return graph.vertices().partitionsRDD();
  }

  /** Whether Spark holds a block of an RDD, in memory or on disk. */
  private static boolean held(int rdd) {
    BlockManager blocks = SparkEnv.get().blockManager();
    return blocks.getStatus(new RDDBlockId(rdd, 0)).isDefined();
  }

  @Test
  void graphsThatWereDerivedOutliveTheResult(JavaSparkContext context) {
    Graph<Object, Object> stockInput = DerivedGraphs.input(context.sc()).cache();
    Graph<Object, Object> stock = DerivedGraphs.run(stockInput, true);
    for (String name : DerivedGraphs.names()) {
      String expected = DerivedGraphs.content(DerivedGraphs.derived(name, stock, true));
      for (int way = 0; way < 3; way++) {
        Graph<Object, Object> input = DerivedGraphs.input(context.sc()).cache();
        Graph<Object, Object> result = run(input);
        Graph<Object, Object> derived = DerivedGraphs.derived(name, result, false);
        if (way == 0) {
          result.unpersist(true);
        } else if (way == 1) {
          result.unpersistVertices(true);
        } else {
          // The idiom that empties all caches, and nothing of the input is there either.
          context.getPersistentRDDs().values().forEach(rdd -> rdd.unpersist(true));
          result.unpersist(false);
          input.unpersist(true);
        }
        assertThat(DerivedGraphs.content(derived)).as("%s, way %s", name, way).isEqualTo(expected);
        // Once more: nothing of it was cached.
        assertThat(DerivedGraphs.content(derived)).isEqualTo(expected);
      }
    }
    stock.unpersist(false);
    stockInput.unpersist(false);
  }

  @Test
  void theResultItselfStaysUsableAndCanBePersistedAgain(JavaSparkContext context) {
    Graph<Object, Object> input = DerivedGraphs.input(context.sc());
    String expected = DerivedGraphs.content(DerivedGraphs.run(input, true));
    Graph<Object, Object> result = run(input);
    int id = partitions(result).id();
    assertThat(result.vertices().getStorageLevel()).isEqualTo(StorageLevel.MEMORY_AND_DISK());
    assertThat(context.getPersistentRDDs()).containsKey(id);
    result.unpersist(true);
    assertThat(result.vertices().getStorageLevel()).isEqualTo(StorageLevel.NONE());
    assertThat(context.getPersistentRDDs()).doesNotContainKey(id);
    assertThat(DerivedGraphs.content(result)).isEqualTo(expected);
    result.persist(StorageLevel.MEMORY_ONLY());
    assertThat(result.vertices().getStorageLevel()).isEqualTo(StorageLevel.MEMORY_ONLY());
    assertThat(context.getPersistentRDDs()).containsKey(id);
    assertThat(DerivedGraphs.content(result)).isEqualTo(expected);
    result.unpersist(true);
    assertThat(DerivedGraphs.content(result)).isEqualTo(expected);
  }

  /** Each step is made of the one before, which is unpersisted: one may be there, not all. */
  @Test
  @Timeout(120)
  void whatNobodyRefersToIsFreed(JavaSparkContext context) throws Exception {
    Graph<Object, Object> input = DerivedGraphs.input(context.sc()).cache();
    Graph<Object, Object> graph = input;
    Set<Integer> earlier = new HashSet<>();
    for (int step = 0; step < 5; step++) {
      Graph<Object, Object> next = run(graph);
      if (step > 0) {
        earlier.add(partitions(graph).id());
        graph.unpersist(false);
      }
      graph = next;
    }
    int last = partitions(graph).id();
    for (long end = System.nanoTime() + 60_000_000_000L;
        earlier.stream().anyMatch(DerivedGraphsTest::held); ) {
      assertThat(System.nanoTime()).as("still held: %s", earlier).isLessThan(end);
      System.gc();
      Thread.sleep(50);
    }
    assertThat(held(last)).isTrue();
    assertThat(DerivedGraphs.content(graph)).isNotEmpty();
    graph.unpersist(false);
    input.unpersist(false);
  }

  @Test
  void aBlockThatIsLostIsToldAndACheckpointOfWhatWasMadeOfItIsSafe(
      JavaSparkContext context, @TempDir Path folder) {
    Graph<Object, Object> input = DerivedGraphs.input(context.sc()).cache();
    Graph<Object, Object> result = run(input);
    context.setCheckpointDir(folder.toString());
    Graph<Object, Object> safe = DerivedGraphs.derived("mapVertices", result, false);
    String expected = DerivedGraphs.content(DerivedGraphs.derived("mapVertices", result, false));
    safe.checkpoint();
    safe.vertices().count();
    safe.edges().count();
    RDDBlockId block = new RDDBlockId(partitions(result).id(), 0);
    SparkEnv.get().blockManager().removeBlock(block, true);
    assertThatThrownBy(() -> result.vertices().count())
        .hasStackTraceContaining("nothing can compute it again: run the program again");
    result.unpersist(true);
    input.unpersist(true);
    assertThat(DerivedGraphs.content(safe)).isEqualTo(expected);
  }
}
