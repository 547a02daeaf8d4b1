package org.sparkgpugraph.scaladsl

// Not all of graphx: its package lib would hide this library's in Scala 2.13.
import org.apache.spark.graphx.{
  Edge,
  EdgeContext,
  EdgeDirection,
  EdgeTriplet,
  Graph,
  TripletFields,
  VertexId,
  VertexRDD
}
import org.apache.spark.ml.linalg.Vector
import org.sparkgpugraph.adapter.run.ScalaMessages
import org.sparkgpugraph.{GpuPregel => JavaGpuPregel, ResidentGraph}

import scala.reflect.ClassTag
import scala.runtime.BoxedUnit

/**
 * What `import org.sparkgpugraph.implicits._` adds to a GraphX graph: the methods of GraphX's
 * `GraphOps` that this library has, with GraphX's signatures, and `aggregateMessages`.
 *
 * Methods of `GraphOps` become the library's by the import alone: `graph.pageRank(0.001)`,
 * `graph.pregel(...)`. `aggregateMessages` is a method of `Graph` itself, in whose place no import
 * can put another: call `graph.gpu.aggregateMessages(...)`.
 */
class GpuGraphOps[VD: ClassTag, ED: ClassTag](graph: Graph[VD, ED]) {

  /** The library's methods, for those that `Graph` has itself: `graph.gpu.aggregateMessages`. */
  def gpu: GpuGraphOps[VD, ED] = this

  /**
   * As `org.apache.spark.graphx.Graph.aggregateMessages`, but computed when it returns: the result
   * is persisted in memory and on disk.
   */
  def aggregateMessages[A: ClassTag](
      sendMsg: EdgeContext[VD, ED, A] => Unit,
      mergeMsg: (A, A) => A,
      tripletFields: TripletFields = TripletFields.All): VertexRDD[A] =
    ScalaMessages.aggregate(
      graph,
      // Java sees no Unit; at run time the functions are the same.
      sendMsg.asInstanceOf[EdgeContext[VD, ED, A] => BoxedUnit],
      mergeMsg,
      tripletFields,
      implicitly[ClassTag[VD]],
      implicitly[ClassTag[ED]],
      implicitly[ClassTag[A]])

  /**
   * Loads the graph into the executors, once for many calls: `resident.aggregateMessages(...)` with
   * the same import. Close it when done.
   */
  def load(): ResidentGraph[VD, ED] =
    JavaGpuPregel.load(
      graph,
      implicitly[ClassTag[VD]].runtimeClass.asInstanceOf[Class[VD]],
      implicitly[ClassTag[ED]].runtimeClass.asInstanceOf[Class[ED]])

  /** Number of in-edges of each vertex that has one. */
  def inDegrees: VertexRDD[Int] =
    aggregateMessages[Int](_.sendToDst(1), _ + _, TripletFields.None).setName("gpu.inDegrees")

  /** Number of out-edges of each vertex that has one. */
  def outDegrees: VertexRDD[Int] =
    aggregateMessages[Int](_.sendToSrc(1), _ + _, TripletFields.None).setName("gpu.outDegrees")

  /** Number of edges of each vertex that has one; a loop counts twice. */
  def degrees: VertexRDD[Int] =
    aggregateMessages[Int](
      edge => {
        edge.sendToSrc(1)
        edge.sendToDst(1)
      },
      _ + _,
      TripletFields.None).setName("gpu.degrees")

  /** As `GraphOps.collectNeighborIds`, in a time that is linear in a vertex's degree. */
  def collectNeighborIds(edgeDirection: EdgeDirection): VertexRDD[Array[VertexId]] =
    // It is GraphX that says that there is no Both.
    if (edgeDirection == EdgeDirection.Both) graph.ops.collectNeighborIds(edgeDirection)
    else NeighborCollection.ids(graph, edgeDirection)

  /** As `GraphOps.collectNeighbors`, in a time that is linear in a vertex's degree. */
  def collectNeighbors(edgeDirection: EdgeDirection): VertexRDD[Array[(VertexId, VD)]] =
    if (edgeDirection == EdgeDirection.Both) graph.ops.collectNeighbors(edgeDirection)
    else NeighborCollection.neighbors(graph, edgeDirection)

  /** As `GraphOps.collectEdges`, in a time that is linear in a vertex's degree. */
  def collectEdges(edgeDirection: EdgeDirection): VertexRDD[Array[Edge[ED]]] =
    if (edgeDirection == EdgeDirection.Both) graph.ops.collectEdges(edgeDirection)
    else NeighborCollection.edges(graph, edgeDirection)

  /** As `GraphOps.pregel`. */
  def pregel[A: ClassTag](
      initialMsg: A,
      maxIterations: Int = Int.MaxValue,
      activeDirection: EdgeDirection = EdgeDirection.Either)(
      vprog: (VertexId, VD, A) => VD,
      sendMsg: EdgeTriplet[VD, ED] => Iterator[(VertexId, A)],
      mergeMsg: (A, A) => A): Graph[VD, ED] =
    GpuPregel(graph, initialMsg, maxIterations, activeDirection)(vprog, sendMsg, mergeMsg)

  /** As `GraphOps.pageRank`. */
  def pageRank(tol: Double, resetProb: Double = 0.15): Graph[Double, Double] =
    lib.PageRank.runUntilConvergence(graph, tol, resetProb)

  /** As `GraphOps.personalizedPageRank`. */
  def personalizedPageRank(
      src: VertexId,
      tol: Double,
      resetProb: Double = 0.15): Graph[Double, Double] =
    lib.PageRank.runUntilConvergenceWithOptions(graph, tol, resetProb, Some(src))

  /** As `GraphOps.staticParallelPersonalizedPageRank`. */
  def staticParallelPersonalizedPageRank(
      sources: Array[VertexId],
      numIter: Int,
      resetProb: Double = 0.15): Graph[Vector, Double] =
    lib.PageRank.runParallelPersonalizedPageRank(graph, numIter, resetProb, sources)

  /** As `GraphOps.staticPersonalizedPageRank`. */
  def staticPersonalizedPageRank(
      src: VertexId,
      numIter: Int,
      resetProb: Double = 0.15): Graph[Double, Double] =
    lib.PageRank.runWithOptions(graph, numIter, resetProb, Some(src))

  /** As `GraphOps.staticPageRank`. */
  def staticPageRank(numIter: Int, resetProb: Double = 0.15): Graph[Double, Double] =
    lib.PageRank.run(graph, numIter, resetProb)

  /** As `GraphOps.staticPageRank`, going on from earlier ranks. */
  def staticPageRank(
      numIter: Int,
      resetProb: Double,
      prePageRank: Graph[Double, Double]): Graph[Double, Double] =
    lib.PageRank.runWithOptionsWithPreviousPageRank(graph, numIter, resetProb, None, prePageRank)

  /** As `GraphOps.connectedComponents`. */
  def connectedComponents(): Graph[VertexId, ED] = lib.ConnectedComponents.run(graph)

  /** As `GraphOps.connectedComponents`. */
  def connectedComponents(maxIterations: Int): Graph[VertexId, ED] =
    lib.ConnectedComponents.run(graph, maxIterations)

  /** As `GraphOps.stronglyConnectedComponents`. */
  def stronglyConnectedComponents(numIter: Int): Graph[VertexId, ED] =
    lib.StronglyConnectedComponents.run(graph, numIter)

  /** As `GraphOps.triangleCount`. */
  def triangleCount(): Graph[Int, ED] = lib.TriangleCount.run(graph)
}
