package org.sparkgpugraph.program.lift

import scala.collection.mutable.{ArrayBuffer, ListBuffer}
import scala.reflect.ClassTag
import scala.util.{Failure, Success, Try}
import scala.util.control.NonFatal

/** A function of two numbers. */
final class Snippet(
    val name: String, val function: AnyRef, val lifts: Boolean, val kind: Class[_]) {
  override def toString: String = name
}

case class Pair(left: Long, right: Double)

abstract class Named extends Serializable {
  def rank: Long = 1
}

case class Special(value: Long) extends Named {
  override def rank: Long = 2
  def both: Long = super.rank * 10 + rank + value
}

case class Holder[T](value: T, count: Int)

/** Small pieces of Scala in which an order, an alias or an exception matters. */
object ScalaSnippets extends Serializable {
  private val primes = Map(2L -> 1L, 3L -> 2L, 5L -> 3L)
  private val landmarks = List(2L, -1L, 64L)
  private val groups = List(List(1L, 2L), Vector(-1L), Nil)
  private val deep: List[Any] = (1 to 30).foldLeft(List[Any](1L))((inner, _) => List.fill(50)(inner))
  private val rows = Array(Array(1L, 2L), Array(3L, 4L, 5L))

  private def lifted[T](name: String)(f: (T, T) => T)(implicit tag: ClassTag[T]): Snippet =
    new Snippet(name, f.asInstanceOf[AnyRef], true, tag.runtimeClass)

  private def refused[T](name: String)(f: (T, T) => T)(implicit tag: ClassTag[T]): Snippet =
    new Snippet(name, f.asInstanceOf[AnyRef], false, tag.runtimeClass)

  def all: Array[Snippet] =
    (order ++ iterators ++ equality ++ aliases ++ failures ++ numbers ++ forms ++ TableSnippets.all).toArray

  private def order: Seq[Snippet] = Seq(
    lifted[Long]("a guard reads what the body assigns") { (a, b) =>
      var least = 10L
      for (x <- Seq(a, b, a - b) if x < least) least = x
      least
    },
    lifted[Long]("a guard that counts") { (a, b) =>
      var seen = 0L
      val kept = for (x <- List(a, b, 3L) if { seen += 1; x > seen }) yield x + seen
      kept.foldLeft(0L)(_ * 31 + _)
    },
    lifted[Long]("exists stops") { (a, b) =>
      var seen = 0L
      val found = List(a, b, 1L).exists { x => seen += 1; x > 0 }
      if (found) seen else -seen
    },
    lifted[Long]("forall stops before a division") { (a, b) =>
      if (List(b, a - 1).forall(x => x != 0 && a / x != 1)) 1 else 0
    },
    lifted[Long]("find stops") { (a, b) =>
      var seen = 0L
      val found = List(a, b, 7L).find { x => seen += 1; x % 2 == 1 }
      found.getOrElse(-1L) * 10 + seen
    },
    lifted[Long]("map of an iterator is put off") { (a, b) =>
      var n = a
      val it = Iterator(1L, 2L).map(_ + n)
      n = b
      it.foldLeft(0L)(_ * 31 + _)
    },
    lifted[Long]("filter of an iterator is put off") { (a, b) =>
      var limit = a
      val it = Iterator(a, b, 3L).filter(_ > limit).map { x => limit += 1; x }
      limit = 0
      it.toList.foldLeft(limit)(_ * 31 + _)
    },
    lifted[Long]("what ++ adds is asked for last") { (a, b) =>
      var n = 1L
      val it = Iterator(a, b).map { x => n += x; x } ++ Iterator(n)
      it.foldLeft(0L)(_ * 31 + _) + n
    },
    lifted[Long]("an iterator that nobody asks does nothing") { (a, b) =>
      val it = Iterator(a, b).map(x => 10 / x)
      if (a > b) it.next() else b
    },
    lifted[Long]("exists of a mapped iterator stops") { (a, b) =>
      if (Iterator(b, a).map(x => 10 / x).exists(_ > 0)) 1 else 2
    },
    lifted[Long]("flatMap of an iterator mixes") { (a, b) =>
      var n = 0L
      Iterator(a, b)
        .flatMap { x => n += 1; Iterator(x, n).map { y => n *= 2; y + n } }
        .foldLeft(0L)(_ * 31 + _)
    },
    lifted[Long]("flatMap of lists") { (a, b) =>
      List(a, b).flatMap(x => if (x > 0) List(x, -x) else Nil).foldLeft(1L)(_ * 31 + _)
    },
    lifted[Long]("by-name arguments of options") { (a, b) =>
      var n = 0L
      val first = if (a > b) Some(a) else None
      val x = first.getOrElse { n += 1; b }
      val y = first.orElse { n += 1; Some(7L) }.get
      x * 100 + y * 10 + n
    },
    lifted[Long]("a lambda assigns, kept and called twice") { (a, b) =>
      var n = a
      val add = (x: Long) => { n += x; n }
      add(b) * 31 + add(b)
    },
    lifted[Long]("a function of Unit, called as a generic one") { (a, b) =>
      var n = a
      val set = (x: Long) => { n = x }
      apply(b)(set)
      n
    })

