package org.sparkgpugraph.scaladsl

import org.sparkgpugraph.adapter.run.ScalaPregel
import org.apache.spark.graphx.{EdgeDirection, EdgeTriplet, Graph, VertexId}

import scala.reflect.ClassTag

/**
 * GraphX's `Pregel` for Scala: replacing `Pregel(` by `GpuPregel(` is the whole migration. The
 * closures are lifted from their bytecode; what cannot be lifted runs on stock GraphX, with a log
 * line that says why.
 *
 * Only default and named arguments and ClassTags keep this in Scala; the work is done in Java.
 */
object GpuPregel {

  /** As `org.apache.spark.graphx.Pregel.apply`. */
  def apply[VD: ClassTag, ED: ClassTag, A: ClassTag](
      graph: Graph[VD, ED],
      initialMsg: A,
      maxIterations: Int = Int.MaxValue,
      activeDirection: EdgeDirection = EdgeDirection.Either)(
      vprog: (VertexId, VD, A) => VD,
      sendMsg: EdgeTriplet[VD, ED] => Iterator[(VertexId, A)],
      mergeMsg: (A, A) => A): Graph[VD, ED] = {
    ScalaPregel.run(
      graph,
      initialMsg,
      maxIterations,
      activeDirection,
      // Java sees a VertexId as an Object; at run time the functions are the same.
      vprog.asInstanceOf[(Object, VD, A) => VD],
      sendMsg.asInstanceOf[EdgeTriplet[VD, ED] => Iterator[(Object, A)]],
      mergeMsg,
      implicitly[ClassTag[VD]],
      implicitly[ClassTag[ED]],
      implicitly[ClassTag[A]])
  }

  /**
   * Tells what a run of the same arguments would do: on which engine it would run, or, line by line,
   * why it would fall back to stock GraphX. Nothing runs.
   */
  def explain[VD: ClassTag, ED: ClassTag, A](
      graph: Graph[VD, ED],
      initialMsg: A,
      maxIterations: Int = Int.MaxValue,
      activeDirection: EdgeDirection = EdgeDirection.Either)(
      vprog: (VertexId, VD, A) => VD,
      sendMsg: EdgeTriplet[VD, ED] => Iterator[(VertexId, A)],
      mergeMsg: (A, A) => A): String = {
    ScalaPregel.explain(
      graph,
      initialMsg,
      maxIterations,
      activeDirection,
      vprog.asInstanceOf[(Object, VD, A) => VD],
      sendMsg.asInstanceOf[EdgeTriplet[VD, ED] => Iterator[(Object, A)]],
      mergeMsg,
      implicitly[ClassTag[VD]],
      implicitly[ClassTag[ED]])
  }
}
