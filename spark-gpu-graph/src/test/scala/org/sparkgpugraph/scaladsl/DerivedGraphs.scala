package org.sparkgpugraph.scaladsl

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Edge, EdgeTriplet, Graph, Pregel, VertexId}

/** What users make of a result, each on the result of stock GraphX or of ours. */
object DerivedGraphs {

  /** A graph whose vertices are 1 to 12; not cached. */
  def input(sc: SparkContext): Graph[Double, Double] =
    Graph.fromEdges(
      sc.parallelize(for (v <- 1L to 12L; w <- 1L to 12L if v * 5 % 7 > w % 5) yield Edge(v, w, 0.5 / (v + w)), 3),
      1.0)

  /** Two steps of a program whose sums are exact enough to compare: its messages are maxima. */
  def run(graph: Graph[Double, Double], stock: Boolean): Graph[Double, Double] = {
    val vprog = (id: VertexId, value: Double, message: Double) => math.max(value, message) + id
    val send = (edge: EdgeTriplet[Double, Double]) => Iterator((edge.dstId, edge.srcAttr * edge.attr))
    val merge = (a: Double, b: Double) => math.max(a, b)
    if (stock) Pregel(graph, 0.0, 2)(vprog, send, merge) else GpuPregel(graph, 0.0, 2)(vprog, send, merge)
  }

  val names: Array[String] =
    Array("mapVertices", "joinVertices", "outerJoinVertices", "subgraph", "reverse", "mapTriplets", "mask", "again")

  /** A graph that is made of a result, and not computed yet. */
  def derived(name: String, result: Graph[Double, Double], stock: Boolean): Graph[Double, Double] =
    name match {
      case "mapVertices" => result.mapVertices((id, value) => value * 2 + id)
      case "joinVertices" => result.joinVertices(result.vertices.filter(_._1 % 2 == 0))((_, a, b) => a + b)
      case "outerJoinVertices" =>
        result.outerJoinVertices(result.outDegrees)((_, value, degree) => value + degree.getOrElse(0))
      case "subgraph" => result.subgraph(edge => edge.srcAttr <= edge.dstAttr, (id, _) => id != 5)
      case "reverse" => result.reverse
      case "mapTriplets" => result.mapTriplets(edge => edge.srcAttr - edge.dstAttr)
      case "mask" => result.mask(result.subgraph(_ => true, (id, _) => id > 3))
      case "again" => run(result.mapVertices((_, value) => value / 2), stock)
    }

  /** All that a graph has, in an order of its own. */
  def content(graph: Graph[Double, Double]): String =
    graph.vertices.collect().sortBy(_._1).mkString(" ") + " | " +
      graph.triplets.map(_.toString).collect().sorted.mkString(" ")

  /** What is said of a program that can be lifted, or of one that has two reasons against it. */
  def explained(graph: Graph[Double, Double], lifts: Boolean): String =
    if (lifts) {
      GpuPregel.explain(graph, 0.0, 2)(
        (id, value, message) => value + message + id,
        edge => Iterator((edge.dstId, edge.srcAttr)),
        (a, b) => math.max(a, b))
    } else {
      GpuPregel.explain(graph, 0.0)(
        (id, value, message) => value + message + System.nanoTime(),
        edge => Iterator((edge.dstId, scala.util.Random.nextDouble())),
        (a, b) => math.max(a, b))
    }
}
