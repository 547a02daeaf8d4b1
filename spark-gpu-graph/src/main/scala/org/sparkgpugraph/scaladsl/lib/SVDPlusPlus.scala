package org.sparkgpugraph.scaladsl.lib

import org.apache.spark.graphx.{Edge, Graph}
import org.apache.spark.rdd.RDD
import org.sparkgpugraph.algorithm.SVDPlusPlus.{Conf => JavaConf}
import org.sparkgpugraph.lib.{SVDPlusPlus => JavaSVDPlusPlus}

/**
 * `org.apache.spark.graphx.lib.SVDPlusPlus` on the library's engines. It gives other vectors than
 * GraphX's (docs/compatibility.md).
 */
object SVDPlusPlus {

  /** GraphX's own. */
  type Conf = org.apache.spark.graphx.lib.SVDPlusPlus.Conf

  def run(
      edges: RDD[Edge[Double]],
      conf: Conf): (Graph[(Array[Double], Array[Double], Double, Double), Double], Double) =
    JavaSVDPlusPlus
      .run(
        edges.asInstanceOf[RDD[Edge[java.lang.Double]]],
        new JavaConf(
          conf.rank,
          conf.maxIters,
          conf.minVal,
          conf.maxVal,
          conf.gamma1,
          conf.gamma2,
          conf.gamma6,
          conf.gamma7))
      .asInstanceOf[(Graph[(Array[Double], Array[Double], Double, Double), Double], Double)]
}
