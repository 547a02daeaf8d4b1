package org.sparkgpugraph.program.lift

import org.apache.spark.graphx.{EdgeTriplet, VertexId}

/** Closures as users of GraphX's Pregel write them. */
object ScalaPrograms {

  /** One program, as objects that Java can take. */
  final class Program(val vprog: Any, val send: Any, val merge: Any) {
    def vertexProgram: Function3[_, _, _, _] = vprog.asInstanceOf[Function3[_, _, _, _]]
    def sendMessage: Function1[_, _] = send.asInstanceOf[Function1[_, _]]
    def mergeMessage: Function2[_, _, _] = merge.asInstanceOf[Function2[_, _, _]]
  }

  private def program[VD, ED, A](
      vprog: (VertexId, VD, A) => VD,
      send: EdgeTriplet[VD, ED] => Iterator[(VertexId, A)],
      merge: (A, A) => A): Program = new Program(vprog, send, merge)

  /** From the GraphX programming guide. */
  def shortestPaths: Program =
    program[Double, Double, Double](
      (id, dist, newDist) => math.min(dist, newDist),
      triplet => {
        if (triplet.srcAttr + triplet.attr < triplet.dstAttr) {
          Iterator((triplet.dstId, triplet.srcAttr + triplet.attr))
        } else {
          Iterator.empty
        }
      },
      (a, b) => math.min(a, b))

  /** GraphX's own ConnectedComponents. */
  def connectedComponents: Program = {
    def sendMessage(edge: EdgeTriplet[VertexId, Int]): Iterator[(VertexId, VertexId)] = {
      if (edge.srcAttr < edge.dstAttr) {
        Iterator((edge.dstId, edge.srcAttr))
      } else if (edge.srcAttr > edge.dstAttr) {
        Iterator((edge.srcId, edge.dstAttr))
      } else {
        Iterator.empty
      }
    }
    program[VertexId, Int, VertexId](
      (id, attr, msg) => math.min(attr, msg),
      edge => sendMessage(edge),
      (a, b) => math.min(a, b))
  }

  /** Captured values, an arrow pair, two messages, a computed id, an Int message. */
  def mixture(limit: Int, factor: Double): Program =
    program[Int, Double, Int](
      (id, attr, msg) => if (id % 2 == 0 && msg == 3) attr max msg else attr + msg,
      triplet => {
        val scaled = (triplet.attr * factor).toInt
        if (scaled > limit) {
          Iterator(triplet.dstId -> scaled, triplet.srcId -> triplet.srcAttr)
        } else if (scaled == limit) {
          Iterator.single((math.max(triplet.srcId, triplet.dstId), limit))
        } else if (scaled < 0) {
          Iterator((triplet.dstId, 1)) ++ Iterator((triplet.srcId, helper(scaled)))
        } else {
          val messages = if (scaled == 1) List((triplet.srcId, 7)) else Nil
          messages.iterator
        }
      },
      (a, b) => a + b)

  private def helper(x: Int): Int = x match {
    case -1 => 10
    case -2 => 20
    case other => other * weight
  }

  private val weight = 3

  def unliftable: Program =
    program[Double, Double, Double](
      (id, a, b) => a + b,
      triplet => Iterator((triplet.dstId, scala.util.Random.nextDouble())),
      (a, b) => a + b)
}
