package org.sparkgpugraph.scaladsl.lib

import org.apache.spark.graphx.{Graph, VertexId}
import org.sparkgpugraph.lib.{ShortestPaths => JavaShortestPaths}

import scala.reflect.ClassTag

/**
 * `org.apache.spark.graphx.lib.ShortestPaths` on the library's engines. A landmark that is no
 * vertex, or that is given twice, is an error.
 */
object ShortestPaths extends Serializable {

  /** Hops to each landmark that is reached. */
  type SPMap = scala.collection.Map[VertexId, Int]

  def run[VD, ED: ClassTag](graph: Graph[VD, ED], landmarks: Seq[VertexId]): Graph[SPMap, ED] =
    JavaShortestPaths.run[ED](graph, landmarks: _*).asInstanceOf[Graph[SPMap, ED]]
}