  private def apply[T, R](x: T)(f: T => R): R = f(x)

  private def iterators: Seq[Snippet] = Seq(
    lifted[Long]("next and hasNext") { (a, b) =>
      val it = Iterator(a, b, 3L).filter(_ > 0)
      var sum = 0L
      while (it.hasNext) sum = sum * 31 + it.next()
      sum
    },
    lifted[Long]("next on an empty iterator") { (a, b) =>
      val it = Iterator(a)
      if (it.next() > b) 1L else it.next()
    },
    refused[Long]("an iterator after another one was made of it") { (a, b) =>
      val it = Iterator(a, b)
      val mapped = it.map(_ + 1)
      it.next() + mapped.next()
    },
    refused[Long]("an iterator after a search") { (a, b) =>
      val it = Iterator(a, b, 3L)
      if (it.exists(_ > 0)) it.foldLeft(0L)(_ + _) else -1
    },
    refused[Long]("an iterator after it was used up") { (a, b) =>
      val it = Iterator(a, b)
      it.toList.size + it.size
    },
    lifted[Long]("an iterator under two names") { (a, b) =>
      val it = Iterator(a, b, 5L)
      val same = it
      it.next()
      same.next() - it.next()
    },
    lifted[Long]("iterators of a list are independent") { (a, b) =>
      val list = List(a, b)
      val one = list.iterator
      one.next()
      list.iterator.next() * 31 + one.next()
    },
    refused[Long]("iterators that are compared") { (a, b) =>
      if (Iterator(a) == Iterator(a)) 1 else 0
    })

  private def equality: Seq[Snippet] = Seq(
    lifted[Double]("== of pairs of doubles") { (a, b) =>
      if ((a, 1L) == ((b, 1L))) 1 else 0
    },
    lifted[Double]("== of case classes") { (a, b) => if (Pair(1, a) == Pair(1, b)) 1 else 0 },
    lifted[Long]("boxes of different kinds") { (a, b) =>
      val left: Any = a
      val right: Any = b.toDouble
      val small: Any = b.toInt
      (if (left == right) 1 else 0) + (if (left == small) 2 else 0)
    },
    lifted[Float]("boxed float and long") { (a, b) =>
      val left: Any = a
      val right: Any = b.toLong
      if (left == right) 1f else 0f
    },
    lifted[Long]("lists that are compared") { (a, b) =>
      (if (List(a, 1L) == List(b, 1L)) 1 else 0) + (if (List(a) == Nil) 2 else 0) +
        (if (Seq(a, b) == Vector(b, a)) 4 else 0)
    },
    lifted[Long]("options that are compared") { (a, b) =>
      (if (Option(a) == Some(b)) 1 else 0) + (if (Some(a) == None) 2 else 0)
    },
    refused[Long]("a buffer compared with a list") { (a, b) =>
      if (ListBuffer(a) == List(a)) 1 else 0
    },
    refused[Long]("texts with numbers in them") { (a, b) => if (s"x$a" == s"x$b") 1 else 0 },
    lifted[Long]("constant texts") { (a, b) =>
      val text = if (a > b) "greater" else "other"
      if (text == "greater") a else b
    },
    lifted[Long]("a pattern on a boxed value") { (a, b) =>
      val any: Any = if (a > b) a else 1.5
      any match {
        case x: Long => x
        case d: Double => d.toLong
        case _ => 3
      }
    },
    lifted[Long]("a box cast to another kind") { (a, b) =>
      val any: Any = if (a > b) a else 1
      try any.asInstanceOf[Long] catch { case _: ClassCastException => b }
    },
    lifted[Long]("tuples in tuples") { (a, b) => if (((a, b), a) == (((b, a), b))) 1 else 0 },
    lifted[Long]("null is null") { (a, b) =>
      val pair: (Long, Long) = if (a > b) null else (a, b)
      if (pair == null) 1 else pair._2
    },
    refused[Long]("a hash") { (a, b) => (a, b).hashCode })

