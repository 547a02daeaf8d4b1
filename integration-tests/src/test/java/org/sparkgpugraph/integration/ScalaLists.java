package org.sparkgpugraph.integration;

import java.util.List;
import scala.collection.immutable.Nil$;

/** Lists for methods of Spark that only Scala can call conveniently. */
final class ScalaLists {
  private ScalaLists() {}

  /** The same elements; written so for both lines of Scala. */
  @SuppressWarnings("unchecked")
  static <T> scala.collection.immutable.List<T> of(List<T> elements) {
    scala.collection.immutable.List<T> list =
        (scala.collection.immutable.List<T>) (Object) Nil$.MODULE$;
    for (int i = elements.size() - 1; i >= 0; i--) {
      list = list.$colon$colon(elements.get(i));
    }
    return list;
  }
}
