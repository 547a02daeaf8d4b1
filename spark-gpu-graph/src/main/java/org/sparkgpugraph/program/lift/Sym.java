package org.sparkgpugraph.program.lift;

import java.util.List;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Handle;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.bytecode.Reasons;
import org.sparkgpugraph.program.ir.Kind;

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
  record Rec(StructClass layout, List<Sym> fields, Extent extent) implements Sym {
    Rec(StructClass layout, List<Sym> fields) {
      this(layout, List.copyOf(fields), Extent.of(fields));
    }
  }

  /** An object between {@code new} and the end of its constructor; fields are in the heap. */
  record Fresh(int id, Class<?> type) implements Sym {
    @Override
    public Extent extent() {
      return Extent.UNFINISHED;
    }
  }

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
  record Closure(Handle method, List<Sym> captured, Extent extent) implements Sym {
    Closure(Handle method, List<Sym> captured) {
      this(method, List.copyOf(captured), Extent.of(captured));
    }
  }

  /**
   * A Scala iterator, sequence or option of known length, such as the messages that a closure
   * returns.
   */
  record Elements(Form form, List<Sym> values, Extent extent) implements Sym {
    static Elements iterator(List<Sym> values) {
      return new Elements(Form.ITERATOR, values);
    }

    Elements(Form form, List<Sym> values) {
      this(form, List.copyOf(values), Extent.of(values));
    }

    Elements(List<Sym> values) {
      this(Form.SEQUENCE, values);
    }

    /** The same kind of thing with other elements. */
    Elements with(List<Sym> others) {
      return new Elements(form, others);
    }
  }

  /** What a value of several elements is. */
  enum Form {
    /** A list or another sequence. */
    SEQUENCE,
    /** An iterator: what asks for its elements uses them up. */
    ITERATOR,
    /** An option: none or one. */
    OPTION
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

  /**
   * What is inside a value, which is taken apart as a tree wherever it stands: found when it is
   * made, since parts that are shared make trees that cannot be walked any more.
   *
   * @param size number of values in it
   * @param depth values within values
   * @param isUnfinished whether an object under construction is in it
   */
  record Extent(int size, int depth, boolean isUnfinished) {
    static final Extent ONE = new Extent(1, 1, false);
    static final Extent UNFINISHED = new Extent(1, 1, true);

    static Extent of(List<Sym> parts) {
      long size = 1;
      int depth = 0;
      boolean isUnfinished = false;
      for (Sym part : parts) {
        size += part.extent().size;
        depth = Math.max(depth, part.extent().depth);
        isUnfinished |= part.extent().isUnfinished;
      }
      return new Extent((int) Math.min(size, Integer.MAX_VALUE), depth + 1, isUnfinished);
    }
  }

  /** The value with others in the place of those that it is made of. */
  default Sym mapped(UnaryOperator<Sym> part) {
    if (this instanceof Rec rec) {
      return new Rec(rec.layout(), rec.fields().stream().map(part).toList());
    } else if (this instanceof Closure closure) {
      return new Closure(closure.method(), closure.captured().stream().map(part).toList());
    } else if (this instanceof Elements elements) {
      return elements.with(elements.values().stream().map(part).toList());
    }
    return this;
  }

  /** What is inside. */
  default Extent extent() {
    return Extent.ONE;
  }

  /** Whether the value takes two slots of the JVM's operand stack. */
  default boolean wide() {
    return this instanceof Prim prim && (prim.kind() == Kind.LONG || prim.kind() == Kind.DOUBLE);
  }

  /** What it is, for messages. */
  default String describe() {
    if (this instanceof Host host) {
      return host.value() instanceof HostValues.Unreadable unreadable
          ? "a value of class " + unreadable.className()
          : "an object of class " + host.value().getClass().getName();
    } else if (this instanceof Rec rec) {
      return "a " + rec.layout().type().getName();
    } else if (this instanceof Box box) {
      return "a " + box.kind().box().getName();
    } else if (this instanceof Prim prim) {
      return "a primitive " + prim.kind().primitive().getName();
    } else if (this instanceof Text) {
      return "a String";
    } else if (this instanceof Edge edge) {
      return edge.triplet() ? "the edge triplet" : "the edge context";
    } else if (this instanceof Context) {
      return "the superstep context";
    } else if (this instanceof Fresh fresh) {
      return "an unfinished " + fresh.type().getName();
    } else if (this instanceof Closure) {
      return "a lambda";
    } else if (this instanceof Elements) {
      return switch (((Elements) this).form()) {
        case SEQUENCE -> "a sequence";
        case ITERATOR -> "an iterator";
        case OPTION -> "an option";
      };
    }
    return this instanceof Null ? "null" : Reasons.UNKNOWN;
  }
}
