package org.sparkgpugraph.scaladsl.lib

import org.apache.spark.graphx.Graph
import org.sparkgpugraph.lib.{TriangleCount => JavaTriangleCount}

import scala.reflect.ClassTag

/** `org.apache.spark.graphx.lib.TriangleCount` on the library's engines. */
object TriangleCount {

  def run[VD: ClassTag, ED: ClassTag](graph: Graph[VD, ED]): Graph[Int, ED] =
    JavaTriangleCount.run[ED](graph).asInstanceOf[Graph[Int, ED]]

  def runPreCanonicalized[VD: ClassTag, ED: ClassTag](graph: Graph[VD, ED]): Graph[Int, ED] =
    JavaTriangleCount.runPreCanonicalized[ED](graph).asInstanceOf[Graph[Int, ED]]
}
