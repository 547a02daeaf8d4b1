package org.sparkgpugraph.adapter.transparent

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Edge, EdgeDirection, Graph, Pregel}
import org.apache.spark.graphx.lib.{LabelPropagation, ShortestPaths, StronglyConnectedComponents}

import scala.util.Try

/** A user's job, which knows GraphX and nothing of this library. */
object GraphXJob {

  /** Two triangles with a bridge, a tail, a component of its own. */
  def graph(sc: SparkContext): Graph[Int, Double] = {
    val ends = Seq(1 -> 2, 2 -> 3, 3 -> 1, 3 -> 4, 4 -> 5, 5 -> 6, 6 -> 4, 6 -> 7, 20 -> 21)
    val edges = ends.map { case (a, b) => Edge(a.toLong, b.toLong, (a * b % 5 + 1).toDouble) }
    Graph.fromEdges(sc.parallelize(edges, 2), 1).cache()
  }

  /** What it finds, a line for each call, the name of the call first. */
  def run(sc: SparkContext): Array[String] = {
    val g = graph(sc)
    Array(
      line("pregel", distances(g).vertices),
      line("ops.pregel", g.mapVertices((id, _) => id).ops.pregel(Long.MaxValue, 4, EdgeDirection.Out)(
        (_, a, b) => math.min(a, b),
        t => if (t.srcAttr < t.dstAttr) Iterator((t.dstId, t.srcAttr)) else Iterator.empty,
        (a, b) => math.min(a, b)).vertices),
      line("words", words(g).vertices),
      line("connectedComponents", g.connectedComponents().vertices),
      line("connectedComponents(2)", g.connectedComponents(2).vertices),
      line("stronglyConnectedComponents", g.stronglyConnectedComponents(10).vertices),
      line("pageRank", g.pageRank(0.001).vertices),
      line("pageRank edges", g.pageRank(0.001).edges.map(e => (e.srcId * 100 + e.dstId, e.attr))),
      line("staticPageRank", g.staticPageRank(5).vertices),
      line("staticPageRank again", g.staticPageRank(5, 0.2, g.staticPageRank(3)).vertices),
      line("personalizedPageRank", g.personalizedPageRank(1L, 0.001).vertices),
      line("staticPersonalizedPageRank", g.staticPersonalizedPageRank(1L, 4).vertices),
      line("unknown source", g.staticPersonalizedPageRank(99L, 4).vertices),
      line("parallel", g.staticParallelPersonalizedPageRank(Array(1L, 5L), 4).vertices),
      line("triangleCount", g.triangleCount().vertices),
      line("shortestPaths", ShortestPaths.run(g, Seq(1L, 5L, 1L)).vertices),
      line("shortestPaths to none", ShortestPaths.run(g, Seq(1L, 99L)).vertices),
      line("shortestPaths to nobody", ShortestPaths.run(g, Seq()).vertices),
      line("labelPropagation", LabelPropagation.run(g, 3).vertices),
      "no iterations " + Try(g.staticPageRank(0)).failed.get,
      "no steps " + Try(StronglyConnectedComponents.run(g, 0)).failed.get,
      "fault " + Try(faulty(g).vertices.count()).failed.map(deepest).get,
      // Types: what Scala unboxes.
      "sum " + g.staticPageRank(2).vertices.map(_._2 + 0.5).max.isNaN,
      "triangles " + g.triangleCount().vertices.map(_._2 + 1).sum,
      "attributes " + g.connectedComponents().triplets.map(t => t.attr + t.srcAttr).sum)
  }

  private def distances(g: Graph[Int, Double]) =
    Pregel(g.mapVertices((id, _) => if (id == 1) 0.0 else Double.PositiveInfinity), Double.PositiveInfinity)(
      (_, a, b) => math.min(a, b),
      t => if (t.srcAttr + t.attr < t.dstAttr) Iterator((t.dstId, t.srcAttr + t.attr)) else Iterator.empty,
      (a, b) => math.min(a, b))

  private def words(g: Graph[Int, Double]) =
    Pregel(g.mapVertices((id, _) => "v" + id), "", 2, EdgeDirection.Out)(
      (_, a, b) => if (a > b) a else b,
      t => Iterator((t.dstId, t.srcAttr + "+")),
      (a, b) => if (a > b) a else b)

  private def faulty(g: Graph[Int, Double]) =
    Pregel(g, 1, 3)((id, a, b) => a / (b - id.toInt), t => Iterator((t.dstId, 2)), (a: Int, b: Int) => a + b)

  private def deepest(t: Throwable): String =
    if (t.getCause == null) t.getClass.getName else deepest(t.getCause)

  private def line(call: String, vertices: org.apache.spark.rdd.RDD[_ <: (Long, Any)]): String =
    call + vertices.collect().map { case (id, value) => (id, text(value)) }.sorted.mkString(" ", " ", "")

  private def text(value: Any): String = value match {
    // Sums are added in no fixed order.
    case number: Double => f"$number%.9f"
    case map: scala.collection.Map[_, _] => map.toSeq.map(_.toString).sorted.mkString("{", ",", "}")
    case vector: org.apache.spark.ml.linalg.Vector => vector.toArray.map(n => f"$n%.9f").mkString("[", ",", "]")
    case other => other.toString
  }
}
