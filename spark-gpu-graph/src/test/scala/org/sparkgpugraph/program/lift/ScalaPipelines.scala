package org.sparkgpugraph.program.lift

import scala.collection.mutable.ListBuffer
import scala.util.Random

/**
 * Functions put together at random of steps that log what they see: the log tells in which order
 * they were called, and how often.
 */
object ScalaPipelines extends Serializable {
  private type Log = ListBuffer[Long]

  private def steps: Seq[(Log, Iterator[Long]) => Iterator[Long]] = Seq(
    (log, xs) => xs.map { x => log += x; x * 3 + 1 },
    (log, xs) => xs.filter { x => log += x ^ 5; x % 3 != 0 },
    (log, xs) => xs.filterNot(x => x == log.size),
    (log, xs) => xs.map(x => 60 / (x % 7)),
    (log, xs) => xs.flatMap { x => log += 7; if (x > 0) List(x, -x) else Nil },
    (log, xs) => xs.flatMap { x => Iterator(x, 4L).map { y => log += y; y + x } },
    (log, xs) => xs ++ { log += 9; Iterator(log.size.toLong) },
    (log, xs) => { log += 11; xs.toList.reverse.iterator },
    (log, xs) => xs.toList.map { x => log += x + 1; x - 1 }.iterator,
    (log, xs) => (for (x <- xs.toList if { log += 13; x > log.size }) yield x & 255).iterator,
    (_, xs) => for (x <- xs; y <- Seq(x, 2L) if y != 1) yield x + y,
    (log, xs) => { if (xs.hasNext) log += 15; xs },
    (log, xs) => { if (xs.hasNext) log += xs.next(); xs },
    (_, xs) => {
      val buffer = ListBuffer[Long](8)
      buffer ++= xs
      buffer += 1
      buffer.iterator
    },
    (_, xs) => {
      val list = xs.toList
      list match {
        case a :: b :: rest => (b :: a :: rest).iterator
        case other => other.iterator
      }
    },
    (log, xs) => try { xs.map { x => log += 17; x }.toList.iterator } finally log += 19)

  private def ends: Seq[(Log, Iterator[Long]) => Long] = Seq(
    (_, xs) => xs.foldLeft(0L)(_ * 31 + _),
    (log, xs) => if (xs.exists { x => log += x; x > 10 }) 1 else 0,
    (log, xs) => if (xs.forall { x => log += x; x > -10 }) 1 else 0,
    (log, xs) => xs.find { x => log += 21; x % 2 == 0 }.getOrElse(-7L),
    (log, xs) => { xs.foreach(x => log += x); log.size.toLong },
    (log, xs) => try xs.foldLeft(1L)((a, b) => a + 100 / b) catch { case _: ArithmeticException => log.size.toLong },
    (_, xs) => if (xs.hasNext) xs.next() else -1L,
    (_, xs) => xs.count(_ > 0) * 10L,
    (log, xs) => {
      var last = 0L
      for (x <- xs if x != last) { log += last; last = x }
      last
    },
    (_, xs) => {
      val list = xs.toList
      list.sum + list.size * 3 + list.headOption.map(_ * 5).getOrElse(2L) + list.drop(1).foldLeft(0L)(_ ^ _)
    })

  private def pipeline(
      first: (Log, Iterator[Long]) => Iterator[Long],
      second: (Log, Iterator[Long]) => Iterator[Long],
      third: (Log, Iterator[Long]) => Iterator[Long],
      end: (Log, Iterator[Long]) => Long): (Long, Long) => Long =
    (a, b) => {
      val log = ListBuffer[Long]()
      val result = end(log, third(log, second(log, first(log, Iterator(a, b)))))
      log.foldLeft(result)(_ * 31 + _)
    }

  private def one[T](random: Random, of: Seq[T]): T = of(random.nextInt(of.size))

  /** Functions of two longs. */
  def random(count: Int, seed: Long): Array[AnyRef] = {
    val random = new Random(seed)
    Array.fill[AnyRef](count)(
      pipeline(one(random, steps), one(random, steps), one(random, steps), one(random, ends)))
  }
}
