package org.sparkgpugraph.corpus

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Edge, EdgeDirection, EdgeTriplet, Graph, Pregel, VertexId}
import org.sparkgpugraph.scaladsl.GpuPregel

import scala.reflect.ClassTag
import scala.util.Random

/**
 * A Pregel program in one of the shapes that GraphX's users write, with the graph that it runs on.
 *
 * @param name says the shape
 * @param vertex attribute of a vertex
 * @param edge attribute of an edge, by its ends and a small number that differs between edges
 * @param lifts whether it runs on the library's engines; the others run on stock GraphX
 */
class CorpusProgram[VD: ClassTag, ED: ClassTag, A: ClassTag](
    val name: String,
    vertex: VertexId => VD,
    edge: (VertexId, VertexId, Int) => ED,
    initialMsg: A,
    maxIterations: Int = Int.MaxValue,
    direction: EdgeDirection = EdgeDirection.Either,
    val lifts: Boolean = true)(
    vprog: (VertexId, VD, A) => VD,
    send: EdgeTriplet[VD, ED] => Iterator[(VertexId, A)],
    merge: (A, A) => A) {

  /** A graph of few vertices and edges, with loops, parallel edges and vertices without edges. */
  def graph(sc: SparkContext, seed: Long): Graph[VD, ED] = {
    val random = new Random(seed)
    val ids = (0 until 40).map(i => if (i % 7 == 0) -i.toLong - 1 else i.toLong * 3)
    val edges = (0 until 150).map { i =>
      val from = ids(math.min(random.nextInt(ids.size), random.nextInt(ids.size)))
      val to = ids(random.nextInt(ids.size - 2))
      Edge(from, to, edge(from, to, 1 + random.nextInt(9)))
    }
    Graph(sc.parallelize(ids.map(id => (id, vertex(id))), 3), sc.parallelize(edges, 2))
  }

  /** The result of stock GraphX. */
  def stock(graph: Graph[VD, ED]): Graph[VD, ED] =
    Pregel(graph, initialMsg, maxIterations, direction)(vprog, send, merge)

  /** The library's result. */
  def ours(graph: Graph[VD, ED]): Graph[VD, ED] =
    GpuPregel(graph, initialMsg, maxIterations, direction)(vprog, send, merge)

  /** What the library would do. */
  def explained(graph: Graph[VD, ED]): String =
    GpuPregel.explain(graph, initialMsg, maxIterations, direction)(vprog, send, merge)

  /** Values by vertex. */
  def values(graph: Graph[VD, ED]): Map[Long, Any] = graph.vertices.collect().toMap

  override def toString: String = name
}
