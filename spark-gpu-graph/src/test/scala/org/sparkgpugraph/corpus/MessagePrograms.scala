package org.sparkgpugraph.corpus

import org.apache.spark.graphx.{EdgeDirection, EdgeTriplet, VertexId}

import scala.collection.mutable.{ArrayBuffer, ListBuffer}

/** Programs that build their messages in the many ways that Scala has. */
object MessagePrograms extends Serializable {
  private val defaults = Map(1 -> 3, 2 -> 9).withDefaultValue(7)

  private val doubled = scala.collection.mutable.Map(1 -> 7).withDefault((n: Int) => n * 2)

  private def smaller(a: Long, b: Long): Long = math.min(a, b)

  private def sends(
      name: String, lifts: Boolean = true, direction: EdgeDirection = EdgeDirection.Either)(
      send: EdgeTriplet[Long, Int] => Iterator[(VertexId, Long)]): CorpusProgram[_, _, _] =
    new CorpusProgram[Long, Int, Long](
      name,
      id => id,
      (_, _, n) => n,
      Long.MaxValue,
      maxIterations = 6,
      direction = direction,
      lifts = lifts)(
      (_, attr, msg) => math.min(attr, msg),
      send,
      smaller)

  private def repeated(copies: Int) = sends("a range to a captured number") { t =>
    var sum = 0L
    for (i <- 1 to copies) sum += t.srcAttr / i
    (0 until copies).filter(i => sum + i < t.dstAttr).map(i => (t.dstId, sum + i)).iterator
  }

