package org.sparkgpugraph.scaladsl

import org.apache.spark.graphx.{EdgeDirection, Graph}

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
}
