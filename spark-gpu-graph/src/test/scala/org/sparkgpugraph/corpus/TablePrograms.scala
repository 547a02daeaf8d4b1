package org.sparkgpugraph.corpus

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.graphx.EdgeDirection

/** Programs that look things up in arrays, maps and sets that are too large to be compared with. */
object TablePrograms extends Serializable {
  private val costs = Array.tabulate(1000)(i => 1.0 + i % 17 * 0.25)
  private val scores: Map[Long, Double] =
    (-3000 until 3000).filterNot(_ % 6 == 1).map(i => (i * 3L, 0.5 + (i.abs % 10) * 0.125)).toMap + (Long.MinValue -> 1.0)
  private val blocked: Set[Long] = (0 until 2000).map(i => i * 9L).toSet - 63L
  private val regions: Map[Long, (Int, Boolean)] =
    (-200L until 200L).map(id => (id, ((id % 7).toInt, id % 5 == 0))).toMap

  def all: Seq[CorpusProgram[_, _, _]] = {
    val sc = SparkContext.getOrCreate()
    val limits: Broadcast[Array[Int]] = sc.broadcast(Array.tabulate(300)(i => 40 + i * 7 % 50))
    val bonus: Broadcast[Map[Long, Double]] = sc.broadcast(scores.map { case (id, score) => (id + 3, score * 2) })
    val seeds: Broadcast[Set[Long]] = sc.broadcast((0L until 90L).map(_ * 6).toSet)
    Seq(
      new CorpusProgram[Double, Int, Double](
        "an array of a thousand",
        id => if (id == 0) 0.0 else Double.PositiveInfinity,
        (_, _, n) => n,
        Double.PositiveInfinity,
        maxIterations = 8)(
        (_, attr, msg) => math.min(attr, msg),
        t => {
          val next = t.srcAttr + costs((t.srcId * 31 + t.attr).toInt & 511)
          if (next < t.dstAttr) Iterator((t.dstId, next)) else Iterator.empty
        },
        (a, b) => math.min(a, b)),
      new CorpusProgram[Double, Int, Double](
        "a map of thousands, with a default",
        _ => 1.0,
        (_, _, n) => n,
        0.0,
        maxIterations = 5)(
        (id, attr, msg) => 0.25 * attr + msg * scores.getOrElse(id, 0.3),
        t => Iterator((t.dstId, t.srcAttr * scores.getOrElse(t.srcId + t.attr, 0.1) / 4)),
        (a, b) => a + b),
      new CorpusProgram[Long, Int, Long](
        "a large set that ends ways, and a map of pairs",
        id => id,
        (_, _, n) => n,
        Long.MinValue,
        maxIterations = 6,
        direction = EdgeDirection.Out)(
        (id, attr, msg) =>
          regions.get(id) match {
            case Some((region, true)) => math.max(attr, msg) + region
            case Some((region, _)) => math.max(attr, msg - region)
            case None => math.max(attr, msg)
          },
        t =>
          if (blocked(t.dstId) || !seeds.value.contains(t.srcId)) Iterator.empty
          else Iterator((t.dstId, t.srcAttr)),
        (a, b) => math.max(a, b)),
      new CorpusProgram[Int, Int, Int](
        "large broadcasts",
        id => (id % 50).toInt.abs,
        (_, _, n) => n,
        0,
        maxIterations = 4)(
        (id, attr, msg) =>
          if (bonus.value.contains(id)) math.max(attr, msg) + bonus.value(id).toInt else math.max(attr, msg),
        t => if (t.srcAttr < limits.value(t.attr * 20)) Iterator((t.dstId, t.srcAttr + t.attr)) else Iterator.empty,
        (a, b) => math.max(a, b)),
      new CorpusProgram[Long, Int, Long](
        "what is not in a table, caught",
        id => id,
        (_, _, n) => n,
        0L,
        maxIterations = 4)(
        (id, attr, msg) =>
          (try scores(attr % 100) catch { case _: NoSuchElementException => -1.0 }).toLong + attr / 2 + msg,
        t =>
          Iterator(
            (t.dstId,
              try costs(t.srcAttr.toInt % 2000).toLong
              catch { case _: ArrayIndexOutOfBoundsException => t.attr.toLong })),
        (a, b) => a + b))
  }
}
