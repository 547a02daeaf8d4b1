package org.sparkgpugraph.corpus

import org.apache.spark.graphx.{EdgeDirection, EdgeTriplet, VertexId}

/** Programs whose values or messages are tuples. */
object TuplePrograms extends Serializable {
  private val Infinity = Double.PositiveInfinity

  def all: Seq[CorpusProgram[_, _, _]] = Seq(
    // GraphX's own PageRank.runUntilConvergence
    new CorpusProgram[(Double, Double), Double, Double](
      "rank and delta in a pair",
      _ => (0.0, 0.0),
      (_, _, n) => 1.0 / n,
      0.15 / 0.85,
      maxIterations = 12,
      direction = EdgeDirection.Out)(
      (id, attr, msgSum) => {
        val (oldPR, lastDelta) = attr
        val newPR = oldPR + 0.85 * msgSum
        (newPR, newPR - oldPR)
      },
      edge =>
        if (edge.srcAttr._2 > 0.001) Iterator((edge.dstId, edge.srcAttr._2 * edge.attr / 9))
        else Iterator.empty,
      (a, b) => a + b),
    new CorpusProgram[(Double, Long), Int, (Double, Long)](
      "shortest paths with a predecessor",
      id => if (id == 0) (0.0, -1L) else (Infinity, -1L),
      (_, _, n) => n,
      (Infinity, -1L))(
      (_, attr, msg) => if (msg._1 < attr._1) msg else attr,
      t =>
        if (t.srcAttr._1 + t.attr < t.dstAttr._1)
          Iterator((t.dstId, (t.srcAttr._1 + t.attr, t.srcId)))
        else Iterator.empty,
      (a, b) =>
        if (a._1 < b._1 || (a._1 == b._1 && a._2 < b._2)) a else b),
    new CorpusProgram[(Int, Int), Int, (Int, Int)](
      "sum and count by a pattern match",
      id => (id.toInt % 10, 0),
      (_, _, n) => n,
      (0, 0),
      maxIterations = 4)(
      { case (id, (value, count), (sum, n)) =>
        if (n == 0) (value, count) else ((value + sum) % 1000, count + n)
      },
      t => Iterator((t.dstId, (t.srcAttr._1 * t.attr, 1))),
      { case ((a, n), (b, m)) => (a + b, n + m) }),
    new CorpusProgram[((Long, Boolean), Double), Double, Long](
      "a pair in a pair",
      id => ((id, false), id.toDouble / 2),
      (_, _, n) => n.toDouble,
      Long.MaxValue)(
      (id, attr, msg) =>
        if (msg < attr._1._1) ((msg, true), attr._2) else attr,
      t => {
        val ((label, _), _) = t.srcAttr
        if (label < t.dstAttr._1._1) Iterator((t.dstId, label)) else Iterator.empty
      },
      (a, b) => math.min(a, b)),
    new CorpusProgram[(Long, Int, Float, Boolean), (Int, Double), (Float, Int)](
      "four kinds in a value, two on an edge",
      id => (id, 0, 1.5f, id % 2 == 0),
      (a, b, n) => (n, (a - b).toDouble),
      (0f, 0),
      maxIterations = 3,
      direction = EdgeDirection.Out)(
      (id, attr, msg) => attr.copy(_2 = attr._2 + msg._2, _3 = math.max(attr._3, msg._1)),
      t =>
        if (t.attr._2 > 0 || t.srcAttr._4) Iterator(t.dstId -> ((t.srcAttr._3 * t.attr._1, 1)))
        else Iterator.empty,
      (a, b) => (math.max(a._1, b._1), a._2 + b._2)),
    new CorpusProgram[(Int, Int), Int, (Int, Int)](
      "tuples that are compared",
      id => (id.toInt, id.toInt % 5),
      (_, _, n) => n,
      (Int.MaxValue, 0))(
      (_, attr, msg) => if (msg == ((Int.MaxValue, 0))) attr else if (msg._1 < attr._1) msg else attr,
      t =>
        if (t.srcAttr != t.dstAttr && t.srcAttr._1 < t.dstAttr._1) Iterator((t.dstId, t.srcAttr))
        else Iterator.empty,
      (a, b) => if (a._1 <= b._1) a else b),
    new CorpusProgram[(Int, Int), Int, (Int, Int)](
      "swapped and copied",
      id => (id.toInt, 1),
      (_, _, n) => n,
      (0, 0),
      maxIterations = 3)(
      (_, attr, msg) => attr.copy(_1 = attr._1 + msg._2),
      t => Iterator((t.dstId, (t.attr, t.srcAttr._2).swap)),
      (a, b) => (a._1 max b._1, a._2 max b._2)),
    new CorpusProgram[(Long, Long, Long), Int, Set0](
      "three longs, messages of a case class",
      id => (id, id, id),
      (_, _, n) => n,
      Set0(Long.MaxValue, Long.MinValue))(
      (_, attr, msg) => (attr._1, math.min(attr._2, msg.least), math.max(attr._3, msg.most)),
      t =>
        if (t.srcAttr._2 < t.dstAttr._2 || t.srcAttr._3 > t.dstAttr._3)
          Iterator((t.dstId, Set0(t.srcAttr._2, t.srcAttr._3)))
        else Iterator.empty,
      (a, b) => Set0(math.min(a.least, b.least), math.max(a.most, b.most))))
}

/** The ends of an interval. */
case class Set0(least: Long, most: Long)
