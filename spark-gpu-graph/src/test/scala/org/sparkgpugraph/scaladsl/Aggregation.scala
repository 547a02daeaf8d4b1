package org.sparkgpugraph.scaladsl

import java.util.OptionalLong

import org.apache.spark.graphx._
import org.sparkgpugraph.implicits._
import org.sparkgpugraph.scaladsl.{lib => scalaLib}
import org.sparkgpugraph.{lib => javaLib}

import scala.reflect.ClassTag

/**
 * An `aggregateMessages` of a graph's user, to be run by GraphX and by the library.
 *
 * @param lifts whether it runs on the library's engines; the others run on stock GraphX
 */
class Aggregation[VD: ClassTag, ED: ClassTag, A: ClassTag](
    val name: String,
    vertex: VertexId => VD,
    edge: Int => ED,
    fields: TripletFields = TripletFields.All,
    val lifts: Boolean = true)(send: EdgeContext[VD, ED, A] => Unit, merge: (A, A) => A) {

  /** The structure of a graph, with this program's attributes. */
  def graph(structure: Graph[Int, Int]): Graph[VD, ED] = {
    val vertexOf = vertex
    val edgeOf = edge
    structure.mapVertices((id, _) => vertexOf(id)).mapEdges(e => edgeOf(e.attr))
  }

  def stock(graph: Graph[VD, ED]): VertexRDD[A] = graph.aggregateMessages(send, merge, fields)

  def ours(graph: Graph[VD, ED]): VertexRDD[A] = graph.gpu.aggregateMessages(send, merge, fields)

  /** Twice on a graph that is loaded once. */
  def resident(graph: Graph[VD, ED]): Seq[Map[Long, Any]] = {
    val loaded = graph.gpu.load()
    try {
      Seq.fill(2)(loaded.aggregateMessages(send, merge, fields)).map(values)
    } finally {
      loaded.close()
    }
  }

  /** A part of a graph: GraphX keeps its index and hides what is left out. */
  def part(graph: Graph[VD, ED]): Graph[VD, ED] =
    graph.subgraph(vpred = (id, _) => id % 3 != 0, epred = e => e.srcId != e.dstId)

  def values(messages: VertexRDD[A]): Map[Long, Any] = messages.collect().toMap

  /** Joins with the graph in the ways that GraphX has for a VertexRDD of the graph's index. */
  def joined(graph: Graph[VD, ED], messages: VertexRDD[A]): Seq[Any] = Seq(
    graph.vertices.innerZipJoin(messages)((id, a, m) => (a, m)).collect().toMap,
    graph.vertices.leftZipJoin(messages)((id, a, m) => (a, m)).collect().toMap,
    graph.vertices.innerJoin(messages)((id, a, m) => m).collect().toMap,
    messages.innerJoin(graph.vertices)((id, m, a) => (m, a)).collect().toMap,
    graph.outerJoinVertices(messages)((id, a, m) => m).vertices.collect().toMap,
    messages.mapValues(m => m.hashCode).collect().toMap,
    // Copies arrays of the messages.
    messages.minus(messages.filter(_._1 % 2 == 0)).collect().toMap,
    messages.diff(messages.mapValues(m => m)).count(),
    messages.count())

  override def toString: String = name
}

/** A value of a user. */
case class Reading(value: Double, count: Int)

object Aggregation {
  private val factor = 3

  /** What surrounds the functions. */
  private def tables(weights: Array[Int], bonus: Map[Int, Long]): Aggregation[_, _, _] =
    new Aggregation[Int, Int, Long]("captured tables", _.toInt, identity)(
      edge => edge.sendToDst(weights(edge.attr & 3) + bonus.getOrElse(edge.attr, 0L)),
      _ + _)

