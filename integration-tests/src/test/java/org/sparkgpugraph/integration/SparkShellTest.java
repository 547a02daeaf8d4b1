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
 * Programs in Spark's shell. The imports that most Spark code begins with: none of our packages may
 * hide one of Spark's, nor what the shell itself has in scope. And closures over what earlier lines
 * defined, which are fields of the shell's own objects. And GraphX's own calls in transparent mode.
 */
class SparkShellTest {
  /** Over what earlier lines defined. */
  private static final String PROGRAM =
      """
      ones, 1.0, 3)(
        (id: VertexId, value: Double, message: Double) =>
          Model.step(value) + message * late + table((id % 3).toInt) + bias,
        (e: EdgeTriplet[Double, Double]) => send(e),
        (a: Double, b: Double) => math.max(a, b)""";

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
      val damping = 0.75
      var bias = 0.5
      lazy val late = damping * 2
      val table = Array(1.0, 2.0, 4.0)
      val weights = Map(1L -> 2.0, 3L -> 0.25)
      object Model extends Serializable { val rate = 0.5; var times = 2; def step(x: Double) = x * rate * times }
      def scaled(x: Double): Double = x * damping + bias
      def send(e: EdgeTriplet[Double, Double]): Iterator[(VertexId, Double)] =
        Iterator((e.dstId, scaled(e.srcAttr) * weights.getOrElse(e.srcId, 0.5)))
      val ones = graph.mapVertices((_, _) => 1.0)
      bias = 0.25
      val ours = scaladsl.GpuPregel(PROGRAM).vertices.collect.sortBy(_._1).toList
      val stock = Pregel(PROGRAM).vertices.collect.sortBy(_._1).toList
      println("over earlier lines: " + (ours == stock) + " of " + ours.map(_._2).distinct.size)
      case class Rank(value: Double, steps: Int) { def next(by: Double) = copy(value + by, steps + 1) }
      val ranks = ones.mapVertices((id, v) => Rank(v + id % 2, 0)).cache()
      def step(rank: Rank, message: Rank) =
        if (message == rank) rank.next(late) else Rank(rank.value + message.value * damping, message.steps + 1)
      val ourRanks = scaladsl.GpuPregel(ranks, Rank(1.0, 0), 3)(
        (id: VertexId, rank: Rank, message: Rank) => step(rank, message),
        (e: EdgeTriplet[Rank, Double]) => Iterator((e.dstId, e.srcAttr)), (a: Rank, b: Rank) => b).vertices
      val stockRanks = Pregel(ranks, Rank(1.0, 0), 3)(
        (id: VertexId, rank: Rank, message: Rank) => step(rank, message),
        (e: EdgeTriplet[Rank, Double]) => Iterator((e.dstId, e.srcAttr)), (a: Rank, b: Rank) => b).vertices
      println("a class of a line: " + (ourRanks.collect.toMap == stockRanks.collect.toMap) + " of " + ourRanks.values.distinct.count)
      val factor = 2.0; case class Own(value: Double, steps: Int) { def scaled = value * factor }
      def owns(fallback: String) = {
        sc.setLocalProperty("spark.gpugraph.fallback", fallback)
        scaladsl.GpuPregel(ones.mapVertices((_, v) => Own(v, 0)), 1.0, 2)(
          (id: VertexId, own: Own, message: Double) => Own(own.scaled + message, own.steps + 1),
          (e: EdgeTriplet[Own, Double]) => Iterator((e.dstId, e.srcAttr.value)), (a: Double, b: Double) => a + b)
          .vertices.map(_._2.steps).sum
      }
      println("a class that uses its line: " + owns("auto"))
      println("why: " + scala.util.Try(owns("never")).failed.get.getMessage)
      sc.setLocalProperty("spark.gpugraph.fallback", "never")
      :paste -raw
      package model
      case class Level(value: Double, steps: Int)
      \u0004
      import model._
      val levels = scaladsl.GpuPregel(ones.mapVertices((_, v) => Level(v, 0)), Level(1.0, 0), 2)(
        (id: VertexId, level: Level, message: Level) => level.copy(level.value + message.value, level.steps + 1),
        (e: EdgeTriplet[Level, Double]) => Iterator((e.dstId, e.srcAttr)),
        (a: Level, b: Level) => Level(a.value + b.value, a.steps))
      println("a class of a package: " + levels.vertices.map(_._2.steps).sum)
      :quit
      """;

  /** GraphX's own calls: nothing of the library is named. SIDE is where they are to run. */
  private static final String CALLS =
      """
      val SIDERanks = graph.pageRank(0.001).vertices.collect.sortBy(_._1).toList
      val SIDEFar = begun.pregel(Double.PositiveInfinity)(
        (id, distance, message) => math.min(distance, message),
        edge => {
          val far = edge.srcAttr + edge.attr * scale
          if (far < edge.dstAttr) Iterator((edge.dstId, far)) else Iterator.empty
        },
        (a, b) => math.min(a, b)).vertices.collect.sortBy(_._1).toList
      val SIDELevels = Pregel(begun.mapVertices((id, _) => Level(if (id == 1) 0 else -1, 0)), -1, 4, EdgeDirection.Either)(
        (id: VertexId, level: Level, message: Int) =>
          if (message > level.depth) Level(message, level.changes + 1) else level.copy(changes = level.changes + 2),
        (edge: EdgeTriplet[Level, Double]) =>
          if (edge.srcAttr.depth >= 0 && edge.dstAttr.depth < 0) Iterator((edge.dstId, grown(edge.srcAttr))) else Iterator.empty,
        (a: Int, b: Int) => math.max(a, b)).vertices.collect.sortBy(_._1).toList
      """;

  private static final String TRANSPARENT_LINES =
      """
      import org.apache.spark.graphx._
      val edges = sc.parallelize((1L to 40L).flatMap(v => Seq(Edge(v, v % 40 + 1, 0.25), Edge(v, v * 7 % 40 + 1, 2.0))), 2)
      val graph = Graph.fromEdges(edges, 1.0)
      val begun = graph.mapVertices((id, _) => if (id == 1) 0.0 else Double.PositiveInfinity)
      val scale = 0.5
      case class Level(depth: Int, changes: Int)
      def grown(level: Level): Int = level.depth + 1
      CALLS_HERE
      sc.setLocalProperty("spark.gpugraph.transparent", "false")
      CALLS_ON_STOCK
      println("ranks: " + hereRanks.zip(stockRanks).forall { case ((a, x), (b, y)) => a == b && math.abs(x - y) < 1e-9 })
      println("distances: " + (hereFar == stockFar) + " of " + hereFar.map(_._2).distinct.size)
      println("levels: " + (hereLevels == stockLevels) + " of " + hereLevels.map(_._2.depth).distinct.size)
      :quit
      """
          .replace("CALLS_HERE\n", CALLS.replace("SIDE", "here"))
          .replace("CALLS_ON_STOCK\n", CALLS.replace("SIDE", "stock"));

  @TempDir Path scratch;

  @Test
  void importsHideNothingAndClosuresOverLinesAreLifted() throws Exception {
    Command.Ended ended =
        shell(
            "local[1]",
            LINES.replace("PROGRAM", PROGRAM),
            "spark.gpugraph.fallback=never",
            "spark.gpugraph.explain=all");
    assertThat(ended.status()).as("%s", ended).isZero();
    // 0.25 + … + 9 * 0.25.
    assertThat(ended.out())
        .as("%s", ended)
        .contains("sum of distances: 11.25", "ranks: ", "rows of the session: 7")
        .containsPattern("over earlier lines: true of ([5-9]|10)\n")
        .containsPattern("a class of a line: true of ([5-9]|10)\n")
        .contains("a class that uses its line: 28", "a class of a package: 28")
        .containsPattern("why: .*class 'Own'.* defined in the shell.*:paste -raw")
        .doesNotContain("error:", "-- Error");
    assertThat(ended.err())
        .as("the table of all calls, when the application ends")
        .contains("what this application ran (spark.gpugraph.explain):")
        .containsPattern("\n  <console>:\\d+ +PageRank.run +lifted, cpu +1 ")
        .containsPattern(
            "\n  <console>:\\d+ +GpuPregel +fallback, GraphX +1 .*\n    ! program: the");
  }

  @Test
  void transparentModeTakesOverWhatIsTypedInLines() throws Exception {
    Command.Ended ended =
        shell(
            "local-cluster[2,1,512]",
            TRANSPARENT_LINES,
            "spark.plugins=org.sparkgpugraph.GpuGraphPlugin",
            "spark.gpugraph.transparent=true");
    assertThat(ended.status()).as("%s", ended).isZero();
    assertThat(ended.out())
        .as("%s", ended)
        .contains("ranks: true")
        .containsPattern("distances: true of [1-9]\\d+\n")
        .containsPattern("levels: true of [5-6]\n")
        .doesNotContain("error:", "-- Error");
    assertThat(ended.err()).as("%s", ended).contains("transparent mode is on");
    assertThat(ended.err().lines().filter(line -> line.contains(" CallHook: ")))
        .as("%s", ended)
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .endsWith("lib.PageRank.runUntilConvergence ran on spark-gpu-graph"),
            line -> assertThat(line).endsWith("Pregel.apply ran on spark-gpu-graph"),
            line -> assertThat(line).endsWith("Pregel.apply ran on spark-gpu-graph"));
  }

  /** Spark's shell in a JVM of its own, to the end of its input. */
  private Command.Ended shell(String master, String lines, String... settings) throws Exception {
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
            master,
            "--conf",
            "spark.executor.memory=512m",
            "--conf",
            "spark.ui.enabled=false",
            "--conf",
            "spark.driver.host=127.0.0.1",
            "--conf",
            "spark.driver.bindAddress=127.0.0.1",
            "--jars",
            Product.libraryJar().toString(),
            "--class",
            "org.apache.spark.repl.Main",
            "--name",
            "Spark shell"));
    for (String setting : settings) {
      command.addAll(List.of("--conf", setting));
    }
    command.add("spark-shell");
    return Command.run(scratch, Map.of(), lines, command);
  }
}
