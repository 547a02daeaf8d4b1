package org.sparkgpugraph.integration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lambdas typed into jshell, whose classes exist in memory only. */
class JshellTest {
  private static final String SNIPPETS =
      """
      import org.sparkgpugraph.*;
      import org.sparkgpugraph.function.*;
      import org.sparkgpugraph.run.*;
      import org.apache.spark.SparkConf;
      import org.apache.spark.api.java.*;
      import org.apache.spark.graphx.*;
      import org.apache.spark.storage.StorageLevel;
      import scala.reflect.*;
      var conf = new SparkConf().setMaster("local[1]").setAppName("jshell")
      conf.set("spark.ui.enabled", "false").set("spark.driver.host", "127.0.0.1")
      conf.set("spark.driver.bindAddress", "127.0.0.1").set("spark.gpugraph.fallback", "never")
      var sc = new JavaSparkContext(conf)
      ClassTag<Double> doubles = (ClassTag<Double>) (Object) ClassTag$.MODULE$.Double()
      var edges = new ArrayList<Edge<Double>>()
      for (long v = 1; v < 10; v++) edges.add(new Edge<Double>(v, v + 1, 0.5))
      var level = StorageLevel.MEMORY_ONLY()
      var graph = Graph.fromEdges(sc.parallelize(edges, 2).rdd(), (Double) 0.0, level, level, doubles, doubles)
      VertexProgram<Double, Double> nearer = (id, distance, message) -> Math.min(distance, message)
      double halve(double weight) { return weight / 2; }
      var paths = GpuPregel.on(graph, Double.class, Double.class).
          state((id, attribute, in, out) -> id == 1 ? 0.0 : Double.POSITIVE_INFINITY).
          initialMessage(Double.POSITIVE_INFINITY).
          activeDirection(EdgeDirection.Out()).
          vertexProgram(nearer).
          sendMessage(edge -> {
            double distance = edge.srcAttr() + halve(edge.attr());
            if (distance < edge.dstAttr()) {
              edge.sendToDst(distance);
            }
          }).
          mergeMessage(Math::min).
          run()
      double sum = 0;
      for (var v : paths.vertices().toJavaRDD().collect()) sum += v._2()
      System.out.println("sum of distances: " + sum)
      sc.stop()
      /exit
      """;

  @TempDir Path scratch;

  @Tag("smoke")
  @Test
  void lambdasOfJshellAreLifted() throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Command.ofJdk("jshell"));
    command.add("--feedback");
    command.add("concise");
    command.add("--class-path");
    command.add(Product.libraryJar() + File.pathSeparator + Product.sparkClassPath());
    for (String option : Product.jvmOptions()) {
      command.add("-R" + option);
    }
    command.add("-R-Xmx512m");
    command.add("-R-XX:TieredStopAtLevel=1");
    command.add("-R-Dlog4j2.configurationFile=" + Product.root().resolve("conf/log4j2.properties"));
    Command.Ended ended = Command.run(scratch, Map.of(), SNIPPETS, command);
    assertThat(ended.status()).as("%s", ended).isZero();
    // Nine edges of 0.25 each, one after the other.
    assertThat(ended.out()).as("%s", ended).contains("sum of distances: 11.25");
  }
}
