package org.sparkgpugraph.scaladsl.lib

import org.apache.spark.graphx.{Graph, VertexId}
import org.sparkgpugraph.lib.{ConnectedComponents => JavaConnectedComponents}

import scala.reflect.ClassTag

/** `org.apache.spark.graphx.lib.ConnectedComponents` on the library's engines. */
object ConnectedComponents {

  def run[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED],
      maxIterations: Int): Graph[VertexId, ED] =
    JavaConnectedComponents.run[ED](graph, maxIterations).asInstanceOf[Graph[VertexId, ED]]

  def run[VD: ClassTag, ED: ClassTag](graph: Graph[VD, ED]): Graph[VertexId, ED] =
    run(graph, Int.MaxValue)
}
