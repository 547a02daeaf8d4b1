package io.sparkgpugraph.program.lift;

import io.sparkgpugraph.program.Kind;
import java.util.List;
import org.objectweb.asm.Handle;

/**
 * What the symbolic execution of bytecode keeps in a local or on the operand stack instead of a
 * value. Only {@link Prim} and {@link Box} exist at run time; everything else is resolved while
 * lifting.
 */
sealed interface Sym {

  /** A primitive as the JVM computes with it: INT, LONG, FLOAT or DOUBLE. */
  record Prim(Kind kind, int variable) implements Sym {}

  /** A box object; its value is in the variable (0 or 1 for BOOLEAN). Never null. */
  record Box(Kind kind, int variable) implements Sym {}

  /**
   * An immutable object taken apart: a record, tuple or case class.
   *
   * @param fields one per component of {@code layout}; primitives are kept as {@link Box}
   */
  record Rec(StructClass layout, List<Sym> fields) implements Sym {
    public Rec {
      fields = List.copyOf(fields);
    }
  }

  /** An object between {@code new} and the end of its constructor; fields are in the heap. */
  record Fresh(int id, Class<?> type) implements Sym {}

  /** An exception ready to be thrown. */
  record Thrown(String className, String message) implements Sym {}

  /** The null reference. */
  record Null() implements Sym {}

  /** A string; parts that are only known at run time stand as an ellipsis. */
  record Text(String value) implements Sym {}

  /** An object that exists while lifting: captured, or the value of a static final field. */
  record Host(Object value) implements Sym {
    @Override
    public boolean equals(Object other) {
      return other instanceof Host host && host.value == value;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(value);
    }
  }

  /** A lambda made inside the lifted code, to be inlined where it is called. */
  record Closure(Handle method, List<Sym> captured) implements Sym {
    public Closure {
      captured = List.copyOf(captured);
    }
  }

  /** A Scala iterator or sequence of known length, such as the messages that a closure returns. */
  record Elements(List<Sym> values) implements Sym {
    public Elements {
      values = List.copyOf(values);
    }
  }

  /** A known index on the operand stack, above its array, carried over a merge point. */
  record Index(int value) implements Sym {}

  /** The edge that a send function looks at: EdgeContext, or EdgeTriplet of the same edge. */
  record Edge(boolean triplet) implements Sym {}

  /** The {@code SuperstepContext}. */
  record Context() implements Sym {}

  /** A local that holds nothing usable. */
  record Top() implements Sym {}

  Top TOP = new Top();
  Null NULL = new Null();

  /** Whether the value takes two slots of the JVM's operand stack. */
  default boolean wide() {
    return this instanceof Prim prim && (prim.kind() == Kind.LONG || prim.kind() == Kind.DOUBLE);
  }
}