  /** Sums are of small whole numbers, so that they are exact in any order. */
  def all: Array[Aggregation[_, _, _]] = Array(
    new Aggregation[Double, Double, Double]("sum", _ % 7, _ + 0.5)(
      edge => edge.sendToDst(edge.srcAttr * edge.attr),
      _ + _),
    new Aggregation[Int, Int, Int]("count both ends", _.toInt, identity, TripletFields.None)(
      edge => {
        edge.sendToSrc(1)
        edge.sendToDst(1)
      },
      _ + _),
    new Aggregation[Int, Int, Int]("zeros are messages", _.toInt, identity)(
      edge => if (edge.attr > 5) edge.sendToSrc(0),
      _ + _),
    new Aggregation[(Long, Double), Int, (Double, Long)](
      "tuples",
      id => (id, id % 5 + 0.25),
      identity)(
      edge => {
        edge.sendToDst((edge.srcAttr._2 + edge.attr, edge.srcAttr._1))
        edge.sendToSrc((edge.dstAttr._2, edge.srcId - edge.dstId))
      },
      (a, b) => (a._1 + b._1, math.max(a._2, b._2))),
    new Aggregation[Reading, Int, Reading]("case class", id => Reading(id % 9, 1), identity)(
      edge => {
        if (edge.srcAttr.value > edge.dstAttr.value) {
          edge.sendToDst(edge.srcAttr.copy(count = edge.attr))
        }
      },
      (a, b) => Reading(a.value + b.value, a.count + b.count)),
    new Aggregation[String, Int, Long]("unread text", _.toString, identity, TripletFields.EdgeOnly)(
      edge => edge.sendToDst(edge.srcId * factor + edge.attr),
      (a, b) => math.min(a, b)),
    new Aggregation[Int, Int, Int]("by its triplet", _.toInt, identity)(
      edge => {
        val triplet = edge.toEdgeTriplet
        if (triplet.srcId != triplet.dstId) edge.sendToDst(triplet.srcAttr + triplet.attr)
      },
      (a, b) => a max b),
    new Aggregation[Int, (Int, Boolean), ((Int, Boolean), Double)](
      "nested tuples",
      _.toInt,
      w => (w, w > 4))(
      edge => {
        val (weight, heavy) = edge.attr
        edge.sendToDst(((weight, heavy), edge.srcAttr / 2.0))
      },
      { case (((w, h), d), ((v, g), e)) => ((w + v, h || g), d max e) }),
    new Aggregation[Map[Int, Long], Int, Map[Int, Long]](
      "maps",
      id => Map((id % 3).toInt -> id, 7 -> 1L),
      identity)(
      edge => edge.sendToDst(edge.srcAttr.map { case (k, v) => k -> (v + edge.attr) }),
      (a, b) => a ++ b.map { case (k, v) => k -> (v + a.getOrElse(k, 0L)) }),
    new Aggregation[(Set[Long], Int), Int, (Map[Long, Int], Set[Long])](
      "maps and sets of a computed key",
      id => (if (id % 2 == 0) Set(id.abs % 3, 8L) else Set(), id.toInt),
      identity)(
      edge => {
        val key = edge.srcId.abs % 3
        if (edge.attr > 2 && !edge.srcAttr._1.contains(key))
          edge.sendToDst((Map(key -> edge.attr), edge.dstAttr._1))
        else edge.sendToSrc((Map(8L -> 0), edge.srcAttr._1 - key))
      },
      (a, b) =>
        (
          (a._1.keySet ++ b._1.keySet)
            .map(k => k -> (a._1.getOrElse(k, 0) + b._1.getOrElse(k, 0)))
            .toMap,
          a._2 ++ b._2)),
    new Aggregation[Boolean, Int, Boolean]("flags", _ % 2 == 0, identity)(
      edge => if (edge.srcAttr != edge.dstAttr) edge.sendToSrc(edge.srcAttr),
      _ || _),
    new Aggregation[Float, Int, Long]("methods of an object", _ % 4, identity)(
      Functions.send,
      Functions.merge),
    tables(Array(3, 1, 4, 1), Map(0 -> 10L, 2 -> 30L)),
    new Aggregation[Int, Int, Int]("several to an end", _.toInt, identity, TripletFields.None)(
      edge => {
        var i = 0
        while (i < 3) {
          edge.sendToDst(i * edge.attr)
          i += 1
        }
      },
      _ + _),
    new Aggregation[Int, Int, Any]("of any class", _.toInt, identity)(
      edge => edge.sendToDst(edge.attr),
      (a, b) => a.asInstanceOf[Int] + b.asInstanceOf[Int]),
    new Aggregation[(String, Int), (Int, String), Int](
      "text beside the numbers that are read",
      id => (id.toString, id.toInt % 5),
      n => (n, "edge " + n))(
      edge => edge.sendToDst(edge.srcAttr._2 * edge.attr._1),
      _ + _),
    new Aggregation[Int, Int, (Int, Int)]("nulls", _.toInt, identity, lifts = false)(
      edge => edge.sendToDst(if (edge.attr > 3) null else (edge.attr, 1)),
      (a, b) => if (a == null) b else if (b == null) a else (a._1 + b._1, a._2 + b._2)) {
      override def joined(graph: Graph[Int, Int], messages: VertexRDD[(Int, Int)]): Seq[Any] = Nil
    },
    new Aggregation[Int, Int, Int]("reads what is left out", _.toInt + 1, identity, TripletFields.Dst,
      lifts = false)(edge => edge.sendToDst(edge.srcAttr), _ + _),
    new Aggregation[Int, Int, Array[Long]]("arrays", _.toInt, identity)(
      edge => edge.sendToDst(Array(edge.attr)),
      (a, b) => Array(a(0) + b(0))) {
      override def values(messages: VertexRDD[Array[Long]]): Map[Long, Any] =
        messages.mapValues(_.sum).collect().toMap
      override def joined(graph: Graph[Int, Int], messages: VertexRDD[Array[Long]]): Seq[Any] = Nil
    },
    new Aggregation[Int, Int, Array[String]]("arrays of text", _.toInt, identity, lifts = false)(
      edge => edge.sendToDst(Array("x" * edge.attr)),
      (a, b) => Array(a(0) + b(0))) {
      override def values(messages: VertexRDD[Array[String]]): Map[Long, Any] =
        messages.mapValues(_.head.length).collect().toMap
      override def joined(graph: Graph[Int, Int], messages: VertexRDD[Array[String]]): Seq[Any] =
        Nil
    },
    new Aggregation[Int, Int, String]("text", _.toInt, identity, lifts = false)(
      edge => edge.sendToDst("x" * edge.attr),
      (a, b) => a + b),
    new Aggregation[Int, Int, Int]("nothing", _.toInt, identity, lifts = false)(_ => (), _ + _))
}

