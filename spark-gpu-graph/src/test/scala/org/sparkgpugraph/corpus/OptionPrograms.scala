package org.sparkgpugraph.corpus

import org.apache.spark.graphx.{EdgeDirection, VertexId}

case class Reached(distance: Option[Double], via: Option[VertexId], hops: Byte)

case class Small(b: Byte, s: Short, c: Char, flag: Boolean)

/** Programs of options, units, bytes, shorts and characters. */
object OptionPrograms extends Serializable {
  def all: Seq[CorpusProgram[_, _, _]] = Seq(
    new CorpusProgram[Option[Double], Double, Double](
      "an optional distance",
      id => if (id == 3) Some(0.0) else None,
      (_, _, n) => n,
      Double.PositiveInfinity)(
      (_, attr, msg) =>
        attr match {
          case Some(old) => Some(math.min(old, msg))
          case None => if (msg.isInfinite) None else Some(msg)
        },
      t =>
        t.srcAttr match {
          case Some(d) if t.dstAttr.isEmpty || t.dstAttr.get > d + t.attr =>
            Iterator((t.dstId, d + t.attr))
          case _ => Iterator.empty
        },
      (a, b) => math.min(a, b)),
    new CorpusProgram[Reached, Int, (Double, VertexId)](
      "options in a case class, getOrElse, map, exists, isDefined",
      id => if (id == 3) Reached(Some(0), None, 0) else Reached(None, None, -1),
      (_, _, n) => n,
      (Double.MaxValue, -1L))(
      (_, attr, msg) =>
        if (msg._1 < attr.distance.getOrElse(1e9))
          attr.copy(distance = Some(msg._1), via = Some(msg._2), hops = (attr.hops + 1).toByte)
        else attr,
      t => {
        val next = t.srcAttr.distance.map(_ + t.attr)
        if (next.isDefined && !t.dstAttr.distance.exists(_ <= next.get))
          Iterator((t.dstId, (next.get, t.srcId)))
        else Iterator.empty
      },
      (a, b) => if (a._1 < b._1 || a._1 == b._1 && a._2 < b._2) a else b),
    new CorpusProgram[Int, Int, Option[Int]](
      "optional messages",
      id => id.toInt % 7,
      (_, _, n) => n,
      Some(0),
      maxIterations = 4)(
      (_, attr, msg) => msg.fold(attr)(m => attr + m),
      t => Iterator((t.dstId, if (t.srcAttr > t.attr) Some(t.attr) else None)),
      {
        case (Some(a), Some(b)) => Some(a + b)
        case (a, None) => a
        case (_, b) => b
      }),
    new CorpusProgram[Option[Long], Int, Option[Long]](
      "options that all begin without a value",
      _ => None,
      (_, _, n) => n,
      None,
      maxIterations = 3)(
      (id, attr, msg) => if (msg.isEmpty) attr.orElse(Some(id)) else msg,
      t => t.srcAttr.map(label => (t.dstId, Option(label + t.attr))).iterator,
      (a, b) => for (x <- a; y <- b) yield math.min(x, y)),
    new CorpusProgram[(Option[Int], Option[Int]), Int, Int](
      "options that are compared and chained",
      id => (if (id % 2 == 0) Some(id.toInt) else None, None),
      (_, _, n) => n,
      0,
      maxIterations = 3)(
      (_, attr, msg) => (attr._1 orElse attr._2, attr._2.orElse(Some(msg)).filter(_ % 2 == 0)),
      t =>
        if (t.srcAttr == t.dstAttr || t.srcAttr._1.contains(4)) Iterator.empty
        else Iterator((t.dstId, t.srcAttr._1.getOrElse(t.attr))),
      (a, b) => math.max(a, b)),
    new CorpusProgram[Unit, Int, Int](
      "vertices of nothing",
      _ => (),
      (_, _, n) => n,
      0,
      maxIterations = 2)(
      (_, attr, _) => attr,
      t => Iterator((t.dstId, t.attr)),
      _ + _),
    new CorpusProgram[Int, Unit, Unit](
      "messages and edges of nothing",
      _ => -1,
      (_, _, _) => (),
      (),
      maxIterations = 5,
      direction = EdgeDirection.Out)(
      (_, attr, _) => attr + 1,
      t => if (t.srcAttr < 3) Iterator((t.dstId, ())) else Iterator.empty,
      (_, _) => ()),
    new CorpusProgram[Byte, Short, Byte](
      "bytes that overflow",
      id => id.toByte,
      (_, _, n) => (n * 1000).toShort,
      1.toByte,
      maxIterations = 5)(
      (_, attr, msg) => (attr + msg).toByte,
      t => Iterator((t.dstId, (t.srcAttr * t.attr).toByte)),
      (a, b) => (a + b).toByte),
    new CorpusProgram[Small, Char, (Char, Short)](
      "small numbers in a case class",
      id => Small(id.toByte, (id * 100).toShort, ('a' + id.abs % 26).toChar, id % 2 == 0),
      (a, b, n) => ('0' + n).toChar,
      ('a', 0.toShort),
      maxIterations = 4)(
      (_, attr, msg) =>
        attr.copy(
          b = (attr.b + 1).toByte,
          s = (attr.s * 7 + msg._2).toShort,
          c = if (msg._1 > attr.c) msg._1 else attr.c),
      t =>
        if (t.srcAttr.c >= 'y' || t.attr == '3') Iterator.empty
        else Iterator((t.dstId, ((t.srcAttr.c + 1).toChar, t.srcAttr.s))),
      (a, b) => (if (a._1 > b._1) a._1 else b._1, (a._2 + b._2).toShort)),
    new CorpusProgram[(Char, Byte), Short, Char](
      "characters and bytes in tuples, compared",
      id => (('a' + id.abs % 26).toChar, id.toByte),
      (_, _, n) => n.toShort,
      'a',
      maxIterations = 6)(
      (_, attr, msg) => if (attr._1 < msg) (msg, attr._2) else attr,
      t =>
        if (t.srcAttr._1 > t.dstAttr._1 && t.srcAttr._2 != t.attr) Iterator((t.dstId, t.srcAttr._1))
        else Iterator.empty,
      (a, b) => if (a > b) a else b))
}
