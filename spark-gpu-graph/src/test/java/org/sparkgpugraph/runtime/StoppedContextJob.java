package org.sparkgpugraph.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.sparkgpugraph.runtime.held.ExecutorRegistry;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/** A context that stops in the middle of a run over several shards; run by {@link ContextsTest}. */
final class StoppedContextJob {
  private StoppedContextJob() {}

  public static void main(String[] args) throws IOException {
    Path scratch = Path.of(args[0]);
    JavaSparkContext context =
        new JavaSparkContext(
            new SparkConf()
                .setMaster("local[2]")
                .setAppName("stopped")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1")
                .set("spark.checkpoint.dir", scratch.toString()));
    context.setLogLevel("ERROR");
    TestProgram<Integer, Integer, Integer, Integer, Integer> program =
        new TestProgram<Integer, Integer, Integer, Integer, Integer>(
                "sums", Integer.class, Integer.class, Integer.class, Integer.class)
            .inputs(random -> 1, random -> 1)
            .everyVertex(0)
            .vertex((id, value, message) -> value + message)
            .send(edge -> edge.sendToDst(edge.srcAttr()))
            .merge(Integer::sum)
            .maxIterations(1 << 20);
    TestGraph<Integer, Integer> graph =
        program.on(RandomGraphs.of(RandomGraphs.Shape.SKEWED, 5), 5);
    SparkShardTrial<Integer, Integer, Integer, Integer, Integer> trial =
        new SparkShardTrial<>(context.sc(), graph, program, 2, 1);
    trial.checkpointInterval = 2;
    AtomicReference<CompletableFuture<Void>> stop = new AtomicReference<>();
    trial.listener =
        stats -> {
          if (stats.superstep() == 5) {
            assertThat(runFolders(scratch)).hasSize(1);
            stop.set(CompletableFuture.runAsync(context::stop));
          }
        };
    assertThatThrownBy(trial::run).isInstanceOf(Exception.class);
    stop.get().join();
    trial.close();
    assertThat(ExecutorRegistry.size()).isZero();
    assertThat(runFolders(scratch)).isEmpty();
    System.out.println("stopped: done");
  }

  private static List<Path> runFolders(Path folder) {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(p -> p.getFileName().toString().startsWith("spark-gpu-graph-")).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
