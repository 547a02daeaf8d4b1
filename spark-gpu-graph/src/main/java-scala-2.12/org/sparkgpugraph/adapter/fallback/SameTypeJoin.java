package org.sparkgpugraph.adapter.fallback;

import org.apache.spark.graphx.Graph;
import org.apache.spark.rdd.RDD;
import scala.Function3;
import scala.Option;
import scala.Predef;
import scala.Tuple2;
import scala.reflect.ClassTag;

/** A call whose evidence differs between Scala 2.12 and 2.13. Here: 2.12. */
final class SameTypeJoin {
  private SameTypeJoin() {}

  /**
   * {@code graph.outerJoinVertices} that keeps the attribute type, so that GraphX ships only the
   * attributes which changed.
   */
  static <V, E, U> Graph<V, E> outerJoinSameType(
      Graph<V, E> graph,
      RDD<Tuple2<Object, U>> table,
      Function3<Object, V, Option<U>, V> function,
      ClassTag<U> tableTag,
      ClassTag<V> tag) {
    return graph.outerJoinVertices(
        table, function, tableTag, tag, Predef.$eq$colon$eq$.MODULE$.<V>tpEquals());
  }
}
