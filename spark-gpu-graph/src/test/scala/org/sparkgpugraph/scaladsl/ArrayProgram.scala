package org.sparkgpugraph.scaladsl

import java.util.function.IntUnaryOperator

import scala.reflect.ClassTag

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Edge, EdgeContext, EdgeTriplet, Graph, Pregel, VertexId}
import org.sparkgpugraph.implicits._

case class Numbered(number: Int, array: Array[Double])

case class Within(name: Long, inner: Numbered)

/**
 * What a Scala user writes whose values are arrays or have some, on a ring 10 → 11 → … → 14 → 10.
 *
 * @param vertex a vertex's value from its number, 0 to 4, and the length of its array; below 0: null
 */
class ArrayProgram[VD: ClassTag, ED: ClassTag, A: ClassTag](
    val name: String,
    vertex: (Int, Int) => VD,
    edge: (Int, Int) => ED,
    initial: Int => A,
    text: VD => String)(
    vprog: (VertexId, VD, A) => VD,
    send: EdgeTriplet[VD, ED] => Iterator[(VertexId, A)],
    merge: (A, A) => A)
    extends Serializable {

  private def graph(sc: SparkContext, lengths: IntUnaryOperator): Graph[VD, ED] =
    Graph(
      sc.parallelize((0 until 5).map(i => (10L + i, vertex(i, lengths.applyAsInt(i)))), 1),
      sc.parallelize(
        (0 until 5).map(i => Edge(10L + i, 10L + (i + 1) % 5, edge(i, lengths.applyAsInt(i)))), 1))

  private def values(graph: Graph[VD, ED]): String =
    graph.vertices.collect().sortBy(_._1).map { case (id, value) => s"$id ${text(value)}" }.mkString("; ")

  /** Vertex values after two supersteps. */
  def ours(sc: SparkContext, lengths: IntUnaryOperator, message: Int): String =
    values(GpuPregel(graph(sc, lengths), initial(message), maxIterations = 2)(vprog, send, merge))

  def explained(sc: SparkContext, lengths: IntUnaryOperator, message: Int): String =
    GpuPregel.explain(graph(sc, lengths), initial(message), maxIterations = 2)(vprog, send, merge)

  def stock(sc: SparkContext, lengths: IntUnaryOperator, message: Int): String =
    values(Pregel(graph(sc, lengths), initial(message), maxIterations = 2)(vprog, send, merge))
}

/** The programs, and what else a user does with arrays. */
object ArrayProgram {
  private def array(length: Int, first: Int): Array[Double] =
    if (length < 0) null else Array.tabulate(length)(i => first + 0.5 * i)

  private def text(array: Array[_]): String = if (array == null) "null" else array.mkString(" ")

  private def plus(a: Array[Double], b: Array[Double]): Array[Double] = {
    val sum = a.clone()
    var i = 0
    while (i < sum.length) {
      sum(i) += b(i)
      i += 1
    }
    sum
  }

