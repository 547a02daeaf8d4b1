package org.sparkgpugraph.program.lift

import scala.collection.mutable
import scala.reflect.ClassTag
import scala.util.Try

/** Lookups in captured arrays, maps and sets, in particular of those that are too large to be compared with. */
object TableSnippets extends Serializable {
  private val sizes = Seq(0, 1, 2, 12, 13, 64, 65, 1000, 100000)

  private val weights = Array.tabulate(1000)(i => i * 0.5 - 100)
  private val longs = Array.tabulate(1024)(i => (i - 500L) << 40)
  private val ints = Array.tabulate(70)(i => i * i)
  private val floats = Array.tabulate(128)(i => i / 3f)
  private val flags = Array.tabulate(128)(i => i % 3 == 0)
  private val bytes = Array.tabulate(300)(i => i.toByte)
  private val shorts = Array.tabulate(300)(i => (i * 1000).toShort)
  private val characters = Array.tabulate(300)(i => (i * 1000).toChar)
  private val texts = Array.tabulate(65)(i => i.toString)
  private val boxes = Array.tabulate[Integer](65)(i => i)

  private val ids: Map[Long, Double] =
    (0 until 5000).map(i => (i * 7L - 10000, i * 0.25)).toMap ++
      Seq(Long.MinValue, Long.MaxValue, -1L, 1L << 40, -(1L << 56)).map(id => id -> id.toDouble)
  private val counts: Map[Int, Int] = (0 until 3000).map(i => (i * i - 5000, i)).toMap + (Int.MinValue -> 4, Int.MaxValue -> 5)
  private val far: Map[Long, Long] = (0 until 256).map(i => (i.toLong << 56, i.toLong)).toMap
  private val pairs: Map[Long, (Long, Boolean)] = (0L until 100L).map(i => (i, (i * i, i % 2 == 0))).toMap
  private val options: Map[Long, Option[Long]] = (0L until 100L).map(i => (i, Option(i + 1))).toMap
  private val some: Map[Long, Option[Long]] = (0L until 100L).map(i => (i, Option(i).filter(_ > 50))).toMap
  private val someNone: scala.collection.Map[Long, Option[Long]] =
    mutable.LinkedHashMap((0L until 100L).map(i => (i, Option(i).filter(_ > 50))): _*)
  private val someNull: scala.collection.Map[Long, java.lang.Long] =
    mutable.LinkedHashMap((0L until 100L).map(i => (i, if (i < 50) null else java.lang.Long.valueOf(i))): _*)
  private val small: Map[Byte, Long] = (-100 until 100).map(i => (i.toByte, i * 3L)).toMap
  private val short: Map[Short, Long] = (-300 until 300).map(i => (i.toShort, i * 3L)).toMap
  private val letters: Map[Char, Long] = (0 until 300).map(i => (i.toChar, i * 3L)).toMap
  private val flagged: Map[Long, Boolean] = (0L until 100L).map(i => (i, i % 3 == 0)).toMap
  private val changing: mutable.Map[Long, Long] = mutable.HashMap((0L until 100L).map(i => (i, -i)): _*)
  private val members: Set[Long] = (0 until 5000).map(i => i * 3L - 6000).toSet + Long.MinValue
  private val intMembers: Set[Int] = (0 until 500).map(_ * 3).toSet
  private val fewReals: Map[Double, Double] = (0 until 40).map(i => (i * 0.5, i.toDouble)).toMap
  private val fewForms: Map[Long, Option[Long]] = (0L until 40L).map(i => (i, Option(i).filter(_ > 20))).toMap
  private val reals: Map[Double, Long] = (0 until 100).map(i => (i * 0.5, i.toLong)).toMap
  private val names: Map[Long, String] = (0L until 100L).map(i => (i, i.toString)).toMap
  private val mixed: Map[Any, Long] = (0 until 100).map(i => (if (i > 90) i.toLong << 40 else i: Any, 1L)).toMap
  private val withDefault = ids.withDefaultValue(3.0)

  private def lifted[T](name: String)(f: (T, T) => T)(implicit tag: ClassTag[T]): Snippet =
    new Snippet(name, f.asInstanceOf[AnyRef], true, tag.runtimeClass)

  private def refused[T](name: String)(f: (T, T) => T)(implicit tag: ClassTag[T]): Snippet =
    new Snippet(name, f.asInstanceOf[AnyRef], false, tag.runtimeClass)

  def all: Seq[Snippet] = sizes.flatMap(ofSize) ++ arrays ++ maps ++ refusals

  private def ofSize(n: Int): Seq[Snippet] = {
    val array = Array.tabulate(n)(i => i * 31 + 7)
    val map = (0 until n).map(i => (i * 5L - n, i.toLong)).toMap
    val set = map.keySet.toSet
    Seq(
      lifted[Int](s"an array of $n") { (a, b) =>
        val x = try array(a) catch { case _: ArrayIndexOutOfBoundsException => -1 }
        x + (if (array.length > 0) array((a % array.length).abs) + array.length else b)
      },
      lifted[Long](s"a map of $n") { (a, b) =>
        val key = a % (n + 1) * (if (b % 2 == 0) 5 else 1)
        val found = if (map.contains(key)) map(key) else -2L
        map.getOrElse(a, -1L) + map.get(key).map(_ * 3).getOrElse(b) + found + map.size
      },
      lifted[Long](s"a set of $n") { (a, b) =>
        (if (set(a % (n + 1))) 1L else 0L) + (if (set.contains(b)) 2 else 0) + (if (set.isEmpty) 4 else 0)
      })
  }

