package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.Type;
import org.sparkgpugraph.program.bytecode.StructClass;

/** Objects between {@code new} and the end of their constructors. */
final class NewObjects {
  private final SymbolicMachine machine;

  NewObjects(SymbolicMachine machine) {
    this.machine = machine;
  }

  Sym begin(String internalName) {
    Class<?> type = machine.load(internalName);
    int id = machine.state.freshId();
    if (Throwable.class.isAssignableFrom(type) || ScalaCalls.isCons(type)) {
      machine.state.heap.put(id, new Sym[0]);
    } else if (StructClass.isStruct(type)) {
      machine.state.heap.put(id, new Sym[StructClass.of(type).size()]);
    } else {
      throw machine.refuse(
          "creates an object of class "
              + type.getName()
              + "; only records can be created, use one, or local variables");
    }
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

  /** The elements of an array under construction, which nobody will change any more. */
  Sym.Elements elements(Sym.Fresh array) {
    List<Sym> values = new ArrayList<>();
    for (Sym element : machine.state.heap.get(array.id())) {
      values.add(element == null ? Sym.NULL : element);
    }
    return new Sym.Elements(values);
  }
}
