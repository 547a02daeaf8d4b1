package org.sparkgpugraph.corpus

import org.apache.spark.graphx.{EdgeDirection, EdgeTriplet, VertexId}

case class Distance(value: Double, via: Long)

case class Road(length: Double, toll: Int)

case class Community(label: Long, size: Int = 1, isSeed: Boolean = false) {
  def joined(other: Community): Community =
    if (other.label < label) copy(label = other.label, size = size + other.size) else this
  def isBefore(other: Community): Boolean = label < other.label
}

case class Point(x: Double, y: Double) {
  def +(other: Point): Point = Point(x + other.x, y + other.y)
  def *(factor: Double): Point = Point(x * factor, y * factor)
  def norm: Double = math.sqrt(x * x + y * y)
}

object Point {
  val Origin: Point = Point(0, 0)
}

case class Body(at: Point, mass: Double, steps: Int)

case class Generic[T](value: T, count: Int)

sealed trait Event
case class Wave(time: Int, strength: Double) extends Event

/** Programs whose values or messages are case classes. */
object CaseClassPrograms extends Serializable {
  private val Infinity = Double.PositiveInfinity

  private def nearer(a: Distance, b: Distance): Distance =
    if (a.value < b.value || a.value == b.value && a.via <= b.via) a else b

  private def sendDistance(t: EdgeTriplet[Distance, Road]): Iterator[(VertexId, Distance)] = {
    val candidate = t.srcAttr.value + t.attr.length + t.attr.toll
    if (candidate < t.dstAttr.value) Iterator((t.dstId, Distance(candidate, t.srcId)))
    else Iterator.empty
  }

  def all: Seq[CorpusProgram[_, _, _]] = Seq(
    new CorpusProgram[Distance, Road, Distance](
      "case classes everywhere, methods of an object",
      id => if (id == 0) Distance(0, 0) else Distance(Infinity, -1),
      (_, _, n) => Road(n, n % 3),
      Distance(Infinity, -1),
      direction = EdgeDirection.Out)(
      (_, attr, msg) => if (msg.value < attr.value) msg else attr,
      sendDistance,
      nearer),
    new CorpusProgram[Community, Int, Community](
      "copy with names, methods, default arguments",
      id => Community(id, isSeed = id % 3 == 0),
      (_, _, n) => n,
      Community(Long.MaxValue, 0))(
      (_, attr, msg) => attr.joined(msg),
      t =>
        if (t.srcAttr.isBefore(t.dstAttr)) Iterator((t.dstId, t.srcAttr.copy(isSeed = false, size = 1)))
        else if (t.dstAttr.isBefore(t.srcAttr)) Iterator((t.srcId, t.dstAttr.copy(size = 1)))
        else Iterator.empty,
      (a, b) => if (a.isBefore(b)) a else b),
    new CorpusProgram[Body, Double, Point](
      "a case class in a case class, operators",
      id => Body(Point(id.toDouble, -id.toDouble), 1 + id.abs % 4, 0),
      (_, _, n) => n / 10.0,
      Point.Origin,
      maxIterations = 5)(
      (_, body, force) => body.copy(at = body.at + force * (1 / body.mass), steps = body.steps + 1),
      t => {
        val pull = (t.srcAttr.at + t.dstAttr.at * -1) * t.attr
        if (pull.norm > 1e-3) Iterator((t.dstId, pull * 0.01)) else Iterator.empty
      },
      (a, b) => a + b),
    new CorpusProgram[Distance, Int, Double](
      "a pattern match with a guard",
      id => if (id == 0) Distance(0, id) else Distance(Infinity, id),
      (_, _, n) => n,
      Infinity)(
      (_, attr, msg) =>
        attr match {
          case Distance(value, via) if msg < value => Distance(msg, via)
          case other => other
        },
      t =>
        (t.srcAttr, t.dstAttr) match {
          case (Distance(from, _), Distance(to, _)) if from + t.attr < to =>
            Iterator((t.dstId, from + t.attr))
          case _ => Iterator.empty
        },
      (a, b) => a min b),
    new CorpusProgram[Generic[Double], Int, Generic[Double]](
      "a generic case class",
      id => Generic(id.toDouble, 0),
      (_, _, n) => n,
      Generic(0.0, 0),
      maxIterations = 3)(
      (_, attr, msg) => Generic(attr.value max msg.value, attr.count + msg.count),
      t => Iterator((t.dstId, Generic(t.srcAttr.value + t.attr, 1))),
      (a, b) => Generic(math.max(a.value, b.value), a.count + b.count)),
    new CorpusProgram[Wave, Int, Wave](
      "a case class of a sealed trait, compared",
      id => if (id == 3) Wave(0, 64) else Wave(-1, 0),
      (_, _, n) => n,
      Wave(-1, 0),
      maxIterations = 6,
      direction = EdgeDirection.Out)(
      (_, attr, msg) => if (msg == Wave(-1, 0)) attr else if (msg.strength > attr.strength) msg else attr,
      t =>
        if (t.srcAttr.strength > 1 && t.srcAttr != t.dstAttr)
          Iterator((t.dstId, Wave(t.srcAttr.time + 1, t.srcAttr.strength / 2)))
        else Iterator.empty,
      (a, b) => if (a.strength > b.strength || a.strength == b.strength && a.time < b.time) a else b))
}
