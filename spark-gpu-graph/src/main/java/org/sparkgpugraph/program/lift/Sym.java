package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.objectweb.asm.Handle;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.bytecode.Reasons;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * What the symbolic execution of bytecode keeps in a local or on the operand stack instead of a
 * value. Only {@link Prim} and {@link Box} exist at run time; everything else is resolved while
 * lifting.
 */
sealed interface Sym {

  /** A primitive as the JVM computes with it: INT, LONG, FLOAT or DOUBLE. */
  record Prim(Kind kind, int variable) implements Sym {}

  /**
   * A box object; its value is in the variable (0 or 1 for BOOLEAN). Never null.
   *
   * @param type class of the object; those of bytes, shorts and characters are of kind INT
   */
  record Box(Kind kind, int variable, Class<?> type) implements Sym {
    Box(Kind kind, int variable) {
      this(kind, variable, kind.box());
    }
  }

  /**
   * A value, or a component of one, without columns: it may be carried along, unread, perhaps null.
   *
   * @param role whose value it is, or is a part of
   * @param indexes of the components that lead to it; empty: the value itself
   * @param name for messages, such as {@code component 'name' of a User}; empty for a whole value
   * @param className its class, as far as it is known
   */
  record Carried(Role role, List<Integer> indexes, String name, String className) implements Sym {
    /** Whether it is of the vertex whose value a function makes. */
    boolean isOwn() {
      return role == Role.VALUE || role == Role.ATTRIBUTE;
    }
  }

  /**
   * An option of which only the run tells whether it has a value.
   *
   * @param present whether it has one
   * @param value the value, zeros where there is none
   */
  record Maybe(Box present, Sym value, Extent extent) implements Sym {
    Maybe(Box present, Sym value) {
      this(present, value, Extent.of(List.of(present, value)));
    }
  }

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

  /**
   * The elements of an array that the function has made, all of them together: what a {@link Fresh}
   * array has in the heap once an index is not known.
   *
   * @param kind of the elements as they are computed with
   * @param variable an array, which is a value: a changed one is another one
   */
  record Gathered(Kind kind, int length, int variable) implements Sym {}

  /**
   * An array that is a vertex's or an edge's value, or a component of one: it is only read, since a
   * program changes values by returning new ones.
   */
  record Given(Gathered elements) implements Sym {
    /** Class of the array. */
    Class<?> type() {
      return elements.kind().primitive().arrayType();
    }
  }

  /** The object around a case class, whichever it is: nobody may ask. */
  record Outer(String className) implements Sym {}

  /** An exception ready to be thrown. */
  record Thrown(String className, String message) implements Sym {}

  /** The null reference. */
  record Null() implements Sym {}

  /** A string; parts that are only known at run time stand as an ellipsis. */
  record Text(String value) implements Sym {
    static final String UNKNOWN = "…";

    /** Whether all of it is known while lifting. */
    boolean isKnown() {
      return !value.contains(UNKNOWN);
    }
  }

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

  /** A Scala sequence or option of known length, such as the messages that a closure returns. */
  record Elements(Form form, List<Sym> values, Extent extent) implements Sym {
    Elements(Form form, List<Sym> values) {
      this(form, List.copyOf(values), Extent.of(values));
    }

    /** A {@code List}. */
    static Elements list(List<Sym> values) {
      return new Elements(Form.LIST, values);
    }

    /** The same kind of thing with other elements. */
    Elements with(List<Sym> others) {
      return new Elements(form, others);
    }

    /** Whether functions are still to be called for an element. */
    boolean isPending() {
      return values.stream().anyMatch(Pending.class::isInstance);
    }
  }

  /**
   * A Scala map or set, or a collection made of one, of which is known what may be in it.
   *
   * @param slots of a {@code MAP} pairs, each with a key of its own that is known; of a {@code SET}
   *     keys that are known, or pairs of them, each once
   */
  record Keyed(Collection form, List<Slot> slots, Extent extent) implements Sym {
    Keyed(Collection form, List<Slot> slots) {
      this(form, List.copyOf(slots), Extent.of(List.copyOf(slots)));
    }
  }

  /**
   * What may be in a {@link Keyed}.
   *
   * @param present whether it is: an INT that is 0 or 1
   * @param element what it is; where it is not there, something of the same form
   */
  record Slot(Prim present, Sym element, Extent extent) implements Sym {
    Slot(Prim present, Sym element) {
      this(present, element, Extent.of(List.of(present, element)));
    }
  }

  /** What a {@link Keyed} is. */
  enum Collection {
    MAP,
    SET,
    /** A map that computes its values when asked, and equals no other one. */
    VIEW,
    /** A collection whose order is that of a map or set, which nobody may see. */
    BAG
  }

