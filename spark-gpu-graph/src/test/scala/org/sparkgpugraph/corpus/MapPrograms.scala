package org.sparkgpugraph.corpus

import org.apache.spark.graphx.{EdgeDirection, EdgeTriplet, VertexId}

case class Near(name: String, hops: Map[VertexId, Int], changed: Boolean)

/** Programs whose values and messages are maps. */
object MapPrograms extends Serializable {
  private type SPMap = Map[VertexId, Int]

  private val landmarks = Seq(3L, -1L, 24L, 60L, 99L)

  private def makeMap(x: (VertexId, Int)*): SPMap = Map(x: _*)

  private def incrementMap(spmap: SPMap): SPMap = spmap.map { case (v, d) => v -> (d + 1) }

  private def addMaps(spmap1: SPMap, spmap2: SPMap): SPMap =
    (spmap1.keySet ++ spmap2.keySet).map { k =>
      k -> math.min(spmap1.getOrElse(k, Int.MaxValue), spmap2.getOrElse(k, Int.MaxValue))
    }.toMap

  private def sendShorter(edge: EdgeTriplet[SPMap, Int]): Iterator[(VertexId, SPMap)] = {
    val newAttr = incrementMap(edge.dstAttr)
    if (edge.srcAttr != addMaps(newAttr, edge.srcAttr)) Iterator((edge.srcId, newAttr))
    else Iterator.empty
  }

  private def least(
      a: Map[VertexId, Double], b: Map[VertexId, Double]): Map[VertexId, Double] =
    (a.keySet ++ b.keySet).map { k =>
      k -> math.min(a.getOrElse(k, Double.MaxValue), b.getOrElse(k, Double.MaxValue))
    }.toMap

  private def distances(vertices: Iterable[VertexId]): VertexId => SPMap =
    id => if (vertices.exists(_ == id)) makeMap(id -> 0) else makeMap()

