package org.sparkgpugraph.corpus

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.graphx.{EdgeDirection, EdgeTriplet, VertexId}

import scala.collection.mutable.ListBuffer
import scala.util.Try

case class Patient(state: Int, days: Int, contacts: Long)

case class Range3(least: Double, most: Double, sum: Double, count: Long) {
  def ++(other: Range3): Range3 =
    Range3(
      math.min(least, other.least), math.max(most, other.most), sum + other.sum, count + other.count)
  def mean: Double = if (count == 0) 0 else sum / count
}

object Range3 {
  val Empty: Range3 = Range3(Double.PositiveInfinity, Double.NegativeInfinity, 0, 0)
  def of(value: Double): Range3 = Range3(value, value, value, 1)
}

case class Flow(capacity: Int, used: Int) {
  require(used <= capacity, "more flows than can")
  def left: Int = capacity - used
}

/** No case class: what it is made of is all that it has. */
class Track(val length: Double, val lanes: Int) extends Serializable {
  def cost(speed: Double): Double = length / (speed * lanes)
}

class Offer(val price: Double, from: Long) extends Serializable {
  def better(other: Offer): Offer =
    if (price < other.price || price == other.price && from <= other.source) this else other
  def source: Long = from
}

case class Walker(at: Long, seed: Long, path: (Long, Long))

/** Simulations, orders and searches: programs with states that are more than a number. */
object StatePrograms extends Serializable {
  private val Susceptible = 0
  private val Infected = 1
  private val Recovered = 2
  private val landmarks = Seq(0L, 3L, 9L)

  /** A generator of numbers that every engine steps alike. */
  private def next(seed: Long): Long = {
    val x = seed * 6364136223846793005L + 1442695040888963407L
    x ^ (x >>> 29)
  }

  @annotation.tailrec
  private def digits(n: Long, sum: Int = 0): Int =
    if (n == 0) sum else digits(n / 10, sum + (n % 10).toInt.abs)

  private def infect(t: EdgeTriplet[Patient, Double]): Iterator[(VertexId, Int)] =
    (t.srcAttr.state, t.dstAttr.state) match {
      case (Infected, Susceptible) if t.attr > 0.3 => Iterator((t.dstId, 1))
      case (Susceptible, Infected) if t.attr > 0.6 => Iterator(t.srcId -> 1)
      case _ => Iterator.empty
    }

