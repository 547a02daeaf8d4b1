package org.sparkgpugraph.scaladsl

import org.apache.spark.graphx._
import org.apache.spark.rdd.RDD

import scala.collection.mutable
import scala.reflect.ClassTag

/**
 * GraphX's `collectNeighborIds` and what is like it. GraphX makes an array per edge and
 * concatenates them one by one, which takes a time of the square of a vertex's degree. Here each
 * edge partition collects what belongs to a vertex in one buffer, and arrays are concatenated once
 * per partition. Messages that are arrays of any length are not for the engines: this runs in
 * Spark's own tasks, when the result is read, as GraphX's does.
 */
private[scaladsl] object NeighborCollection {

  /** Collects a thing from each edge at its ends. */
  private def collect[E <: Edge[_], X: ClassTag](
      edges: RDD[E],
      vertices: VertexRDD[_],
      direction: EdgeDirection)(atSource: E => X, atDestination: E => X): VertexRDD[Array[X]] = {
    val out = direction == EdgeDirection.Out || direction == EdgeDirection.Either
    val in = direction == EdgeDirection.In || direction == EdgeDirection.Either
    val arrays = edges.mapPartitions { part =>
      val buffers = mutable.LongMap.empty[mutable.ArrayBuilder[X]]
      def add(id: VertexId, thing: X): Unit =
        buffers.getOrElseUpdate(id, mutable.ArrayBuilder.make[X]) += thing
      part.foreach { edge =>
        if (out) add(edge.srcId, atSource(edge))
        if (in) add(edge.dstId, atDestination(edge))
      }
      buffers.iterator.map { case (id, buffer) => (id, buffer.result()) }
    }
    vertices.aggregateUsingIndex(arrays, (a: Array[X], b: Array[X]) => Array.concat(a, b))
  }

  /** As `GraphOps.collectNeighborIds`, but for `Both`. */
  def ids[VD: ClassTag, ED](
      graph: Graph[VD, ED],
      direction: EdgeDirection): VertexRDD[Array[VertexId]] = {
    val ids = collect[Edge[ED], VertexId](graph.edges, graph.vertices, direction)(_.dstId, _.srcId)
    graph.vertices.leftZipJoin(ids)((_, _, found) => found.getOrElse(Array.empty[VertexId]))
  }

  /** As `GraphOps.collectNeighbors`, but for `Both`. */
  def neighbors[VD: ClassTag, ED](
      graph: Graph[VD, ED],
      direction: EdgeDirection): VertexRDD[Array[(VertexId, VD)]] = {
    val all = collect[EdgeTriplet[VD, ED], (VertexId, VD)](
      graph.triplets,
      graph.vertices,
      direction)(edge => (edge.dstId, edge.dstAttr), edge => (edge.srcId, edge.srcAttr))
    graph.vertices.leftZipJoin(all)((_, _, found) =>
      found.getOrElse(Array.empty[(VertexId, VD)]))
  }

  /** As `GraphOps.collectEdges`, but for `Both`. */
  def edges[VD, ED: ClassTag](
      graph: Graph[VD, ED],
      direction: EdgeDirection): VertexRDD[Array[Edge[ED]]] = {
    // GraphX's iterators give the same object for every edge.
    def copy(edge: Edge[ED]): Edge[ED] = Edge(edge.srcId, edge.dstId, edge.attr)
    collect[Edge[ED], Edge[ED]](graph.edges, graph.vertices, direction)(copy, copy)
  }
}
