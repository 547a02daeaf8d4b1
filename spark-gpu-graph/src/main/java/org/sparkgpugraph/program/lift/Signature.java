package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * What is known of a function before its code is read.
 *
 * @param name what it is in its program, for messages
 * @param arguments what it is given
 * @param sending of a send function: the types that it works on; else null
 * @param result type of the result; null in a send function, and to infer it
 * @param aggregates names of the aggregates that may be read
 */
record Signature(
    String name,
    List<Argument> arguments,
    Sending sending,
    ValueType result,
    List<String> aggregates) {
  /** The same of a function that is given the superstep context, too, if it {@code asks} for it. */
  Signature withContext(boolean asks) {
    if (!asks) {
      return this;
    }
    List<Argument> more = new ArrayList<>(arguments);
    more.add(new Argument.OfContext());
    return new Signature(name, more, sending, result, aggregates);
  }

  /** The same of a function that returns a value of a type. */
  Signature returning(ValueType type) {
    return new Signature(name, arguments, sending, type, aggregates);
  }

  /** The same of a send function. */
  Signature sending(Sending types) {
    return new Signature(name, arguments, types, null, aggregates);
  }

  /** Types of the values of the edge's ends, of the edge's attribute, and of the messages sent. */
  record Sending(ValueType vertex, ValueType edge, ValueType message) {}

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
}
