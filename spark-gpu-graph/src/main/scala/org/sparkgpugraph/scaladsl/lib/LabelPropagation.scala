package org.sparkgpugraph.scaladsl.lib

import org.apache.spark.graphx.{Graph, VertexId}
import org.sparkgpugraph.lib.{LabelPropagation => JavaLabelPropagation}

import scala.reflect.ClassTag

/**
 * `org.apache.spark.graphx.lib.LabelPropagation` on the library's engines. Of several labels that
 * are equally frequent the smallest is taken, where GraphX takes any.
 */
object LabelPropagation {

  def run[VD, ED: ClassTag](graph: Graph[VD, ED], maxSteps: Int): Graph[VertexId, ED] =
    JavaLabelPropagation.run[ED](graph, maxSteps).asInstanceOf[Graph[VertexId, ED]]
}