/** Functions that are written as methods. */
object Functions {
  def send(edge: EdgeContext[Float, Int, Long]): Unit = {
    val difference = (edge.dstAttr - edge.srcAttr).toLong
    if (difference > 0) edge.sendToSrc(difference) else edge.sendToDst(limited(-difference))
  }

  private def limited(value: Long): Long = math.min(value, 2L)

  def merge(a: Long, b: Long): Long = a + b
}

/** What GraphX's users call on a graph, with the library's import. */
object ImportedOps {
  private def stock[VD, ED](graph: Graph[VD, ED]): GraphOps[VD, ED] = graph.ops

  /**
   * What an import of the library gives, and what it is to be: GraphX's result, or, where GraphX
   * takes long, that of the library's Java class, whose own tests compare it with GraphX's.
   */
  def pairs(
      graph: Graph[Int, Int],
      source: VertexId): Array[(String, VertexRDD[_], VertexRDD[_])] = Array(
    ("degrees", graph.degrees, stock(graph).degrees),
    ("inDegrees", graph.inDegrees, stock(graph).inDegrees),
    ("outDegrees", graph.outDegrees, stock(graph).outDegrees),
    (
      "pregel",
      graph
        .pregel(0, 2)(
          (_, value, message) => value + message,
          edge => Iterator((edge.dstId, edge.attr)),
          _ + _)
        .vertices,
      stock(graph)
        .pregel(0, 2)(
          (_, value, message) => value + message,
          edge => Iterator((edge.dstId, edge.attr)),
          _ + _)
        .vertices),
    (
      "connectedComponents",
      graph.connectedComponents().vertices,
      javaLib.ConnectedComponents.run(graph).vertices),
    (
      "stronglyConnectedComponents",
      graph.stronglyConnectedComponents(3).vertices,
      javaLib.StronglyConnectedComponents.run(graph, 3).vertices),
    ("triangleCount", graph.triangleCount().vertices, javaLib.TriangleCount.run(graph).vertices),
    (
      "pageRank",
      graph.pageRank(1e-2).vertices,
      javaLib.PageRank.runUntilConvergence(graph, 1e-2).vertices),
    ("staticPageRank", graph.staticPageRank(3).vertices, javaLib.PageRank.run(graph, 3).vertices),
    (
      "personalizedPageRank",
      graph.personalizedPageRank(source, 1e-2).vertices,
      javaLib.PageRank
        .runUntilConvergenceWithOptions(graph, 1e-2, 0.15, OptionalLong.of(source))
        .vertices),
    (
      "scaladsl.lib.ShortestPaths",
      scalaLib.ShortestPaths.run(graph, Seq(source)).vertices,
      javaLib.ShortestPaths.run(graph, source).vertices),
    (
      "scaladsl.lib.LabelPropagation",
      scalaLib.LabelPropagation.run(graph, 2).vertices,
      javaLib.LabelPropagation.run(graph, 2).vertices))

  /** What each vertex finds around it, sorted: GraphX says nothing of the order. */
  def neighbors(graph: Graph[Int, Int], direction: EdgeDirection): Array[(String, Any, Any)] = {
    def of[T](name: String, ours: VertexRDD[Array[T]], theirs: VertexRDD[Array[T]]) = {
      def sorted(all: VertexRDD[Array[T]]): Any =
        all.collect().map { case (id, found) => (id, found.map(_.toString).sorted.toSeq) }.toMap
      (name, sorted(ours), sorted(theirs))
    }
    Array(
      of("ids", graph.collectNeighborIds(direction), stock(graph).collectNeighborIds(direction)),
      of("neighbors", graph.collectNeighbors(direction), stock(graph).collectNeighbors(direction)),
      of("edges", graph.collectEdges(direction), stock(graph).collectEdges(direction)))
  }
}