  private def aliases: Seq[Snippet] = Seq(
    lifted[Long]("a buffer under two names") { (a, b) =>
      val buffer = ListBuffer[Long]()
      val same = buffer
      buffer += a
      same += b
      buffer.toList.foldLeft(0L)(_ * 31 + _)
    },
    lifted[Long]("a list of a buffer is a copy") { (a, b) =>
      val buffer = ListBuffer(a)
      val list = buffer.toList
      buffer += b
      list.size * 100 + buffer.size
    },
    refused[Long]("a sequence of a buffer is not") { (a, b) =>
      val buffer = ArrayBuffer(a)
      val view: collection.Seq[Long] = buffer
      val iterator = view.iterator
      buffer += b
      iterator.foldLeft(0L)(_ + _)
    },
    lifted[Long]("a buffer in a tuple") { (a, b) =>
      val buffer = ArrayBuffer(a)
      val pair = (buffer, 1L)
      pair._1 += b
      buffer.foldLeft(pair._2)(_ * 31 + _)
    },
    lifted[Long]("a buffer that takes an iterator") { (a, b) =>
      var n = 0L
      val buffer = ListBuffer(a)
      buffer ++= Iterator(b, 2L).map { x => n += 1; x + n }
      buffer.append(n)
      buffer.foldLeft(0L)(_ * 31 + _)
    },
    lifted[Long]("lists in a buffer") { (a, b) =>
      val buffer = ListBuffer[List[Long]]()
      buffer.append(List(a, b))
      buffer += List(b)
      buffer.size * 100 + buffer.map(_.size).sum
    },
    refused[Long]("a buffer that grows while it is asked") { (a, b) =>
      val buffer = ListBuffer(a, b)
      buffer.foreach(x => if (buffer.size < 4) buffer += x)
      buffer.size
    },
    refused[Long]("an array behind a sequence") { (a, b) =>
      val array = Array(a, b)
      val sequence: collection.Seq[Long] = array
      array(0) = 5
      sequence.head
    },
    lifted[Long]("variables of an outer loop") { (a, b) =>
      var sum = 0L
      for (i <- 0 until 3 if i != 1; j <- 1 to 2 if (j * a + i) % 2 == 0) sum = sum * 7 + a * i + b * j
      sum
    },
    refused[Long]("functions that are put together") { (a, b) =>
      val f = (x: Long) => x + a
      val g = f.andThen(_ * b)
      g(3)
    })

