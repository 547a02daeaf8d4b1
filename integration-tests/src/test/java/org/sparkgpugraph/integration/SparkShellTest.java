package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The imports that most Spark code begins with, in Spark's shell: none of our packages may hide one
 * of Spark's, nor what the shell itself has in scope.
 */
class SparkShellTest {
  private static final String LINES =
      """
      import org.apache.spark._
      import org.apache.spark.graphx._
      val level = storage.StorageLevel.MEMORY_ONLY
      val edges = sc.parallelize((1L until 10L).map(v => Edge(v, v + 1, 0.25)), 2)
      val graph = graphx.Graph.fromEdges(edges, Double.PositiveInfinity, level, level)
      import org.sparkgpugraph._
      val begun = graph.mapVertices((id, far) => if (id == 1) 0.0 else far)
      val paths = scaladsl.GpuPregel(begun, Double.PositiveInfinity)(
        (id: VertexId, distance: Double, message: Double) => math.min(distance, message),
        (edge: EdgeTriplet[Double, Double]) =>
          if (edge.srcAttr + edge.attr < edge.dstAttr) Iterator((edge.dstId, edge.srcAttr + edge.attr))
          else Iterator.empty,
        (a: Double, b: Double) => math.min(a, b))
      println("sum of distances: " + paths.vertices.values.sum)
      println("ranks: " + lib.PageRank.run(graph, 3).vertices.count)
      println("rows of the session: " + spark.range(7).count)
      :quit
      """;

  @TempDir Path scratch;

  @Test
  void theUsualImportsHideNothing() throws Exception {
    assumeTrue(
        Product.sparkClassPath().contains("spark-repl"),
        "the shell is among the jars of the default line only");
    List<String> command = new ArrayList<>();
    command.add(Command.ofJdk("java"));
    command.addAll(Product.jvmOptions());
    command.addAll(List.of(Command.SHORT_LIVED.split(" ")));
    command.addAll(
        List.of(
            "-Xmx640m",
            "-Dscala.usejavacp=true",
            "-Djava.io.tmpdir=" + scratch,
            "-Dlog4j2.configurationFile=" + Product.root().resolve("conf/log4j2.properties"),
            "-cp",
            Product.sparkHome().resolve("jars") + File.separator + "*",
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            "local[1]",
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.driver.host=127.0.0.1",
            "--conf",
            "spark.driver.bindAddress=127.0.0.1",
            "--conf",
            "spark.gpugraph.fallback=never",
            "--jars",
            Product.libraryJar().toString(),
            "--class",
            "org.apache.spark.repl.Main",
            "--name",
            "Spark shell",
            "spark-shell"));
    Command.Ended ended = Command.run(scratch, Map.of(), LINES, command);
    assertThat(ended.status()).as("%s", ended).isZero();
    // 0.25 + … + 9 * 0.25.
    assertThat(ended.out())
        .as("%s", ended)
        .contains("sum of distances: 11.25", "ranks: ", "rows of the session: 7")
        .doesNotContain("error:", "-- Error");
  }
}
