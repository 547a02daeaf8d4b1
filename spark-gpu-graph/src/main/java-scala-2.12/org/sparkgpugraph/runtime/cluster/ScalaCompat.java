package org.sparkgpugraph.runtime.cluster;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.graphx.Graph;
import org.apache.spark.rdd.RDD;
import scala.Function3;
import scala.Option;
import scala.Predef;
import scala.Tuple2;
import scala.collection.JavaConverters;
import scala.reflect.ClassTag;

/** What differs between Scala 2.12 and 2.13 when it is called from Java. Here: 2.12. */
public final class ScalaCompat {
  /** The Scala version that this jar is for. */
  static final String SCALA = "2.12";

  private ScalaCompat() {}

  /** A Scala view of a Java iterator. */
  public static <T> scala.collection.Iterator<T> asScala(Iterator<T> iterator) {
    return JavaConverters.asScalaIteratorConverter(iterator).asScala();
  }

  /** A Java view of a Scala sequence. */
  public static <T> List<T> asJava(scala.collection.Seq<T> sequence) {
    return JavaConverters.seqAsJavaListConverter(sequence).asJava();
  }

  /**
   * {@code graphs.outerJoinVertices} that keeps the attribute type, so that GraphX ships only the
   * attributes which changed.
   */
  public static <V, E, U> Graph<V, E> outerJoinSameType(
      Graph<V, E> graph,
      RDD<Tuple2<Object, U>> table,
      Function3<Object, V, Option<U>, V> function,
      ClassTag<U> tableTag,
      ClassTag<V> tag) {
    return graph.outerJoinVertices(
        table, function, tableTag, tag, Predef.$eq$colon$eq$.MODULE$.<V>tpEquals());
  }
}
