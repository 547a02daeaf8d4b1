package org.sparkgpugraph.scaladsl.lib

import java.util.OptionalLong

import org.apache.spark.graphx.{Graph, VertexId}
import org.apache.spark.ml.linalg.Vector
import org.sparkgpugraph.lib.{PageRank => JavaPageRank}

import scala.reflect.ClassTag

/**
 * `org.apache.spark.graphx.lib.PageRank` on the library's engines. Differences from GraphX's
 * results are those of `org.sparkgpugraph.lib.PageRank`.
 */
object PageRank {

  def run[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      numIter: Int,
      resetProb: Double = 0.15): Graph[Double, Double] =
    runWithOptions(graph, numIter, resetProb, None)

  def runWithOptions[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      numIter: Int,
      resetProb: Double = 0.15,
      srcId: Option[VertexId] = None): Graph[Double, Double] =
    runWithOptions(graph, numIter, resetProb, srcId, normalized = true)

  def runWithOptions[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      numIter: Int,
      resetProb: Double,
      srcId: Option[VertexId],
      normalized: Boolean): Graph[Double, Double] =
    ranks(JavaPageRank.runWithOptions(graph, numIter, resetProb, optional(srcId), normalized))

  def runWithOptionsWithPreviousPageRank[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      numIter: Int,
      resetProb: Double,
      srcId: Option[VertexId],
      preRankGraph: Graph[Double, Double]): Graph[Double, Double] =
    runWithOptionsWithPreviousPageRank(
      graph,
      numIter,
      resetProb,
      srcId,
      normalized = true,
      preRankGraph)

  def runWithOptionsWithPreviousPageRank[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      numIter: Int,
      resetProb: Double,
      srcId: Option[VertexId],
      normalized: Boolean,
      preRankGraph: Graph[Double, Double]): Graph[Double, Double] =
    ranks(
      JavaPageRank.runWithOptionsWithPreviousPageRank(
        graph,
        numIter,
        resetProb,
        optional(srcId),
        normalized,
        preRankGraph.asInstanceOf[Graph[java.lang.Double, java.lang.Double]]))

  def runParallelPersonalizedPageRank[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      numIter: Int,
      resetProb: Double = 0.15,
      sources: Array[VertexId]): Graph[Vector, Double] =
    JavaPageRank
      .runParallelPersonalizedPageRank(graph, numIter, resetProb, sources)
      .asInstanceOf[Graph[Vector, Double]]

  def runUntilConvergence[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      tol: Double,
      resetProb: Double = 0.15): Graph[Double, Double] =
    runUntilConvergenceWithOptions(graph, tol, resetProb)

  def runUntilConvergenceWithOptions[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      tol: Double,
      resetProb: Double = 0.15,
      srcId: Option[VertexId] = None): Graph[Double, Double] =
    ranks(JavaPageRank.runUntilConvergenceWithOptions(graph, tol, resetProb, optional(srcId)))

  private def optional(id: Option[VertexId]): OptionalLong =
    id.fold(OptionalLong.empty)(OptionalLong.of)

  /** Java's and Scala's Double are the same object in a graph. */
  private def ranks(graph: Graph[java.lang.Double, java.lang.Double]): Graph[Double, Double] =
    graph.asInstanceOf[Graph[Double, Double]]
}