  private def failures: Seq[Snippet] = Seq(
    lifted[Long]("a division in a try") { (a, b) =>
      try a / b catch { case _: ArithmeticException => -1L }
    },
    lifted[Long]("a division in a called method in a try") { (a, b) =>
      var n = 0L
      val x = try { n = 1; val y = divided(a, b); n = 2; y } catch { case NonFatal(_) => n + 5 }
      x * 10 + n
    },
    lifted[Long]("finally") { (a, b) =>
      var n = a
      try { n = a / b } catch { case _: ArithmeticException => n += 1 } finally { n *= 2 }
      n
    },
    lifted[Long]("a catch that does not catch") { (a, b) =>
      try a / b catch { case _: NoSuchElementException => -1L }
    },
    lifted[Long]("an exception that is thrown on") { (a, b) =>
      try a % b catch { case e: ArithmeticException => if (a > 0) throw e else -1L }
    },
    lifted[Long]("a nested try") { (a, b) =>
      try {
        try List(a, b).map(10 / _).head catch { case _: IllegalStateException => 1L }
      } catch { case e: RuntimeException => 2L }
    },
    lifted[Long]("own exceptions") { (a, b) =>
      try if (a > b) throw new IllegalStateException("no") else a
      catch { case _: IllegalStateException => b }
    },
    lifted[Long]("an exact operation in a try") { (a, b) =>
      try Math.addExact(a, b) catch { case _: ArithmeticException => Long.MaxValue }
    },
    lifted[Long]("the head of nothing") { (a, b) =>
      try List(a, b).filter(_ > 0).head catch { case _: NoSuchElementException => 0L }
    },
    lifted[Int]("an index out of bounds") { (a, b) =>
      try rows(a & 3)(b & 3).toInt catch { case _: ArrayIndexOutOfBoundsException => -1 }
    },
    lifted[Long]("a key that is not there") { (a, b) =>
      try primes(a) catch { case _: NoSuchElementException => b }
    },
    lifted[Long]("require in a try") { (a, b) =>
      try { require(a > b, "greater"); 1L } catch { case _: IllegalArgumentException => 2L }
    },
    lifted[Long]("a division by zero in a branch that is not taken") { (a, b) =>
      if (b == 0) 7 else a / b
    },
    lifted[Long]("an exception in a put-off function, asked in the try") { (a, b) =>
      val it = Iterator(a, b).map(x => 6 / x)
      try it.foldLeft(0L)(_ + _) catch { case _: ArithmeticException => -1L }
    },
    lifted[Long]("Try") { (a, b) =>
      var n = 0L
      val x = Try { n += 1; a / b }.getOrElse(-1L)
      val y = Try(b % a).toOption.map(_ * 2)
      (if (Try(primes(a)).isSuccess) 1 else 0) + x * 100 + y.getOrElse(7L) * 10 + n
    },
    lifted[Long]("patterns of Try") { (a, b) =>
      Try(List(a, b).map(12 / _).sum) match {
        case Success(sum) => sum
        case Failure(_) => -1L
      }
    },
    lifted[Long]("a try in a Try in a try") { (a, b) =>
      try Try(try a / b catch { case _: NoSuchElementException => 1L }).getOrElse(b % a)
      catch { case _: ArithmeticException => 5L }
    },
    refused[Long]("the message of an exception") { (a, b) =>
      try a / b catch { case e: ArithmeticException => e.getMessage.length.toLong }
    },
    refused[Long]("a return out of a lambda") { (a, b) => firstPositive(a, b) })

  private def divided(a: Long, b: Long): Long = a / b

  private def firstPositive(a: Long, b: Long): Long = {
    List(a, b).foreach(x => if (x > 0) return x)
    0
  }

