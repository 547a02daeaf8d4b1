package org.sparkgpugraph.scaladsl

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Edge, EdgeDirection, Graph}

/** What a Scala user of GraphX writes, with `GpuPregel(` in the place of `Pregel(`. */
object ScalaUser {

  def shortestPaths(graph: Graph[Double, Double]): Graph[Double, Double] =
    GpuPregel(graph, Double.PositiveInfinity, activeDirection = EdgeDirection.Out)(
      (id, distance, message) => math.min(distance, message),
      triplet => {
        if (triplet.srcAttr + triplet.attr < triplet.dstAttr) {
          Iterator((triplet.dstId, triplet.srcAttr + triplet.attr))
        } else {
          Iterator.empty
        }
      },
      (a, b) => math.min(a, b))

  /** A program that cannot be lifted: it makes a String. */
  def labels(graph: Graph[String, Double]): Graph[String, Double] =
    GpuPregel(graph, "", maxIterations = 2)(
      (id, label, message) => label + message,
      triplet => Iterator((triplet.dstId, "x")),
      (a, b) => if (a < b) a else b)

  /** A program on pairs that reads only their first components. */
  def sums[T](graph: Graph[(Int, T), Int]): Graph[(Int, T), Int] =
    GpuPregel(graph, 0, maxIterations = 2)(
      (id, pair, message) => (pair._1 + message, pair._2),
      triplet => Iterator((triplet.dstId, triplet.srcAttr._1 * triplet.attr)),
      (a, b) => a + b)

  /** Pairs whose second component is another thing at every vertex. */
  def pairs(sc: SparkContext, a: Any, b: Any, c: Any, d: Any): Graph[(Int, Any), Int] = {
    val seconds = Seq(a, b, c, d)
    Graph(
      sc.parallelize(seconds.zipWithIndex.map { case (second, i) => (i.toLong, (i, second)) }, 2),
      sc.parallelize(seconds.indices.tail.map(i => Edge(i - 1L, i.toLong, i)), 2))
  }

  /** A program whose initial message is null, which GraphX's Pregel allows. */
  def withoutInitialMessage(graph: Graph[(Int, Any), Int]): Graph[Int, Int] =
    GpuPregel[Int, Int, java.lang.Integer](
      graph.mapVertices((_, pair) => pair._1), null, maxIterations = 2)(
      (id, value, message) => if (message == null) value else value + message,
      triplet => Iterator((triplet.dstId, triplet.attr)),
      (a, b) => a + b)
}