  def all: Array[ArrayProgram[_, _, _]] = Array(
    new ArrayProgram[Array[Double], Int, Double](
      "doubles", (i, n) => array(n, i), (i, _) => i, _.toDouble, text)(
      (_, value, sum) => {
        val next = value.clone()
        if (next.length > 0) next(0) += sum
        next
      },
      t => Iterator((t.dstId, if (t.srcAttr.length > 0) t.srcAttr(0) else 1.0)),
      _ + _),
    new ArrayProgram[Array[Float], Int, Float](
      "floats",
      (i, n) => if (n < 0) null else Array.tabulate(n)(j => i + j.toFloat),
      (i, _) => i,
      _.toFloat,
      text)(
      (_, value, sum) => {
        val next = value.clone()
        if (next.length > 0) next(0) += sum
        next
      },
      t => Iterator((t.dstId, if (t.srcAttr.length > 0) t.srcAttr(0) else 1f)),
      _ + _),
    new ArrayProgram[Array[Int], Int, Int](
      "ints", (i, n) => if (n < 0) null else Array.tabulate(n)(i + _), (i, _) => i, identity, text)(
      (_, value, sum) => {
        val next = value.clone()
        if (next.length > 0) next(0) += sum
        next
      },
      t => Iterator((t.dstId, if (t.srcAttr.length > 0) t.srcAttr(0) else 1)),
      _ + _),
    new ArrayProgram[Array[Long], Int, Long](
      "longs",
      (i, n) => if (n < 0) null else Array.tabulate(n)(i.toLong + _),
      (i, _) => i,
      _.toLong,
      text)(
      (_, value, sum) => {
        val next = value.clone()
        if (next.length > 0) next(0) += sum
        next
      },
      t => Iterator((t.dstId, if (t.srcAttr.length > 0) t.srcAttr(0) else 1L)),
      _ + _),
    new ArrayProgram[(Int, Array[Double]), Int, Double](
      "_2", (i, n) => (i, array(n, i)), (i, _) => i, _.toDouble, v => s"${v._1} ${text(v._2)}")(
      (_, value, sum) => (value._1 + sum.toInt, value._2.clone()),
      t => Iterator((t.dstId, if (t.srcAttr._2.length > 0) t.srcAttr._2(0) else 1.0)),
      _ + _),
    new ArrayProgram[Numbered, Int, Double](
      "array",
      (i, n) => Numbered(i, array(n, i)),
      (i, _) => i,
      _.toDouble,
      v => s"${v.number} ${text(v.array)}")(
      (_, value, sum) => value.copy(number = value.number + sum.toInt, array = value.array.clone()),
      t => Iterator((t.dstId, if (t.srcAttr.array.length > 0) t.srcAttr.array(0) else 1.0)),
      _ + _),
    new ArrayProgram[Within, Int, Double](
      "inner.array",
      (i, n) => Within(i, Numbered(i, array(n, i))),
      (i, _) => i,
      _.toDouble,
      v => s"${v.name} ${text(v.inner.array)}")(
      (_, value, sum) => Within(value.name + sum.toLong, Numbered(1, value.inner.array.clone())),
      t => Iterator((t.dstId, if (t.srcAttr.inner.array.length > 0) t.srcAttr.inner.array(0) else 1.0)),
      _ + _),
    new ArrayProgram[Double, Array[Double], Double](
      "edges", (i, _) => i, (i, n) => array(n, i), _.toDouble, _.toString)(
      (_, value, sum) => value + sum,
      t => Iterator((t.dstId, if (t.attr.length > 0) t.attr(0) else 1.0)),
      _ + _))

  /** Messages that are arrays in a case class. */
  val messages: ArrayProgram[Array[Double], Int, Numbered] =
    new ArrayProgram[Array[Double], Int, Numbered](
      "messages", (i, n) => array(n, i), (i, _) => i, n => Numbered(0, array(n, 0)), text)(
      (_, value, sum) => plus(value, sum.array),
      t => Iterator((t.dstId, Numbered(1, t.srcAttr))),
      (a, b) => Numbered(a.number + b.number, plus(a.array, b.array)))

  /** A program that carries an array along and reads none. */
  val unread: ArrayProgram[(Int, Array[Double]), Int, Int] =
    new ArrayProgram[(Int, Array[Double]), Int, Int](
      "unread", (i, n) => (i, array(n, i)), (i, _) => i, identity, v => s"${v._1} ${text(v._2)}")(
      (_, value, sum) => (value._1 + sum, value._2),
      t => Iterator((t.dstId, t.srcAttr._1)),
      _ + _)

  private def sendArray(c: EdgeContext[Array[Double], Int, (Int, Array[Double])]): Unit =
    c.sendToDst((1, c.srcAttr))

  private def pair(a: (Int, Array[Double]), b: (Int, Array[Double])): (Int, Array[Double]) =
    (a._1 + b._1, plus(a._2, b._2))

  /** Messages of `aggregateMessages` that are arrays in tuples. */
  def aggregated(sc: SparkContext, lengths: IntUnaryOperator, stock: Boolean): String = {
    val graph = Graph(
      sc.parallelize((0 until 5).map(i => (10L + i, array(lengths.applyAsInt(i), i))), 1),
      sc.parallelize((0 until 5).map(i => Edge(10L + i, 10L + (i + 1) % 5, i)), 1))
    val messages =
      if (stock) graph.aggregateMessages[(Int, Array[Double])](sendArray, pair)
      else graph.gpu.aggregateMessages[(Int, Array[Double])](sendArray, pair)
    messages.collect().sortBy(_._1).map { case (id, (n, sum)) => s"$id $n ${text(sum)}" }.mkString("; ")
  }

  /** One array for all vertices, of which a program changes a copy. */
  def shared(sc: SparkContext, array: Array[Double]): String = {
    val graph = Graph(
      sc.parallelize((0 until 5).map(i => (10L + i, array)), 1),
      sc.parallelize((0 until 5).map(i => Edge(10L + i, 10L + (i + 1) % 5, i)), 1))
    GpuPregel(graph, 0, maxIterations = 1)(
      (id: VertexId, value: Array[Double], sum: Int) => {
        val next = value.clone()
        next((id % 3).toInt) += 10 + sum
        next
      },
      (t: EdgeTriplet[Array[Double], Int]) => Iterator((t.dstId, t.attr)),
      (a: Int, b: Int) => a + b).vertices.collect().sortBy(_._1).map(v => text(v._2)).mkString("; ")
  }
}
