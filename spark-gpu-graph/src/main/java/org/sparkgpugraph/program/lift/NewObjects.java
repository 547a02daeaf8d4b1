package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.StructClass;

/** Objects between {@code new} and the end of their constructors. */
final class NewObjects {
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

  /** The elements of an array or buffer as they are now. */
  Sym.Elements elements(Sym.Fresh array) {
    List<Sym> values = new ArrayList<>();
    for (Sym element : machine.state.heap.get(array.id())) {
      values.add(element == null ? zero(array.type().getComponentType()) : element);
    }
    return new Sym.Elements(Sym.Form.SEQUENCE, values);
  }
}
