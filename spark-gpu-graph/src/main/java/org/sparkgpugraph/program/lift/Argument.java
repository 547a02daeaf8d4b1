package org.sparkgpugraph.program.lift;

import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** An argument of the method of one of the function interfaces. */
sealed interface Argument {
  /** A primitive parameter. */
  record Scalar(Role role, Kind kind) implements Argument {}

  /** A value of columns. */
  record Value(Role role, ValueType type) implements Argument {}

  /** The edge. */
  record OfEdge() implements Argument {}

  /** The edge as GraphX's Pregel gives it to a Scala closure, which returns its messages. */
  record OfTriplet() implements Argument {}

  /** The superstep context. */
  record OfContext() implements Argument {}
}
