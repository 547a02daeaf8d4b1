package org.sparkgpugraph

import org.apache.spark.graphx.Graph
import org.sparkgpugraph.scaladsl.{GpuGraphOps, ResidentGraphOps}

import scala.language.implicitConversions
import scala.reflect.ClassTag

/**
 * One import that puts this library's algorithms in the place of GraphX's:
 *
 * {{{
 * import org.sparkgpugraph.implicits._
 *
 * graph.pageRank(0.001)             // this library's
 * graph.pregel(...)(...)            // this library's
 * graph.gpu.aggregateMessages(...)  // this library's
 * graph.aggregateMessages(...)      // GraphX's: Graph has this method itself
 * }}}
 *
 * GraphX gives `graph.pageRank` by a conversion in the companion object of `Graph`, which the
 * compiler looks at only where no import gives one. Methods that are not here (`numEdges`,
 * `joinVertices`, ...) stay GraphX's. In a file that also imports `Graph._`
 * both conversions are imported, and the compiler calls them ambiguous: write `graph.gpu.pageRank`.
 */
package object implicits {

  /** Adds the library's methods to a graph. */
  implicit def graphToGpuGraphOps[VD: ClassTag, ED: ClassTag](
      graph: Graph[VD, ED]): GpuGraphOps[VD, ED] = new GpuGraphOps(graph)

  /** Adds `aggregateMessages` to a graph that executors hold. */
  implicit def residentGraphToOps[VD, ED](graph: ResidentGraph[VD, ED]): ResidentGraphOps[VD, ED] =
    new ResidentGraphOps(graph)
}
