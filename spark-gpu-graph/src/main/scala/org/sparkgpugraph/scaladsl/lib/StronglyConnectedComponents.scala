package org.sparkgpugraph.scaladsl.lib

import org.apache.spark.graphx.{Graph, VertexId}
import org.sparkgpugraph.lib.{StronglyConnectedComponents => JavaStronglyConnectedComponents}

import scala.reflect.ClassTag

/** `org.apache.spark.graphx.lib.StronglyConnectedComponents` on the library's engines. */
object StronglyConnectedComponents {

  def run[VD: ClassTag, ED: ClassTag](graph: Graph[VD, ED], numIter: Int): Graph[VertexId, ED] =
    JavaStronglyConnectedComponents.run[ED](graph, numIter).asInstanceOf[Graph[VertexId, ED]]
}
