package org.sparkgpugraph.program.lift

import org.apache.spark.graphx.{EdgeTriplet, VertexId}

/** Programs with much in them that cannot be lifted. */
object RefusedPrograms {
  class Settings extends Serializable {
    var rate = 0.5
    val started: java.util.Date = new java.util.Date(0)
  }

  case class Rank(value: Double, steps: Int)

  /** A reason in each function, and two in the first, on two ways through it. */
  def several(settings: Settings): ScalaPrograms.Program = {
    val vprog = (id: VertexId, rank: Rank, message: Rank) =>
      if (message.value > 0) {
        Rank(rank.value * settings.rate, rank.steps)
      } else {
        Rank(settings.started.getTime.toDouble, rank.toString.length)
      }
    val send = (edge: EdgeTriplet[Rank, Double]) =>
      Iterator((edge.dstId, edge.srcAttr.copy(steps = scala.util.Random.nextInt())))
    val merge = (a: Rank, b: Rank) => if (Map(a -> b).contains(b)) a else b
    new ScalaPrograms.Program(vprog, send, merge)
  }
}
