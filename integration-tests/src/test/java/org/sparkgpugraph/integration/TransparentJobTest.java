package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A user's jar that knows GraphX alone, through spark-submit with {@code --jars}: the loader of
 * GraphX's classes does not see the library's.
 */
class TransparentJobTest {
  private static final String USER_JOB =
      """
      package user;

      import java.util.*;
      import org.apache.spark.*;
      import org.apache.spark.api.java.JavaSparkContext;
      import org.apache.spark.graphx.*;
      import org.apache.spark.storage.StorageLevel;
      import scala.Tuple2;
      import scala.reflect.*;

      public final class GraphXJob {
        public static void main(String[] arguments) {
          List<Edge<Integer>> edges = new ArrayList<>();
          for (long v = 1; v <= 300; v++) {
            edges.add(new Edge<>(v, v % 100 == 0 ? v - 99 : v + 1, 1));
          }
          try (JavaSparkContext sc = new JavaSparkContext(new SparkConf().setAppName("user"))) {
            StorageLevel level = StorageLevel.MEMORY_ONLY();
            ClassTag tag = ClassTag$.MODULE$.Int();
            Graph<Integer, Integer> graph = Graph.fromEdges(
                (org.apache.spark.rdd.RDD) sc.parallelize(edges, 2).rdd(), 1, level, level, tag, tag);
            Map<Object, Integer> sizes = new TreeMap<>();
            for (Tuple2<Object, Object> vertex :
                graph.ops().connectedComponents().vertices().toJavaRDD().collect()) {
              sizes.merge(vertex._2(), 1, Integer::sum);
            }
            System.out.println("components " + sizes);
          }
        }
      }
      """;

  private static final String KEY = "spark.gpugraph.transparent";

  @Tag("smoke")
  @Test
  void anUnchangedJarRunsHereWithTwoSettings(@TempDir Path scratch) throws Exception {
    Path job = Jars.compiled(scratch, "user.GraphXJob", USER_JOB);
    Command.Ended ended = submit(scratch, "user.GraphXJob", job, KEY + "=true");
    assertThat(ended.status()).as(ended.toString()).isZero();
    assertThat(ended.out()).as(ended.toString()).contains("components {1=100, 101=100, 201=100}");
    assertThat(ended.err())
        .contains("transparent mode is on", "lib.ConnectedComponents.run ran on spark-gpu-graph")
        .doesNotContain("stay stock GraphX");
  }

  @Test
  void whatIsOffByDefaultRunsHereWhenItsKeysAreTrue(@TempDir Path scratch) throws Exception {
    Path job = Jars.ofClass(OffByDefaultJob.class, scratch.resolve("user.jar"));
    Command.Ended ended =
        submit(
            scratch,
            OffByDefaultJob.class.getName(),
            job,
            KEY + "=true",
            KEY + ".parallelPersonalizedPageRank=true",
            KEY + ".labelPropagation=true",
            KEY + ".svdPlusPlus=true");
    assertThat(ended.status()).as(ended.toString()).isZero();
    assertThat(ended.out().lines())
        .as(ended.toString())
        .contains(
            "30 ranks, above zero in the clique of the source alone: true",
            "labels: {1=10, 11=10, 21=10}",
            "errors of ratings: small");
    assertThat(ended.err().lines().filter(line -> line.contains(" CallHook: ")))
        .as(ended.toString())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .endsWith(
                        "lib.PageRank.runParallelPersonalizedPageRank ran on spark-gpu-graph"),
            line -> assertThat(line).endsWith("lib.LabelPropagation.run ran on spark-gpu-graph"),
            line -> assertThat(line).endsWith("lib.SVDPlusPlus.run ran on spark-gpu-graph"));
  }

  private static Command.Ended submit(Path scratch, String mainClass, Path job, String... settings)
      throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "--master",
                "local-cluster[1,1,512]",
                "--jars",
                Product.libraryJar().toString(),
                "--conf",
                "spark.plugins=org.sparkgpugraph.GpuGraphPlugin",
                "--class",
                mainClass));
    for (String setting : settings) {
      arguments.addAll(List.of("--conf", setting));
    }
    arguments.add(job.toString());
    return Command.sparkSubmit(scratch, arguments);
  }
}
