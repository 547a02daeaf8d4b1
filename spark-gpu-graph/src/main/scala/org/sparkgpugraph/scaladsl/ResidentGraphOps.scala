package org.sparkgpugraph.scaladsl

import org.apache.spark.graphx.{EdgeContext, TripletFields, VertexRDD}
import org.sparkgpugraph.ResidentGraph
import org.sparkgpugraph.adapter.run.ScalaMessages

import scala.reflect.ClassTag
import scala.runtime.BoxedUnit

/** What `import org.sparkgpugraph.implicits._` adds to a graph that executors hold. */
class ResidentGraphOps[VD, ED](graph: ResidentGraph[VD, ED]) {

  /**
   * As `org.apache.spark.graphx.Graph.aggregateMessages`, of the GraphX graph that this one was made
   * from; nothing is loaded again. The result is persisted in memory and on disk.
   *
   * @throws java.lang.IllegalStateException when it was not made from a GraphX graph, or is a
   *     reversed view
   */
  def aggregateMessages[A: ClassTag](
      sendMsg: EdgeContext[VD, ED, A] => Unit,
      mergeMsg: (A, A) => A,
      tripletFields: TripletFields = TripletFields.All): VertexRDD[A] =
    ScalaMessages.aggregate[VD, ED, A](
      graph,
      // Java sees no Unit; at run time the functions are the same.
      sendMsg.asInstanceOf[EdgeContext[VD, ED, A] => BoxedUnit],
      mergeMsg,
      tripletFields,
      implicitly[ClassTag[A]])
}
