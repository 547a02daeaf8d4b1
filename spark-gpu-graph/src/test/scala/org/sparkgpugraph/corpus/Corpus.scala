package org.sparkgpugraph.corpus

import org.apache.spark.SparkContext
import org.apache.spark.graphx.Graph

/** All programs, for tests in Java. */
object Corpus {
  def programs: Array[CorpusProgram[_, _, _]] =
    (TuplePrograms.all ++ CaseClassPrograms.all ++ MessagePrograms.all ++ CapturedPrograms.all ++
      StatePrograms.all ++ CarriedPrograms.all ++ OptionPrograms.all ++ MapPrograms.all ++
      new InnerPrograms(0.5).all ++ UnseenPrograms.all ++ TablePrograms.all).toArray

  /**
   * Runs a program on stock GraphX and on the library, and says where they differ; empty when they
   * do not.
   */
  def difference[VD, ED, A](
      program: CorpusProgram[VD, ED, A], sc: SparkContext, seed: Long): String = {
    val graph: Graph[VD, ED] = program.graph(sc, seed).cache()
    try {
      val expected = program.values(program.stock(graph))
      val found = program.values(program.ours(graph))
      (expected.keySet ++ found.keySet).toSeq.sorted
        .filterNot(id => same(expected.get(id), found.get(id)))
        .map(id => s"vertex $id: GraphX ${expected.get(id)}, we ${found.get(id)}")
        .mkString("\n")
    } finally {
      graph.unpersist()
    }
  }

  /** Sums of floating-point messages differ in their last bits, by the order of the messages. */
  private def same(a: Any, b: Any): Boolean = (a, b) match {
    case (x: Double, y: Double) => x == y || math.abs(x - y) <= 1e-9 * (math.abs(x) + math.abs(y))
    case (x: Float, y: Float) => x == y || math.abs(x - y) <= 1e-5 * (math.abs(x) + math.abs(y))
    case (x: Product, y: Product) =>
      x.getClass == y.getClass && x.productIterator.zip(y.productIterator).forall {
        case (p, q) => same(p, q)
      }
    case _ => a == b
  }
}