  /** What a value of several elements is. */
  enum Form {
    /** A {@code List}. */
    LIST,
    /** Another sequence, or one of a class that is not known. */
    SEQUENCE,
    /** An option: none or one. */
    OPTION,
    /** A {@code Try}: the value of a success, or nothing. */
    TRY
  }

  /**
   * An element of an iterator, or of what {@code withFilter} gives, that functions are to be called
   * with when it is asked for: {@code map} and {@code filter} of iterators put off what they do.
   *
   * @param loops what is done with the answers of the functions, in this order
   */
  record Pending(Sym element, List<SequenceLoops.Loop> loops, List<Sym> functions, Extent extent)
      implements Sym {
    private Pending(Sym element, List<SequenceLoops.Loop> loops, List<Sym> functions) {
      this(element, loops, functions, extent(element, functions));
    }

    private static Extent extent(Sym element, List<Sym> functions) {
      List<Sym> parts = new ArrayList<>(functions);
      parts.add(element);
      return Extent.of(parts);
    }

    /** An element with functions; the element itself when there are none. */
    static Sym of(Sym element, List<SequenceLoops.Loop> loops, List<Sym> functions) {
      if (loops.isEmpty()) {
        return element;
      } else if (element instanceof Pending before) {
        List<SequenceLoops.Loop> allLoops = new ArrayList<>(before.loops);
        allLoops.addAll(loops);
        List<Sym> allFunctions = new ArrayList<>(before.functions);
        allFunctions.addAll(functions);
        return new Pending(before.element, List.copyOf(allLoops), List.copyOf(allFunctions));
      }
      return new Pending(element, List.copyOf(loops), List.copyOf(functions));
    }

    /** What an answer to the first function stands for. */
    Sym rest(Sym answer) {
      return of(answer, loops.subList(1, loops.size()), functions.subList(1, functions.size()));
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
    } else if (this instanceof Pending pending) {
      Sym element = part.apply(pending.element());
      return Pending.of(element, pending.loops(), pending.functions().stream().map(part).toList());
    } else if (this instanceof Maybe maybe) {
      return new Maybe((Box) part.apply(maybe.present()), part.apply(maybe.value()));
    } else if (this instanceof Given given) {
      return new Given((Gathered) part.apply(given.elements()));
    } else if (this instanceof Slot slot) {
      return new Slot((Prim) part.apply(slot.present()), part.apply(slot.element()));
    } else if (this instanceof Keyed keyed) {
      return new Keyed(
          keyed.form(), keyed.slots().stream().map(slot -> (Slot) part.apply(slot)).toList());
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
      return "an object of class " + host.value().getClass().getName();
    } else if (this instanceof Carried carried) {
      return carried.name().isEmpty()
          ? "a value of class " + carried.className()
          : carried.name() + ", which is a " + carried.className();
    } else if (this instanceof Maybe) {
      return "an option";
    } else if (this instanceof Keyed keyed) {
      return switch (keyed.form()) {
        case MAP -> "a Map";
        case SET -> "a Set";
        case VIEW -> "a view of a map";
        case BAG -> "a collection made of a Map or Set";
      };
    } else if (this instanceof Rec rec) {
      return "a " + rec.layout().type().getName();
    } else if (this instanceof Box box) {
      return "a " + box.type().getName();
    } else if (this instanceof Prim prim) {
      return "a primitive " + prim.kind().primitive().getName();
    } else if (this instanceof Text) {
      return "a String";
    } else if (this instanceof Edge edge) {
      return edge.triplet() ? "the edge triplet" : "the edge context";
    } else if (this instanceof Context) {
      return "the superstep context";
    } else if (this instanceof Given || this instanceof Fresh fresh && fresh.type().isArray()) {
      return "an array";
    } else if (this instanceof Fresh fresh) {
      return ScalaSequences.isIterator(fresh)
          ? "an iterator"
          : ScalaSequences.isBuffer(fresh.type().getName())
              ? "a buffer"
              : "an unfinished " + fresh.type().getName();
    } else if (this instanceof Outer outer) {
      return "the object of class "
          + outer.className()
          + " that a value of a class within it was made in";
    } else if (this instanceof Closure) {
      return "a lambda";
    } else if (this instanceof Elements) {
      return switch (((Elements) this).form()) {
        case LIST -> "a list";
        case SEQUENCE -> "a sequence";
        case OPTION -> "an option";
        case TRY -> "a Try";
      };
    } else if (this instanceof Thrown thrown) {
      return "an exception of class " + thrown.className();
    }
    return this instanceof Null ? "null" : Reasons.UNKNOWN;
  }
}
