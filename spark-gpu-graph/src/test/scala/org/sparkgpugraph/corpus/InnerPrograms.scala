package org.sparkgpugraph.corpus

import org.apache.spark.graphx.{EdgeDirection, VertexId}

/**
 * Programs whose values are of case classes that are defined within another class, as those of a
 * line of Spark's shell are: their objects refer to the one that they were made in.
 */
class InnerPrograms(val rate: Double) extends Serializable {
  case class Rank(value: Double, steps: Int) {
    def grown(by: Double): Rank = copy(value = value + by, steps = steps + 1)
  }

  case class Hop(length: Double, via: Long) {
    def isBefore(other: Hop): Boolean =
      length < other.length || length == other.length && via < other.via
  }

  case class Place(best: Hop, name: String, rank: Rank)

  /** Its objects do what the one around them says. */
  case class Scaled(value: Double) {
    def scaled: Double = value * rate
  }

  private def nearer(a: Hop, b: Hop): Hop = if (a.isBefore(b)) a else b

  def all: Seq[CorpusProgram[_, _, _]] = Seq(
    new CorpusProgram[Rank, Int, Double](
      "an inner case class that is made anew",
      id => Rank(id.toDouble, 0),
      (_, _, n) => n,
      0.0,
      maxIterations = 4)(
      (_, attr, msg) => if (attr.steps % 2 == 0) Rank(attr.value + msg * rate, attr.steps + 1) else attr.grown(msg),
      t => Iterator((t.dstId, t.srcAttr.value / t.attr)),
      (a, b) => math.max(a, b)),
    new CorpusProgram[Hop, Hop, Hop](
      "inner case classes everywhere, a message that becomes the value",
      id => if (id == 3) Hop(0, 3) else Hop(Double.PositiveInfinity, -1),
      (from, _, n) => Hop(n, from),
      Hop(Double.PositiveInfinity, Long.MaxValue),
      direction = EdgeDirection.Out)(
      (_, attr, msg) => if (msg.isBefore(attr)) msg else attr,
      t => {
        val length = t.srcAttr.length + t.attr.length
        if (length < t.dstAttr.length) Iterator((t.dstId, Hop(length, t.attr.via))) else Iterator.empty
      },
      nearer),
    new CorpusProgram[(Place, Int), Int, Hop](
      "inner case classes in one another and in a tuple, beside a name",
      id => (Place(Hop(if (id == 3) 0 else 1000, id), s"place $id", Rank(1, 0)), 0),
      (_, _, n) => n,
      Hop(Double.PositiveInfinity, Long.MaxValue),
      maxIterations = 5)(
      { case (_, (place, changes), msg) =>
        if (msg.isBefore(place.best)) (place.copy(best = msg, rank = Rank(msg.length, changes)), changes + 1)
        else (place.copy(rank = place.rank.grown(0.5)), changes)
      },
      t => {
        val best = t.srcAttr._1.best
        if (best.length + t.attr < t.dstAttr._1.best.length) Iterator((t.dstId, best.copy(length = best.length + t.attr)))
        else Iterator.empty
      },
      nearer),
    new CorpusProgram[Rank, Int, Rank](
      "inner case classes that are compared",
      id => Rank(id.toDouble % 3, 0),
      (_, _, n) => n,
      Rank(-1, 0),
      maxIterations = 3,
      lifts = false)(
      (_, attr, msg) => if (attr == msg) attr.grown(1) else msg.grown(attr.value),
      t => Iterator((t.dstId, t.srcAttr)),
      (a, b) => if (a.value > b.value) a else b),
    new CorpusProgram[Scaled, Int, Double](
      "an inner case class that makes use of the object around it",
      id => Scaled(id.toDouble),
      (_, _, n) => n,
      0.0,
      maxIterations = 3,
      lifts = false)(
      (_, attr, msg) => Scaled(attr.scaled + msg),
      t => Iterator((t.dstId, t.srcAttr.value)),
      (a, b) => math.max(a, b)),
    new CorpusProgram[Option[Rank], Int, Double](
      "an option of an inner case class",
      id => if (id % 2 == 0) Some(Rank(id.toDouble, 0)) else None,
      (_, _, n) => n,
      0.0,
      maxIterations = 3,
      lifts = false)(
      (_, attr, msg) => attr.map(_.grown(msg)),
      t => t.srcAttr.iterator.map(rank => (t.dstId, rank.value / t.attr)),
      (a, b) => math.max(a, b)))
}
