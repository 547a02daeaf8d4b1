package org.sparkgpugraph.program

/** Case classes within another class, for a test of which objects make use of the one around. */
class Around(val rate: Double) extends Serializable {
  trait Rated { def rated: Double = rate }

  case class Keeps(value: Double, steps: Int) {
    def next: Keeps = copy(steps = steps + 1)
    def isAsFarAs(other: Keeps): Boolean = other == next
  }

  case class Reads(value: Double) { def scaled: Double = value * rate }

  case class ReadsInLambda(value: Double) {
    def scaled(values: Seq[Double]): Seq[Double] = values.map(_ * rate)
  }

  case class Returns(value: Double) { def around: Around = Around.this }

  case class ReadsWithin(value: Double) {
    class Within { def scaled: Double = value * rate }
  }

  case class Requires(value: Double) { require(value < rate) }

  case class OfTrait(value: Double) extends Rated

  case class OwnCopy(value: Double) { def copy(value: Double): OwnCopy = new OwnCopy(value * rate) }

  case class Changes(var value: Double)
}
