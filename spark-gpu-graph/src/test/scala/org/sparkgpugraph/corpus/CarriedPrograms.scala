package org.sparkgpugraph.corpus

import org.apache.spark.graphx.{EdgeDirection, VertexId}

case class Street(name: String, length: Double, tags: Map[String, Int])

case class Person(name: String, rank: Double, friends: Seq[String], home: Street, age: Int)

case class Tagged[T](tag: T, best: Long)

class Plain(val text: String)

/** Programs whose values have components that no function reads. */
object CarriedPrograms extends Serializable {
  private def person(id: VertexId): Person =
    Person(
      if (id % 5 == 0) null else s"person $id",
      id.toDouble,
      List.fill((id.abs % 3).toInt)("friend"),
      Street(s"street $id", 1.0 + id.abs % 3, Map(s"$id" -> 1)),
      20)

  def all: Seq[CorpusProgram[_, _, _]] = Seq(
    new CorpusProgram[(String, Double), Double, Double](
      "a name and a rank",
      id => (if (id == 3) null else s"name of $id", 1.0),
      (_, _, n) => 1.0 / n,
      0.0,
      maxIterations = 5,
      direction = EdgeDirection.Out)(
      (_, attr, msg) => (attr._1, 0.15 + 0.85 * msg),
      t => Iterator((t.dstId, t.srcAttr._2 * t.attr)),
      _ + _),
    new CorpusProgram[(String, Long), (String, Int), Long](
      "a pattern match that binds what it does not use",
      id => (s"name of $id", id),
      (from, to, n) => (s"$from to $to", n),
      Long.MaxValue)(
      { case (_, (name, label), msg) => (name, math.min(label, msg)) },
      t => {
        val (_, weight) = t.attr
        if (t.srcAttr._2 < t.dstAttr._2 && weight > 2) Iterator((t.dstId, t.srcAttr._2))
        else Iterator.empty
      },
      (a, b) => math.min(a, b)),
    new CorpusProgram[Person, Street, Double](
      "copy of a case class with names, lists and maps in it",
      person,
      (from, to, n) => Street(s"$from $to", n, Map.empty),
      0.0,
      maxIterations = 4)(
      (_, p, msg) =>
        p.copy(rank = p.rank + msg, age = p.age + 1, home = p.home.copy(length = p.home.length * 2)),
      t =>
        if (t.srcAttr.rank > t.dstAttr.rank)
          Iterator((t.dstId, t.attr.length * t.srcAttr.home.length))
        else Iterator.empty,
      (a, b) => math.max(a, b)),
    new CorpusProgram[Person, Int, Long](
      "a case class that is returned as it is",
      person,
      (_, _, n) => n,
      0L,
      maxIterations = 4)(
      (_, p, msg) => if (msg < 10) p else Person(p.name, p.rank + msg, p.friends, p.home, p.age),
      t => Iterator((t.dstId, t.srcAttr.age.toLong)),
      _ + _),
    new CorpusProgram[Tagged[Plain], String, Long](
      "an object of a plain class that never travels, edges that nobody reads",
      id => Tagged(null, id),
      (from, to, _) => s"$from-$to",
      Long.MaxValue)(
      (_, attr, msg) => if (msg < attr.best) attr.copy(best = msg) else attr,
      t => if (t.srcAttr.best < t.dstAttr.best) Iterator((t.dstId, t.srcAttr.best)) else Iterator.empty,
      (a, b) => math.min(a, b)),
    new CorpusProgram[(String, Double), Int, Double](
      "a name that is read",
      id => (s"name of $id", 1.0),
      (_, _, n) => n,
      0.0,
      maxIterations = 3,
      lifts = false)(
      (_, attr, msg) => (attr._1, attr._2 + msg + attr._1.length),
      t => Iterator((t.dstId, t.srcAttr._2)),
      (a, b) => math.max(a, b)),
    new CorpusProgram[(String, Double), Int, (String, Double)](
      "a name that is sent",
      id => (s"name of $id", 1.0 / (1 + id.abs)),
      (_, _, n) => n,
      ("", 0.0),
      maxIterations = 3,
      lifts = false)(
      (_, attr, msg) => if (msg._2 > attr._2) msg else attr,
      t => Iterator((t.dstId, t.srcAttr)),
      (a, b) => if (a._2 > b._2) a else b),
    new CorpusProgram[(String, String, Int), Int, Int](
      "names that change places",
      id => (s"first of $id", s"second of $id", 0),
      (_, _, n) => n,
      0,
      maxIterations = 3,
      lifts = false)(
      (_, attr, msg) => (attr._2, attr._1, attr._3 + msg),
      t => Iterator((t.dstId, t.attr)),
      _ + _),
    new CorpusProgram[(String, Int), Int, Int](
      "a name that is replaced",
      id => (s"name of $id", 0),
      (_, _, n) => n,
      0,
      maxIterations = 3,
      lifts = false)(
      (_, attr, msg) => (if (msg > 5) "large" else attr._1, attr._2 + msg),
      t => Iterator((t.dstId, t.attr)),
      _ + _),
    new CorpusProgram[(String, Int), Int, Int](
      "a name that may be null, asked for",
      id => (if (id % 2 == 0) null else "odd", 0),
      (_, _, n) => n,
      0,
      maxIterations = 3,
      lifts = false)(
      (_, attr, msg) => (attr._1, attr._2 + (if (attr._1 == null) 1 else msg)),
      t => Iterator((t.dstId, t.attr)),
      _ + _))
}
