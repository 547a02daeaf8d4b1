package org.sparkgpugraph.corpus

import org.apache.spark.graphx.{EdgeDirection, VertexId}

/** Programs that read what is around them, and values of kinds that are rare. */
object CapturedPrograms extends Serializable {
  private val weights = Array(0.5, 0.25, 2.0, 1.0)
  private val names = Map(1L -> 10, 3L -> 30, -1L -> 7)
  private val seeds = Set(0L, 9L, 12L)
  private lazy val late = 17
  private var changed = 3

  def all: Seq[CorpusProgram[_, _, _]] = {
    val limits = Array(100, 50, 25)
    val local = Map(0L -> 5.0, 6L -> 2.5)
    var rounds = 2
    rounds += 1
    val chosen = Option(4)
    val exact: Option[Long] = None
    Seq(
      new CorpusProgram[Double, Int, Double](
        "an array in an object",
        id => id.toDouble,
        (_, _, n) => n,
        Double.MaxValue,
        maxIterations = 4)(
        (_, attr, msg) => math.min(attr, msg),
        t => Iterator((t.dstId, t.srcAttr * weights(t.attr & 3))),
        (a, b) => math.min(a, b)),
      new CorpusProgram[Int, Int, Int](
        "a local array",
        id => id.toInt,
        (_, _, n) => n,
        0,
        maxIterations = 3)(
        (_, attr, msg) => math.max(attr, msg),
        t => if (t.srcAttr < limits(t.attr % limits.length)) Iterator((t.dstId, t.srcAttr + 1)) else Iterator.empty,
        (a, b) => math.max(a, b)),
      new CorpusProgram[Int, Int, Int](
        "a map with a default",
        id => names.getOrElse(id, 1),
        (_, _, n) => n,
        0,
        maxIterations = 3)(
        (id, attr, msg) => math.max(attr, msg) + names.getOrElse(id, 0),
        t => Iterator((t.dstId, t.srcAttr + t.attr)),
        (a, b) => math.max(a, b)),
      new CorpusProgram[Double, Int, Double](
        "a local map, asked and read",
        _ => 0.0,
        (_, _, n) => n,
        0.0,
        maxIterations = 3)(
        (id, attr, msg) => if (local.contains(id)) local(id) else attr + msg,
        t => Iterator((t.dstId, t.srcAttr / 2)),
        (a, b) => math.max(a, b)),
      new CorpusProgram[Boolean, Int, Boolean](
        "a set of seeds",
        _ => false,
        (_, _, n) => n,
        false,
        maxIterations = 3,
        direction = EdgeDirection.Out)(
        (id, attr, msg) => attr || msg || seeds(id) || seeds.contains(id + 1),
        t => if (t.srcAttr && !t.dstAttr) Iterator((t.dstId, true)) else Iterator.empty,
        (a, b) => a || b),
      new CorpusProgram[Int, Int, Int](
        "vars, lazy vals and options from outside",
        id => id.toInt,
        (_, _, n) => n,
        0,
        maxIterations = 3)(
        (_, attr, msg) => attr + msg + rounds + late + changed + chosen.getOrElse(0),
        t => if (exact.isEmpty && chosen.isDefined) Iterator((t.dstId, t.attr)) else Iterator.empty,
        (a, b) => a + b),
      new CorpusProgram[Option[Int], Int, Int](
        "an option as a value",
        id => if (id % 2 == 0) Some(id.toInt) else None,
        (_, _, n) => n,
        -1,
        maxIterations = 3,
        lifts = false)(
        (_, attr, msg) => if (msg < 0) attr else attr.map(_ max msg).orElse(Some(msg)),
        t => t.srcAttr match {
          case Some(value) if value > t.attr => Iterator((t.dstId, value))
          case _ => Iterator.empty
        },
        (a, b) => math.max(a, b)),
      new CorpusProgram[Unit, Int, Int](
        "no value at all",
        _ => (),
        (_, _, n) => n,
        0,
        maxIterations = 2,
        lifts = false)(
        (_, _, _) => (),
        t => Iterator((t.dstId, t.attr)),
        (a, b) => a + b),
      new CorpusProgram[Byte, Short, Byte](
        "bytes and shorts",
        id => (id % 100).toByte,
        (_, _, n) => n.toShort,
        0.toByte,
        maxIterations = 3,
        lifts = false)(
        (_, attr, msg) => (attr + msg).toByte,
        t => if (t.srcAttr > t.attr) Iterator((t.dstId, (t.srcAttr - t.attr).toByte)) else Iterator.empty,
        (a, b) => if (a > b) a else b),
      new CorpusProgram[(String, Int), (Double, String), Int](
        "a name that is carried along",
        id => (s"v$id", id.toInt.abs),
        (a, b, n) => (n.toDouble, s"$a-$b"),
        0,
        maxIterations = 3,
        lifts = false)(
        (_, attr, msg) => (attr._1, attr._2 max msg),
        t => if (t.srcAttr._2 > t.dstAttr._2) Iterator((t.dstId, t.srcAttr._2)) else Iterator.empty,
        (a, b) => math.max(a, b)),
      new CorpusProgram[User, Link, Double](
        "users with names, links with labels",
        id => User(s"user $id", Map("k" -> id), 1.0, List(id)),
        (a, b, n) => Link(s"$a/$b", n),
        0.0,
        maxIterations = 3,
        lifts = false)(
        (_, user, msg) => user.copy(score = user.score * 0.5 + msg),
        t => Iterator((t.dstId, t.srcAttr.score / t.attr.weight)),
        (a, b) => a + b))
  }
}

case class User(name: String, tags: Map[String, Long], score: Double, groups: List[Long])

case class Link(label: String, weight: Int)