  def all: Seq[CorpusProgram[_, _, _]] = Seq(
    new CorpusProgram[SPMap, Int, SPMap](
      "maps: distances to landmarks, as GraphX's ShortestPaths",
      distances(landmarks),
      (_, _, n) => n,
      makeMap())((_, attr, msg) => addMaps(attr, msg), sendShorter, addMaps),
    new CorpusProgram[SPMap, Int, SPMap](
      "maps: the greatest number of each colour",
      id => if (id % 3 == 0) Map() else Map((id % 3).abs + 5 -> id.toInt, -7L -> (id % 5).toInt),
      (_, _, n) => n,
      Map(-7L -> Int.MinValue, 100L -> 3),
      maxIterations = 4)(
      (_, attr, msg) => attr ++ msg.map { case (k, v) => k -> math.max(v, attr.getOrElse(k, v)) },
      t => {
        val more = t.srcAttr.filter { case (k, v) => t.dstAttr.get(k).forall(_ < v) }
        if (more.isEmpty) Iterator.empty else Iterator((t.dstId, more))
      },
      (a, b) => b.keySet.union(a.keySet).map(k =>
        (k, math.max(a.getOrElse(k, Int.MinValue), b.getOrElse(k, Int.MinValue)))).toMap),
    new CorpusProgram[Map[Int, Long], Long, Map[Int, Long]](
      "maps: counts by kind, that are changed, removed and looked up",
      id => Map((id % 4).abs.toInt -> id, 9 -> 1L),
      (a, b, n) => n + a - b,
      Map(2 -> 0L),
      maxIterations = 3)(
      (id, attr, msg) => {
        val sum = attr ++ (for ((k, v) <- msg if k != 2) yield (k, v + attr.getOrElse(k, 7L)))
        if (sum.contains(1) && sum.size > 2) (sum - 9).updated(2, sum(1)) else sum + (9 -> id)
      },
      t => Iterator(
        (t.dstId, t.srcAttr.mapValues(_ * t.attr).map(identity).toMap),
        (t.srcId, t.dstAttr.filterNot(_._2 > t.attr))),
      (a, b) =>
        a.map { case (k, v) => k -> (v + b.getOrElse(k, 0L)) } ++ (b -- a.keySet).toSeq.toMap),
    new CorpusProgram[Map[VertexId, Boolean], Int, Map[VertexId, Boolean]](
      "maps: flags that are asked for by quantifiers",
      id => if (id % 2 == 0) Map(id % 4 -> true, 1L -> (id > 20)) else Map.empty,
      (_, _, n) => n,
      Map(3L -> false),
      maxIterations = 5)(
      (_, attr, msg) => if (attr.forall(_._2) || msg.exists(!_._2)) attr ++ msg else attr,
      t =>
        if (t.srcAttr.count(_._2) > t.dstAttr.values.count(flag => !flag) && t.srcAttr.nonEmpty)
          Iterator((t.dstId, t.srcAttr))
        else Iterator.empty,
      (a, b) =>
        if (a.keys.exists(k => !b.contains(k)))
          a ++ b.map { case (k, v) => k -> (v || a.getOrElse(k, v)) }
        else b.map { case (k, v) => (k, a.getOrElse(k, false) || v) }),
    new CorpusProgram[Map[VertexId, Double], Double, Map[VertexId, Double]](
      "maps: weights of sources, halved at each step",
      id => if (id > 100) Map(id -> 1.0) else Map.empty[VertexId, Double],
      (_, _, n) => n,
      Map.empty[VertexId, Double],
      maxIterations = 4)(
      (_, attr, msg) => (attr.keySet ++ msg.keySet).map(k =>
        k -> math.max(attr.getOrElse(k, 0.0), msg.getOrElse(k, 0.0) / 2)).toMap,
      t =>
        if (t.srcAttr.isEmpty) Iterator.empty
        else Iterator((t.dstId, t.srcAttr.map { case (k, w) => (k, w * t.attr) })),
      (a, b) => a ++ b.map { case (k, w) => k -> math.max(w, a.getOrElse(k, 0.0)) }),
    new CorpusProgram[SPMap, Int, SPMap](
      "maps: sums and greatest values of maps",
      id => Map(1L -> id.toInt, (id % 2).abs -> 5),
      (_, _, n) => n,
      makeMap(),
      maxIterations = 3)(
      (_, attr, msg) =>
        if (msg.isEmpty) attr else attr.updated(0L, msg.values.sum).updated(1L, msg.values.max),
      t => Iterator((t.dstId, t.srcAttr)),
      (a, b) => if (a == b && a.values.min < b.keySet.sum) a else addMaps(a, b)),
    new CorpusProgram[SPMap, Int, SPMap](
      "maps: that stay empty",
      _ => makeMap(),
      (_, _, n) => n,
      makeMap(),
      maxIterations = 3)(
      (_, attr, msg) => attr ++ msg,
      t => if (t.srcAttr == t.dstAttr) Iterator((t.dstId, t.srcAttr)) else Iterator.empty,
      (a, b) => a ++ b),
    new CorpusProgram[SPMap, Int, SPMap](
      "maps: where an id that is a key begins with itself",
      id => if (id == 24) Map(3L -> 7, 24L -> 7, -1L -> 7) else makeMap(),
      (_, _, n) => n,
      makeMap())(
      (id, attr, msg) =>
        if (msg.isEmpty && landmarks.take(3).contains(id)) makeMap(id -> 0)
        else if (msg.isEmpty) makeMap()
        else addMaps(attr, msg),
      sendShorter,
      addMaps),
    new CorpusProgram[Map[VertexId, Double], Double, Map[VertexId, Double]](
      "maps: weighted distances that are compared",
      id => if (landmarks.contains(id)) Map(id -> 0.0) else Map.empty[VertexId, Double],
      (_, _, n) => n * 0.25,
      Map.empty[VertexId, Double])(
      (_, attr, msg) => least(attr, msg),
      t => {
        val more = t.srcAttr.map { case (k, d) => (k, d + t.attr) }
        if (least(more, t.dstAttr) != t.dstAttr) Iterator((t.dstId, more)) else Iterator.empty
      },
      least),
    new CorpusProgram[SPMap, Int, SPMap](
      "maps: divided, and looked up where they have it",
      id => Map(id % 3 -> id.toInt, 1L -> 2),
      (_, _, n) => n,
      makeMap(1L -> 1),
      maxIterations = 3)(
      (id, attr, msg) => attr.map { case (k, v) => (k, if (msg.contains(k)) v % (msg(k).abs + 1) else v) },
      t => Iterator((t.dstId, t.srcAttr.map { case (k, v) => (k, 1000 / (v.abs + 1)) })),
      addMaps),
    new CorpusProgram[(String, SPMap, Double), Int, (Int, SPMap)](
      "maps: in tuples, beside a name that is carried",
      id => (s"vertex $id", distances(landmarks)(id), id * 0.5),
      (_, _, n) => n,
      (0, makeMap()))(
      (_, attr, msg) => (attr._1, addMaps(attr._2, msg._2), attr._3 + msg._1),
      t => {
        val more = incrementMap(t.dstAttr._2)
        if (t.srcAttr._2 != addMaps(more, t.srcAttr._2)) Iterator((t.srcId, (1, more)))
        else Iterator.empty
      },
      (a, b) => (a._1 + b._1, addMaps(a._2, b._2))),
    new CorpusProgram[Near, Int, SPMap](
      "maps: in a case class, compared as a whole",
      id => Near(s"vertex $id", distances(landmarks)(id), id > 9),
      (_, _, n) => n,
      makeMap(),
      maxIterations = 12)(
      (_, attr, msg) => {
        val hops = addMaps(attr.hops, msg)
        attr.copy(hops = hops, changed = hops.size > attr.hops.size)
      },
      t => {
        val more = incrementMap(t.srcAttr.hops).filter(_._2 < 9)
        if (t.dstAttr.hops == (t.dstAttr.hops ++ more)) Iterator.empty
        else Iterator((t.dstId, more), (t.srcId, makeMap()))
      },
      addMaps),
    new CorpusProgram[Set[VertexId], Int, Set[VertexId]](
      "maps: sets of the seeds that reach a vertex",
      id => if (landmarks.contains(id)) Set(id) else Set.empty[VertexId],
      (_, _, n) => n,
      Set.empty[VertexId])(
      (_, attr, msg) => attr ++ msg,
      t => {
        val more = t.srcAttr -- t.dstAttr
        if (more.nonEmpty) Iterator((t.dstId, more)) else Iterator.empty
      },
      _ union _),
    new CorpusProgram[(Set[Int], Set[Int]), Int, Set[Int]](
      "maps: sets that are joined, cut, changed and asked",
      id => (Set((id % 5).toInt, 7), if (id % 2 == 0) Set(-2) else Set()),
      (_, _, n) => n,
      Set(100),
      maxIterations = 4)(
      (_, attr, msg) =>
        if (msg(3) && attr._1.size < 4) (attr._1 | msg, attr._2 + 3 - 7)
        else if (msg.forall(_ > 0)) ((attr._1 & msg) + 7, attr._2 ++ msg.filter(_ < 5))
        else (attr._1 &~ msg, msg.map(k => if (k < 0) k else 3)),
      t =>
        if (t.srcAttr._1 == t.dstAttr._1 && t.srcAttr._2.isEmpty) Iterator.empty
        else Iterator((t.dstId, t.srcAttr._1), (t.srcId, t.dstAttr._2.diff(t.srcAttr._1))),
      (a, b) => if (a.exists(b.contains)) a | b else a union b),
    refused("where a division by zero stops GraphX alone", distances(landmarks))(
      (id, attr, msg) =>
        try attr.map { case (k, v) => (k, 7 / v) } catch { case _: ArithmeticException => msg },
      addMaps),
    refused("of NaN", distances(landmarks))(
      (_, attr, msg) => {
        val roots = attr.map { case (k, v) => (k, math.sqrt(-1.0 - v)) }
        if (roots == roots.filter(_ => true)) attr else msg
      },
      addMaps),
    refused("whose keys are the ids of neighbours", distances(landmarks))(
      (id, attr, msg) => attr ++ msg + (id -> 1), addMaps),
    refused("of seventeen keys", distances((0 until 17).map(_ * 3L)))(
      (_, attr, msg) => attr ++ msg, addMaps),
    refused("of every vertex", id => makeMap(id -> 0))(
      (_, attr, msg) => attr ++ msg, addMaps),
    refused("with default values", id => makeMap(id % 2 -> 0).withDefaultValue(3))(
      (_, attr, msg) => attr ++ msg, addMaps),
    refused("whose order shows in a fold", distances(landmarks))(
      (_, attr, msg) => attr.updated(3L, msg.foldLeft(0)((all, e) => all * 31 + e._2)),
      addMaps),
    refused("whose order shows in a var", distances(landmarks))(
      (_, attr, msg) => {
        var last = 0
        for ((_, v) <- msg) last = v
        if (msg.isEmpty) attr else attr.updated(3L, last)
      },
      addMaps),
    refused("that give their entries one key", distances(landmarks))(
      (_, attr, msg) => attr ++ msg.map { case (_, v) => (3L, v) },
      addMaps))

  private def refused(name: String, vertex: VertexId => SPMap)(
      vprog: (VertexId, SPMap, SPMap) => SPMap, merge: (SPMap, SPMap) => SPMap) =
    new CorpusProgram[SPMap, Int, SPMap](
      s"maps: $name",
      vertex,
      (_, _, n) => n,
      makeMap(),
      maxIterations = 2,
      direction = EdgeDirection.Out,
      lifts = false)(vprog, t => Iterator((t.dstId, incrementMap(t.srcAttr))), merge)
}
