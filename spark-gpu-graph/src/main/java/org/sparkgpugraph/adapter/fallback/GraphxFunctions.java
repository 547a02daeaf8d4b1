package org.sparkgpugraph.adapter.fallback;

import java.io.Serializable;
import scala.Function1;
import scala.Function2;
import scala.Function3;

/** Scala's function types as Java lambdas that Spark can ship. */
public final class GraphxFunctions {
  private GraphxFunctions() {}

  public interface F1<A, R> extends Function1<A, R>, Serializable {}

  public interface F2<A, B, R> extends Function2<A, B, R>, Serializable {}

  public interface F3<A, B, C, R> extends Function3<A, B, C, R>, Serializable {}
}
