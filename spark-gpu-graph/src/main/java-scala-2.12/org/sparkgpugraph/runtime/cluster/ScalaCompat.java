package org.sparkgpugraph.runtime.cluster;

import java.util.Iterator;
import java.util.List;
import scala.collection.JavaConverters;

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
}
