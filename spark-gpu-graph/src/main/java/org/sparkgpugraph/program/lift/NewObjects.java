package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.StructClass;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/** Objects between {@code new} and the end of their constructors, and arrays. */
final class NewObjects {
  /** Elements of an array that are variables of their own as long as all indexes are known. */
  private static final int FEW = 8;

  /** Elements that an array of numbers may have. */
  static final int MOST = 1024;

  private final SymbolicMachine machine;

  NewObjects(SymbolicMachine machine) {
    this.machine = machine;
  }

  Sym begin(String internalName) {
    Class<?> type = machine.load(internalName);
    if (Throwable.class.isAssignableFrom(type) || ScalaSequences.isMade(type.getName())) {
      return mutable(type, 0);
    } else if (StructClass.isStruct(type)) {
      return mutable(type, StructClass.of(type).size());
    } else {
      throw machine.refuse(
          "creates an object of class "
              + type.getName()
              + "; only records, tuples and case classes can be created, use one, or local"
              + " variables");
    }
  }

  /** An object whose fields, or an array whose elements, are still to be set. */
  Sym.Fresh mutable(Class<?> type, int size) {
    int id = machine.state.freshId();
    machine.state.heap.put(id, new Sym[size]);
    return new Sym.Fresh(id, type);
  }

  /** Replaces an object whose constructor has returned by its fields. */
  void complete(int id) {
    Sym[] fields = machine.state.heap.get(id);
    if (fields == null) {
      return;
    }
    machine.state.heap.remove(id);
    machine.state.replaceUnfinished(
        fresh -> {
          if (fresh.id() == id) {
            StructClass layout = StructClass.of(fresh.type());
            List<Sym> complete = new ArrayList<>();
            for (int i = 0; i < fields.length; i++) {
              complete.add(fields[i] == null ? zero(layout.types().get(i)) : fields[i]);
            }
            return new Sym.Rec(layout, complete);
          }
          return fresh;
        });
  }

  Sym zero(Class<?> type) {
    return type.isPrimitive()
        ? Boxing.boxed(machine.zeroPrim(Boxing.boxKind(Type.getType(type))), Type.getType(type))
        : Sym.NULL;
  }

  void replace(Sym.Fresh fresh, Sym value) {
    machine.state.heap.remove(fresh.id());
    machine.state.replaceUnfinished(other -> other.id() == fresh.id() ? value : other);
  }

  /** Makes an array of zeros or nulls. */
  Sym.Fresh array(Class<?> component, int length) {
    // One as long as those that the function is given will be filled by a loop, as they are read.
    boolean isGathered =
        component.isPrimitive() && (length > FEW || machine.givenLengths.contains(length));
    Sym.Fresh array = mutable(component.arrayType(), isGathered ? 1 : length);
    if (isGathered) {
      Kind kind = elementKind(component);
      set(array, machine.filled(kind, length, machine.zeroPrim(kind).variable()));
    }
    return array;
  }

  /** Whether a value is an array, of numbers or of objects. */
  static boolean isArray(Sym value) {
    return value instanceof Sym.Given || value instanceof Sym.Fresh fresh && fresh.type().isArray();
  }

  /** Class of the elements of an array. */
  static Class<?> component(Sym array) {
    Class<?> type = array instanceof Sym.Given given ? given.type() : ((Sym.Fresh) array).type();
    return type.getComponentType();
  }

  /**
   * An array that a function is given: one that it may change, as messages that are merged are
   * nobody else's, or one that it may only read.
   */
  Sym given(Role role, Sym.Gathered elements) {
    machine.givenLengths.add(elements.length());
    if (role != Role.LEFT && role != Role.RIGHT && role != Role.MESSAGE) {
      return new Sym.Given(elements);
    }
    Sym.Fresh array = mutable(elements.kind().primitive().arrayType(), 1);
    set(array, elements);
    return array;
  }

  /** Number of elements. */
  int length(Sym array) {
    return array instanceof Sym.Given given ? given.elements().length() : length((Sym.Fresh) array);
  }

  private int length(Sym.Fresh array) {
    Sym.Gathered gathered = machine.state.gathered(array);
    return gathered == null ? machine.state.heap.get(array.id()).length : gathered.length();
  }

  /** The elements of an array of numbers together. */
  Sym.Gathered together(Sym array) {
    return array instanceof Sym.Given given ? given.elements() : gather((Sym.Fresh) array);
  }

  /** Keeps the elements of an array of numbers together from now on. */
  Sym.Gathered gather(Sym.Fresh array) {
    Sym.Gathered gathered = machine.state.gathered(array);
    if (gathered == null) {
      List<Sym> elements = elements(array).values();
      Kind kind = elementKind(array.type().getComponentType());
      gathered = machine.filled(kind, elements.size(), machine.zeroPrim(kind).variable());
      for (int i = 0; i < elements.size(); i++) {
        int value = ((Sym.Box) elements.get(i)).variable();
        gathered = machine.with(gathered, machine.constant(i), value);
      }
      set(array, gathered);
    }
    return gathered;
  }

  /** Gives an array other elements. */
  void set(Sym.Fresh array, Sym.Gathered elements) {
    machine.state.heap.put(array.id(), new Sym[] {elements});
  }

  /** What the elements of arrays are computed with: bytes, shorts and characters as ints. */
  static Kind elementKind(Class<?> component) {
    Kind kind = Kind.of(component);
    return kind == null || kind == Kind.BOOLEAN ? Kind.INT : kind;
  }

  /** An array of the same elements. */
  Sym.Fresh copy(Sym of) {
    if (of instanceof Sym.Given given) {
      Sym.Fresh copy = mutable(given.type(), 1);
      set(copy, given.elements());
      return copy;
    }
    Sym.Fresh array = (Sym.Fresh) of;
    Sym[] elements = machine.state.heap.get(array.id()).clone();
    Sym.Fresh copy = mutable(array.type(), elements.length);
    machine.state.heap.put(copy.id(), elements);
    return copy;
  }

  /** The elements of an array or buffer as they are now. */
  Sym.Elements elements(Sym of) {
    List<Sym> values = new ArrayList<>();
    Sym.Gathered gathered =
        of instanceof Sym.Given given
            ? given.elements()
            : isArray(of) ? machine.state.gathered((Sym.Fresh) of) : null;
    if (gathered != null) {
      if (gathered.length() > CapturedTables.MOST) {
        throw machine.refuse(
            "makes a sequence of an array of "
                + gathered.length()
                + " elements; sequences may have "
                + CapturedTables.MOST);
      }
      Type type = Type.getType(component(of));
      for (int i = 0; i < gathered.length(); i++) {
        values.add(Boxing.boxed(machine.element(gathered, machine.constant(i)), type));
      }
      return new Sym.Elements(Sym.Form.SEQUENCE, values);
    }
    Sym.Fresh array = (Sym.Fresh) of;
    for (Sym element : machine.state.heap.get(array.id())) {
      values.add(element == null ? zero(array.type().getComponentType()) : element);
    }
    return new Sym.Elements(Sym.Form.SEQUENCE, values);
  }
}
