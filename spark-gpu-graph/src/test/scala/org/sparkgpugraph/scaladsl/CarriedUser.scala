package org.sparkgpugraph.scaladsl

import org.apache.spark.SparkContext
import org.apache.spark.graphx.{Edge, EdgeContext, EdgeTriplet, Graph, Pregel, VertexId, VertexRDD}
import org.sparkgpugraph.implicits._

case class Town(name: String, people: Double, mayor: Mayor)

class Mayor(val name: String) extends Serializable {
  override def equals(other: Any): Boolean = other match {
    case mayor: Mayor => mayor.name == name
    case _ => false
  }
  override def hashCode: Int = name.hashCode
}

case class Measured(value: java.lang.Double, count: Int, note: Option[Int] = None)

/** Values of a class within another one: they refer to the atlas that they were made in. */
class Atlas(val unit: Double) extends Serializable {
  case class Spot(far: Double, seen: Int)

  def spot(far: Double): Spot = Spot(far, 0)

  def spots(sc: SparkContext): Graph[Spot, Int] = {
    val roads = (0L until 30L).flatMap(id => Seq(Edge(id, (id + 1) % 30, 1), Edge(id, (id * 7) % 30, 2)))
    Graph(sc.parallelize((0L until 30L).map(id => (id, Spot(id * unit, 0))), 3), sc.parallelize(roads, 4)).cache()
  }

  private def see(id: VertexId, spot: Spot, other: Spot): Spot =
    if (other.far > spot.far) Spot(other.far * unit, spot.seen + 1) else spot.copy(seen = spot.seen + 1)

  private def show(t: EdgeTriplet[Spot, Int]): Iterator[(VertexId, Spot)] = Iterator((t.dstId, t.srcAttr))

  private def farther(a: Spot, b: Spot): Spot = if (a.far > b.far) a else b

  def ours(graph: Graph[Spot, Int]): Graph[Spot, Int] =
    GpuPregel(graph, Spot(0, 0), maxIterations = 3)(see, show, farther)

  def stock(graph: Graph[Spot, Int]): Graph[Spot, Int] =
    Pregel(graph, Spot(0, 0), maxIterations = 3)(see, show, farther)

  private def send(c: EdgeContext[Spot, Int, Spot]): Unit = c.sendToDst(c.srcAttr)

  def farthest(graph: Graph[Spot, Int]): VertexRDD[Spot] = graph.gpu.aggregateMessages[Spot](send, farther)

  def farthestOnGraphX(graph: Graph[Spot, Int]): VertexRDD[Spot] = graph.aggregateMessages[Spot](send, farther)

  def values(vertices: VertexRDD[Spot]): String =
    vertices.mapValues(spot => (spot.far, spot.seen)).collect().sortBy(_._1).mkString(" ")

  /** Vertices that do not refer to the very atlas that they referred to before. */
  def elsewhere(before: Graph[Spot, Int], after: Graph[Spot, Int]): Long = {
    def atlas(spot: Any): Any = spot.getClass.getField("$outer").get(spot)
    before.vertices
      .innerJoin(after.vertices)((_, a, b) => atlas(a).asInstanceOf[AnyRef] eq atlas(b).asInstanceOf[AnyRef])
      .filter { case (_, same) => !same }
      .count()
  }
}

/** What a Scala user writes whose values have components that are no numbers. */
object CarriedUser {

  /** Towns on a ring with chords; some are named by roads alone, so that GraphX adds them. */
  def towns(sc: SparkContext): Graph[Town, Int] = {
    val known = (0L until 20L).map(id => (id, Town(s"town $id", id + 1, new Mayor(s"mayor of $id"))))
    val roads = (0L until 30L).flatMap(id => Seq(Edge(id, (id + 1) % 30, 1), Edge(id, (id * 7) % 30, 2)))
    Graph(sc.parallelize(known, 3), sc.parallelize(roads, 4), Town("unknown", 0, null)).cache()
  }

  private def grow(id: VertexId, town: Town, more: Double): Town = town.copy(people = town.people + more)

  private def leave(t: EdgeTriplet[Town, Int]): Iterator[(VertexId, Double)] =
    if (t.srcAttr.people > t.dstAttr.people) Iterator((t.dstId, t.srcAttr.people / t.attr)) else Iterator.empty

  def ours(graph: Graph[Town, Int]): Graph[Town, Int] =
    GpuPregel(graph, 0.0, maxIterations = 3)(grow, leave, (a, b) => math.max(a, b))

  def stock(graph: Graph[Town, Int]): Graph[Town, Int] =
    Pregel(graph, 0.0, maxIterations = 3)(grow, leave, (a, b) => math.max(a, b))

  /** Vertices whose name or mayor is not the very object that the other graph has. */
  def differentObjects(a: Graph[Town, Int], b: Graph[Town, Int]): Long =
    a.vertices
      .innerJoin(b.vertices)((_, x, y) => (x.name eq y.name) && (x.mayor eq y.mayor))
      .filter { case (_, same) => !same }
      .count()

  def measured(sc: SparkContext, values: Array[java.lang.Double]): Graph[Measured, Int] =
    Graph(
      sc.parallelize(values.toSeq.zipWithIndex.map { case (v, i) => (i.toLong, Measured(v, i)) }, 2),
      sc.parallelize(values.indices.tail.map(i => Edge(i - 1L, i.toLong, i)), 2))

  private def measure(id: VertexId, attr: Measured, more: Int): Measured =
    if (more > 2) attr.copy(value = null, count = attr.count + more)
    else attr.copy(count = attr.count + more)

  private def send(t: EdgeTriplet[Measured, Int]): Iterator[(VertexId, Int)] =
    Iterator((t.dstId, t.attr))

  /** A program that makes nulls. */
  def forgetting(graph: Graph[Measured, Int]): Graph[Measured, Int] =
    GpuPregel(graph, 0, maxIterations = 2)(measure, send, _ + _)

  def forgettingOnGraphX(graph: Graph[Measured, Int]): Graph[Measured, Int] =
    Pregel(graph, 0, maxIterations = 2)(measure, send, _ + _)

  /** Reads a name in its send function. */
  def named(graph: Graph[Town, Int]): Graph[Town, Int] =
    GpuPregel(graph, 0.0, maxIterations = 2)(
      grow,
      t => if (t.srcAttr.name.isEmpty) Iterator.empty else Iterator((t.dstId, 1.0)),
      (a, b) => a + b)
}