  def all: Seq[CorpusProgram[_, _, _]] = {
    val factors: Broadcast[Array[Double]] =
      SparkContext.getOrCreate().broadcast(Array(1.0, 0.5, 0.25, 2.0))
    val bonus = SparkContext.getOrCreate().broadcast(Map(0L -> 4, 12L -> 2))
    Seq(
      new CorpusProgram[Patient, Double, Int](
        "an epidemic",
        id => Patient(if (id % 9 == 0) Infected else Susceptible, 0, 0),
        (_, _, n) => n / 10.0,
        0,
        maxIterations = 5)(
        (_, person, contacts) =>
          person match {
            case Patient(Susceptible, _, seen) if contacts > 0 => Patient(Infected, 0, seen + contacts)
            case Patient(Infected, 2, seen) => Patient(Recovered, 0, seen)
            case Patient(Infected, days, _) => person.copy(days = days + 1)
            case other => other
          },
        infect,
        _ + _),
      new CorpusProgram[Range3, Int, Range3](
        "a case class with operators as a monoid",
        id => Range3.of(id.toDouble),
        (_, _, n) => n,
        Range3.Empty,
        maxIterations = 3)(
        (_, own, msg) => if (msg.count == 0) own else Range3.of(msg.mean) ++ own.copy(count = 1),
        t => if (t.srcAttr.mean < t.dstAttr.mean) Iterator((t.dstId, Range3.of(t.srcAttr.mean / t.attr))) else Iterator.empty,
        _ ++ _),
      new CorpusProgram[(Int, Int), Int, Int](
        "colours, a bit for each neighbour's",
        id => (0, (id & 7).toInt),
        (_, _, n) => n,
        0,
        maxIterations = 4)(
        (_, attr, used) => {
          var colour = 0
          while ((used & (1 << colour)) != 0 && colour < 31) colour += 1
          (colour, attr._2 + 1)
        },
        t =>
          if (t.srcAttr._1 == t.dstAttr._1 && t.srcId != t.dstId)
            Iterator((math.max(t.srcId, t.dstId), 1 << t.srcAttr._1))
          else Iterator.empty,
        _ | _),
      new CorpusProgram[(Boolean, Int), Int, Int](
        "cores: who loses neighbours",
        id => (true, 2 + (id & 3).toInt),
        (_, _, n) => n,
        0,
        maxIterations = 6)(
        (_, attr, lost) => {
          val degree = attr._2 - lost
          if (!attr._1) attr else (degree >= 2, degree)
        },
        t => {
          val gone = ListBuffer.empty[(VertexId, Int)]
          if (!t.srcAttr._1 && t.dstAttr._1) gone += ((t.dstId, 1))
          if (!t.dstAttr._1 && t.srcAttr._1) gone += ((t.srcId, 1))
          gone.iterator
        },
        (a, b) => a + b),
      new CorpusProgram[Walker, Int, (Long, Long)](
        "walkers with a generator of their own",
        id => Walker(id, next(id), (id, id)),
        (_, _, n) => n,
        (-1L, 0L),
        maxIterations = 4,
        direction = EdgeDirection.Out)(
        (id, walker, msg) =>
          if (msg._1 < 0) walker
          else Walker(id, next(walker.seed ^ msg._2), (walker.path._2, msg._1)),
        t => if ((t.srcAttr.seed >>> 60) % t.attr < 2) Iterator((t.dstId, (t.srcId.abs, t.srcAttr.seed))) else Iterator.empty,
        (a, b) => if (a._1 < b._1 || a._1 == b._1 && a._2 < b._2) a else b),
      new CorpusProgram[Int, Int, Int](
        "a broadcast map",
        id => bonus.value.getOrElse(id, 0),
        (_, _, n) => n,
        0,
        maxIterations = 3)(
        (id, attr, msg) => math.max(attr, msg) + bonus.value.getOrElse(id, 0),
        t => Iterator((t.dstId, t.srcAttr + t.attr)),
        (a, b) => math.max(a, b)),
      new CorpusProgram[Double, Int, Double](
        "a broadcast array",
        id => id.toDouble,
        (_, _, n) => n,
        0.0,
        maxIterations = 3)(
        (_, attr, msg) => attr * 0.5 + msg,
        t => Iterator((t.dstId, t.srcAttr * factors.value(t.attr % factors.value.length))),
        _ + _),
      new CorpusProgram[(Int, Int, Int), Int, (Int, Int, Int)](
        "distances to landmarks in a tuple",
        id => {
          def start(i: Int) = if (landmarks(i) == id) 0 else 1000
          (start(0), start(1), start(2))
        },
        (_, _, n) => n,
        (1000, 1000, 1000))(
        (_, a, b) => (a._1 min b._1, a._2 min b._2, a._3 min b._3),
        t => {
          val (a, b, c) = t.dstAttr
          val moved = (a + 1, b + 1, c + 1)
          val (x, y, z) = t.srcAttr
          val nearer = (x min moved._1, y min moved._2, z min moved._3)
          if (nearer != t.srcAttr) Iterator((t.srcId, nearer)) else Iterator.empty
        },
        (a, b) => (a._1 min b._1, a._2 min b._2, a._3 min b._3)),
      new CorpusProgram[Int, Int, Int](
        "a captured list of landmarks",
        id => if (landmarks.contains(id)) 0 else 1 << 20,
        (_, _, n) => n,
        1 << 20)(
        (id, attr, msg) => if (landmarks.exists(_ == id)) 0 else math.min(attr, msg),
        t => if (t.srcAttr + t.attr < t.dstAttr) Iterator((t.dstId, t.srcAttr + t.attr)) else Iterator.empty,
        (a, b) => math.min(a, b)),
      new CorpusProgram[Long, Int, Long](
        "the sum of digits by recursion at the end",
        id => id,
        (_, _, n) => n,
        0L,
        maxIterations = 4)(
        (_, attr, msg) => attr + msg,
        t => Iterator((t.dstId, digits(t.srcAttr).toLong * t.attr)),
        _ + _),
      new CorpusProgram[Int, Int, Int](
        "a ratio that may be one of zero",
        id => (id % 5).toInt,
        (_, _, n) => n - 4,
        0,
        maxIterations = 4)(
        (_, attr, msg) => Try(attr % msg).getOrElse(attr) + 1,
        t => {
          val ratio =
            try t.srcAttr / t.attr
            catch {
              case _: ArithmeticException => t.dstAttr
            }
          Iterator((t.dstId, ratio))
        },
        (a, b) => math.max(a, b)),
      new CorpusProgram[(Double, Double), Int, (Double, Double)](
        "hubs and authorities",
        _ => (1.0, 1.0),
        (_, _, n) => n,
        (0.0, 0.0),
        maxIterations = 4)(
        (_, attr, msg) => {
          val (hub, authority) = msg
          val norm = math.sqrt(hub * hub + authority * authority + 1)
          ((attr._1 + hub) / norm, (attr._2 + authority) / norm)
        },
        t => Iterator((t.dstId, (0.0, t.srcAttr._1)), (t.srcId, (t.dstAttr._2, 0.0))),
        { case ((a, b), (c, d)) => (a + c, b + d) }),
      new CorpusProgram[Flow, Double, Int](
        "a case class that checks what it is made of",
        id => Flow(9, (id.abs % 5).toInt),
        (_, _, n) => n / 3.0,
        0,
        maxIterations = 4)(
        (_, flow, more) => flow.copy(used = math.min(flow.capacity, flow.used + more)),
        t =>
          for {
            amount <- Iterator(1, 2, 3)
            if amount <= t.srcAttr.left && amount > t.attr
            to <- List(t.dstId)
          } yield (to, amount),
        (a, b) => math.max(a, b)),
      new CorpusProgram[Int, Int, Int](
        "messages for every bit",
        id => (id & 15).toInt,
        (_, _, n) => n,
        0,
        maxIterations = 3)(
        (_, attr, msg) => (attr ^ msg) & 255,
        t => {
          var sum = 0
          for (i <- 0 until 4; j <- i + 1 to 4 if ((t.srcAttr >> i) & 1) != ((t.attr >> j) & 1)) sum |= 1 << (i + j)
          if (sum > 0) Iterator((t.dstId, sum)) else Iterator.empty
        },
        _ | _),
      new CorpusProgram[Long, (Int, Boolean), Long](
        "edges with switches",
        id => id,
        (a, b, n) => (n, (a + b) % 2 == 0),
        Long.MinValue,
        direction = EdgeDirection.Both)(
        (_, attr, msg) => math.max(attr, msg),
        t => {
          val (_, open) = t.attr
          val candidates = if (open) Seq((t.dstId, t.srcAttr), (t.srcId, t.dstAttr)) else Seq((t.dstId, t.srcAttr))
          candidates.filter { case (to, label) => label > t.vertexAttr(to) }.iterator
        },
        (a, b) => math.max(a, b)),
      new CorpusProgram[(Double, Long), Track, Offer](
        "plain objects on edges and as messages",
        id => (if (id == 0) 0.0 else 1e9, id),
        (_, _, n) => new Track(n, 1 + n % 3),
        new Offer(1e9, -1),
        direction = EdgeDirection.Out)(
        (_, attr, msg) => if (msg.price < attr._1) (msg.price, msg.source) else attr,
        t => {
          val price = t.srcAttr._1 + t.attr.cost(2) + t.attr.length
          if (price < t.dstAttr._1) Iterator((t.dstId, new Offer(price, t.srcId))) else Iterator.empty
        },
        (a, b) => a.better(b)),
      new CorpusProgram[Float, Float, Float](
        "heat in floats",
        id => if (id % 4 == 0) 100f else 0f,
        (_, _, n) => n * 0.01f,
        0f,
        maxIterations = 4)(
        (_, heat, flow) => heat + flow,
        t => {
          val flow = (t.srcAttr - t.dstAttr) * t.attr
          if (flow.abs < 1e-3f) Iterator.empty else Iterator((t.dstId, flow), (t.srcId, -flow))
        },
        (a, b) => a + b))
  }
}