  private def arrays: Seq[Snippet] = Seq(
    lifted[Double]("an array of doubles") { (a, b) => weights(a.toInt & 511) + weights(7) * b },
    lifted[Long]("arrays of other numbers") { (a, b) =>
      longs((a & 1023).toInt) + ints((b & 63).toInt) + shorts((a & 255).toInt) * 3 +
        bytes((b & 255).toInt) + characters((a & 255).toInt)
    },
    lifted[Float]("an array of floats") { (a, b) => if (flags(a.toInt & 127)) floats(b.toInt & 127) else b },
    lifted[Long]("a boolean of an array that is kept") { (a, b) =>
      val first = flags((a & 127).toInt)
      val second = flags((b & 127).toInt)
      if (first != second) 1 else if (first) 2 else 3
    },
    lifted[Int]("an array in a loop") { (a, b) =>
      var i = a & 7
      var sum = 0
      while (i < ints.length) { sum = sum * 3 + ints(i); i += (b & 3) + 1 }
      sum
    },
    lifted[Long]("an array in an array") { (a, b) => longs(ints((a & 15).toInt)) + b })

  private def maps: Seq[Snippet] = Seq(
    lifted[Double]("negative and huge keys") { (a, b) =>
      ids.getOrElse(a.toLong, -5.0) + ids.getOrElse(Long.MinValue + (b.toLong & 1), 1.0) +
        ids.getOrElse(Long.MaxValue, 2.0) + ids.get(-(1L << 56)).getOrElse(0.0)
    },
    lifted[Int]("keys that are ints") { (a, b) =>
      counts.getOrElse(a, b) + counts.getOrElse(b * b - 5000, 0) + (if (counts.contains(a | Int.MinValue)) 1 else 0)
    },
    lifted[Long]("keys that differ in their upper bits") { (a, b) => far.getOrElse(a << 56, b) + far.getOrElse(b, 1L) },
    lifted[Long]("a key that is not in a large map") { (a, b) =>
      try far(a & 511L) catch { case _: NoSuchElementException => b }
    },
    lifted[Long]("values that are pairs") { (a, b) =>
      pairs.get(a & 127) match {
        case Some((square, true)) => square
        case Some((square, _)) => -square
        case None => b
      }
    },
    lifted[Long]("values that are options") { (a, b) => options.getOrElse(a & 127, None).getOrElse(b) },
    lifted[Long]("bytes, shorts and characters as keys") { (a, b) =>
      small.getOrElse(a.toByte, 1L) + short.getOrElse(b.toShort, 2L) + letters.getOrElse((a & 511).toChar, 3L)
    },
    lifted[Long]("booleans as values") { (a, b) => if (flagged.getOrElse(a & 127, b > 0)) 1L else 2L },
    lifted[Long]("a mutable map") { (a, b) => changing.getOrElse(a & 127, b) },
    lifted[Long]("sets") { (a, b) =>
      (if (members(a)) 1L else 0L) + (if (members.contains(a & 4095)) 2 else 0) +
        (if (intMembers(b.toInt & 1023)) 4 else 0)
    },
    lifted[Double]("few keys that are no integers") { (a, b) => fewReals.getOrElse(a % 20, b) },
    lifted[Long]("few values of several forms") { (a, b) => fewForms.getOrElse(a & 63, None).getOrElse(b) },
    lifted[Long]("a lookup in a Try") { (a, b) => Try(far(a & 1023)).getOrElse(b) },
    lifted[Double]("a map with a default value") { (a, b) =>
      withDefault(a.toLong) + b + withDefault.getOrElse(b.toLong, a)
    })

  private def refusals: Seq[Snippet] = Seq(
    refused[Int]("an array of strings")((a, b) => texts(a & 63).length + b),
    refused[Int]("an array of boxes")((a, b) => boxes(a & 63) + b),
    refused[Int]("an array that is changed") { (a, b) => ints(3) = a; ints(b & 63) },
    refused[Long]("keys that are no integers")((a, b) => reals.getOrElse(a.toDouble, b)),
    refused[Long]("keys of several classes")((a, b) => mixed.getOrElse(a, b)),
    refused[Long]("values of several forms")((a, b) => some.getOrElse(a & 127, None).getOrElse(b)),
    refused[Long]("values of which some are None, in any order") { (a, b) =>
      someNone.getOrElse(a & 127, None).getOrElse(b)
    },
    refused[Long]("values of which some are null")((a, b) => someNull.get(a & 127).map(_.longValue).getOrElse(b)),
    refused[Long]("values that are strings")((a, b) => names.getOrElse(a & 127, "").length + b))
}