  private def numbers: Seq[Snippet] = Seq(
    lifted[Int]("a range at the end of the integers") { (a, b) =>
      var n = 0
      for (i <- (Int.MaxValue - 2) to Int.MaxValue) n += i & 7
      n + a
    },
    lifted[Int]("empty ranges") { (a, b) =>
      var n = a
      for (i <- 5 until 5) n += i
      for (i <- 5 to 4) n += i
      for (i <- 5 until -5) n += i
      n
    },
    refused[Int]("a range that is not known") { (a, b) =>
      var n = 0
      for (i <- 0 until (a & 3)) n += b
      n
    },
    lifted[Long]("sums, greatest and least") { (a, b) =>
      List(a, b, 3L).sum * 31 + Seq(a, b).max * 7 + Vector(a, b).min
    },
    lifted[Double]("a sum of doubles") { (a, b) => List(a, b, 0.1).sum },
    lifted[Double]("a sum of one double") { (a, _) => List(a).sum },
    lifted[Long]("reduce, take, drop, last, indexes") { (a, b) =>
      val list = List(a, b, 7L)
      list.reduce(_ * 3 - _) + list.take(2).last * 5 + list.drop(1).head + list(2) +
        list.zipWithIndex.map { case (x, i) => x * i }.sum
    },
    lifted[Long]("contains") { (a, b) =>
      (if (landmarks.contains(a)) 1 else 0) + (if (Seq(a, 3L).contains(b)) 2 else 0)
    },
    lifted[Long]("a captured list") { (a, b) =>
      landmarks.map(_ * a).foldLeft(b)(_ ^ _) + landmarks.size
    },
    refused[Long]("a captured list of too many lists") { (a, b) => deep.size + a + b },
    lifted[Long]("a captured list of lists") { (a, b) =>
      groups.map(_.contains(a)).count(x => x) * 10 + b
    },
    lifted[Long]("a captured map") { (a, b) =>
      primes.getOrElse(a, b) + primes.get(b).map(_ * 10).getOrElse(1L)
    },
    lifted[Long]("recursion at the end") { (a, b) =>
      @annotation.tailrec
      def gcd(x: Long, y: Long): Long = if (y == 0) x else gcd(y, x % y)
      gcd(a, b)
    },
    lifted[Int]("shifts and chars") { (a, b) => (a << b) + 'a' + (b >>> 3).toByte + a.toShort },
    lifted[Long]("sums and greatest of nothing") { (a, b) =>
      val kept = List(a, b).filter(_ > 0)
      val most = try kept.max catch { case _: UnsupportedOperationException => -1L }
      kept.sum + most * 3 + kept.headOption.getOrElse(5L) + kept.lastOption.map(_ * 2).getOrElse(7L)
    },
    lifted[Double]("constants") { (a, b) => a * math.Pi + b / math.E },
    lifted[Double]("math") { (a, b) =>
      math.max(a, b) + math.abs(a) * math.signum(b) + math.sqrt(math.abs(a - b)) + (a min b)
    })

  private def forms: Seq[Snippet] = Seq(
    lifted[Long]("patterns of lists") { (a, b) =>
      List(a, b, a - b).filter(_ > 0) match {
        case x :: y :: _ => x * 31 + y
        case x :: Nil => x
        case Nil => -1
      }
    },
    refused[Long]("a vector is no list") { (a, b) =>
      (Vector(a, b): Seq[Long]) match {
        case x :: _ => x
        case _ => -1
      }
    },
    lifted[Long]("patterns of options and tuples") { (a, b) =>
      (if (a > b) Some((a, b)) else None: Option[(Long, Long)]) match {
        case Some((x, y)) if x > 0 => y
        case Some((x, _)) => x
        case None => 3
      }
    },
    lifted[Long]("for over options") { (a, b) =>
      (for (x <- Option(a) if x > 0; y <- Some(b)) yield x + y).getOrElse(9L)
    },
    lifted[Long]("lists put together") { (a, b) =>
      (a :: (List(b, 1L) ::: List(2L)) ++ Seq(a).reverse).foldLeft(0L)(_ * 31 + _)
    },
    lifted[Long]("a method of a superclass") { (a, b) => Special(a).both + Special(b).rank },
    lifted[Long]("arrays of their own") { (a, b) =>
      val array = new Array[Long](3)
      array(0) = a
      array(1) = b
      val same = array
      for (i <- 0 until array.length) same(i) += i * a
      array(2) * 31 + array(1) * 7 + array(0) + array.length
    },
    lifted[Int]("an array of their own, out of bounds") { (a, b) =>
      val array = Array(a, b)
      try array(2) catch { case _: ArrayIndexOutOfBoundsException => array(1) }
    },
    lifted[Int]("a range that depends on another one") { (a, b) =>
      var sum = 0
      for (i <- 0 until 3; j <- i to 3 if (i + j) * a % 2 == 0) sum = sum * 7 + a * i + b * j
      sum
    },
    lifted[Long]("generic case classes") { (a, b) =>
      val holder = Holder((a, b), 2)
      holder.copy(value = holder.value.swap).value._1 * holder.count
    },
    lifted[Long]("an option of null") { (a, b) =>
      val pair: (Long, Long) = if (a > b) null else (a, b)
      Option(pair).map(_._1).getOrElse(5L) + Some(pair).size
    },
    lifted[Long]("fold and exists of options") { (a, b) =>
      val option = Option(a).filter(_ > b)
      option.fold(1L)(_ * 2) + (if (option.exists(_ > 3)) 1 else 0) + option.toList.size
    })
}
