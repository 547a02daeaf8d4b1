package org.sparkgpugraph.program.lift

import org.apache.spark.graphx.{EdgeTriplet, VertexId}

case class Ranked(rank: Double, count: Int)

case class NamedRank(name: String, rank: Double, tags: Map[String, Int], count: Int)

case class Message(share: Double, count: Int)

/** One program on the same numbers in different classes. */
object SameNumbers {

  /** A program, with a value of its vertices and a message. */
  case class Written(value: Any, message: Any, vprog: AnyRef, send: AnyRef, merge: AnyRef)

  def tuples: Written = {
    val vprog = (_: VertexId, v: (Double, Int), m: (Double, Int)) => (v._1 * 0.85 + m._1, v._2 + m._2)
    val send = (t: EdgeTriplet[(Double, Int), Int]) =>
      if (t.srcAttr._2 > t.attr) Iterator((t.dstId, (t.srcAttr._1 / t.attr, 1))) else Iterator.empty
    val merge = (a: (Double, Int), b: (Double, Int)) => (a._1 + b._1, a._2 + b._2)
    Written((1.0, 1), (1.0, 1), vprog, send, merge)
  }

  def caseClasses: Written = {
    val vprog = (_: VertexId, v: Ranked, m: Message) => Ranked(v.rank * 0.85 + m.share, v.count + m.count)
    val send = (t: EdgeTriplet[Ranked, Int]) =>
      if (t.srcAttr.count > t.attr) Iterator((t.dstId, Message(t.srcAttr.rank / t.attr, 1))) else Iterator.empty
    val merge = (a: Message, b: Message) => Message(a.share + b.share, a.count + b.count)
    Written(Ranked(1, 1), Message(1, 1), vprog, send, merge)
  }

  def named: Written = {
    val vprog = (_: VertexId, v: NamedRank, m: Message) =>
      v.copy(rank = v.rank * 0.85 + m.share, count = v.count + m.count)
    val send = (t: EdgeTriplet[NamedRank, Int]) =>
      if (t.srcAttr.count > t.attr) Iterator((t.dstId, Message(t.srcAttr.rank / t.attr, 1))) else Iterator.empty
    val merge = (a: Message, b: Message) => Message(a.share + b.share, a.count + b.count)
    Written(NamedRank("n", 1, Map.empty, 1), Message(1, 1), vprog, send, merge)
  }
}