  def all: Seq[CorpusProgram[_, _, _]] = Seq(
    sends("a list from cells") { t =>
      var messages: List[(VertexId, Long)] = Nil
      if (t.srcAttr < t.dstAttr) messages = (t.dstId, t.srcAttr) :: messages
      if (t.dstAttr < t.srcAttr) messages = (t.srcId, t.dstAttr) :: messages
      messages.iterator
    },
    sends("a list buffer") { t =>
      val messages = new ListBuffer[(VertexId, Long)]()
      if (t.srcAttr < t.dstAttr) messages += ((t.dstId, t.srcAttr))
      if (t.dstAttr < t.srcAttr) messages.append((t.srcId, t.dstAttr))
      messages.iterator
    },
    sends("an array buffer") { t =>
      val messages = ArrayBuffer.empty[(VertexId, Long)]
      if (t.srcAttr < t.dstAttr) messages += (t.dstId -> t.srcAttr)
      messages.toIterator
    },
    sends("an option") { t =>
      val message =
        if (t.srcAttr < t.dstAttr) Some((t.dstId, t.srcAttr)) else None
      message.iterator
    },
    sends("some, directly") { t =>
      if (t.srcAttr < t.dstAttr) Some((t.dstId, t.srcAttr)).iterator else Iterator.empty
    },
    sends("an iterator that is filtered") { t =>
      Iterator((t.dstId, t.srcAttr), (t.srcId, t.dstAttr)).filter {
        case (to, label) => (if (to == t.dstId) t.dstAttr else t.srcAttr) > label
      }
    },
    sends("an iterator that is mapped") { t =>
      if (t.srcAttr < t.dstAttr) Iterator(t.dstId).map(id => (id, t.srcAttr)) else Iterator.empty
    },
    sends("a list that is mapped") { t =>
      List(t.srcId, t.dstId)
        .map(id => (id, math.min(t.srcAttr, t.dstAttr)))
        .filter(m => t.srcAttr != t.dstAttr)
        .iterator
    },
    sends("two iterators added") { t =>
      val forth = if (t.srcAttr < t.dstAttr) Iterator((t.dstId, t.srcAttr)) else Iterator.empty
      val back = if (t.dstAttr < t.srcAttr) Iterator((t.srcId, t.dstAttr)) else Iterator.empty
      forth ++ back
    },
    sends("otherVertexAttr and otherVertexId") { t =>
      if (t.otherVertexAttr(t.dstId) < t.vertexAttr(t.dstId))
        Iterator((t.otherVertexId(t.srcId), t.srcAttr))
      else Iterator.empty
    },
    sends("toTuple") { t =>
      val ((from, label), (to, other), _) = t.toTuple
      if (label < other) Iterator((to, label))
      else if (other < label) Iterator((from, other))
      else Iterator.empty
    },
    sends("a match on a condition", direction = EdgeDirection.Both) { t =>
      t.srcAttr.compare(t.dstAttr) match {
        case c if c < 0 => Iterator.single(t.dstId -> t.srcAttr)
        case 0 => Iterator.empty
        case _ => Iterator.single(t.srcId -> t.dstAttr)
      }
    },
    sends("require and assert") { t =>
      require(t.attr > 0, "weights are positive")
      assert(t.attr < 100)
      if (t.srcAttr < t.dstAttr) Iterator((t.dstId, t.srcAttr)) else Iterator()
    },
    sends("a range with yield") { t =>
      (for (i <- 0 until 2 if t.srcAttr < t.dstAttr) yield (t.dstId, t.srcAttr + i)).iterator
    },
    repeated(defaults(1)),
    sends("a sequence", direction = EdgeDirection.In) { t =>
      Seq((t.dstId, t.srcAttr), (t.srcId, t.dstAttr)).filter(m => m._2 < 1000).toIterator
    },
    sends("a loop into a buffer") { t =>
      val messages = ListBuffer.empty[(VertexId, Long)]
      for (id <- Seq(t.srcId, t.dstId)) {
        if (t.vertexAttr(t.srcId) != t.vertexAttr(t.dstId)) {
          messages += ((id, math.min(t.srcAttr, t.dstAttr)))
        }
      }
      messages.toList.iterator
    },
    sends("a variable that a lambda assigns") { t =>
      var least = t.srcAttr
      Seq(t.dstAttr, t.attr.toLong).foreach(x => if (x < least) least = x)
      if (least < t.dstAttr) Iterator((t.dstId, least)) else Iterator.empty
    },
    sends("a fold") { t =>
      val least = List(t.srcAttr, t.dstAttr, 50L).foldLeft(Long.MaxValue)((a, b) => math.min(a, b))
      if (Seq(t.srcAttr, t.dstAttr).exists(_ > least)) Iterator((t.dstId, least)) else Iterator.empty
    },
    sends("a pattern of lists") { t =>
      List(t.srcAttr, t.dstAttr).filter(_ != t.attr.toLong) match {
        case a :: b :: Nil if a < b => Iterator((t.dstId, a))
        case a :: Nil => Iterator((t.dstId, a + 1))
        case _ => Iterator.empty
      }
    },
    sends("a map with a default value") { t =>
      if (defaults(t.attr) > 5) Iterator((t.dstId, t.srcAttr)) else Iterator.empty
    },
    sends("a map with a default function") { t =>
      if (doubled(t.attr) > 5) Iterator((t.dstId, t.srcAttr)) else Iterator.empty
    },
    sends("an iterator that is asked", lifts = false) { t =>
      val labels = Iterator(t.srcAttr, t.dstAttr)
      if (labels.exists(_ < 10)) labels.map(label => (t.dstId, label)) else Iterator.empty
    },
    sends("a try") { t =>
      val ratio = try t.srcAttr / (t.dstAttr - 3) catch { case _: ArithmeticException => 0L }
      if (ratio > 0 && t.srcAttr < t.dstAttr) Iterator((t.dstId, t.srcAttr)) else Iterator.empty
    },
    sends("a local function that recurs") { t =>
      @annotation.tailrec
      def steps(n: Long, count: Int): Int =
        if (n <= 1 || count > 20) count else steps(if (n % 2 == 0) n / 2 else 3 * n + 1, count + 1)
      if (steps(t.srcAttr.abs, 0) > t.attr && t.srcAttr < t.dstAttr) Iterator((t.dstId, t.srcAttr))
      else Iterator.empty
    },
    sends("ids are enough", direction = EdgeDirection.Out) { t =>
      if (t.srcId < t.dstAttr) Iterator((t.dstId, t.srcId)) else Iterator.empty
    })
}
