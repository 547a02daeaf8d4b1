package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The state of the symbolic machine between two instructions: the frames of all methods entered and
 * the objects under construction.
 */
final class MachineState {
  final List<Frame> frames = new ArrayList<>();

  /** Fields of the objects under construction, by id; null where not yet set. */
  final TreeMap<Integer, Sym[]> heap = new TreeMap<>();

  MachineState copy() {
    MachineState copy = new MachineState();
    for (Frame frame : frames) {
      copy.frames.add(frame.copy());
    }
    heap.forEach((id, fields) -> copy.heap.put(id, fields.clone()));
    return copy;
  }

  Frame top() {
    return frames.get(frames.size() - 1);
  }

  int freshId() {
    int id = 0;
    while (heap.containsKey(id)) {
      id++;
    }
    return id;
  }

  /** Applies a function to every value, in the order of {@link #shape}. */
  private void replaceAll(UnaryOperator<Sym> by) {
    for (Frame frame : frames) {
      Arrays.setAll(frame.locals, i -> by.apply(frame.locals[i]));
      frame.stack.replaceAll(by);
    }
    for (Sym[] fields : heap.values()) {
      Arrays.setAll(fields, i -> fields[i] == null ? null : by.apply(fields[i]));
    }
  }

  /** Applies a function to every object under construction, also inside other values. */
  void replaceUnfinished(Function<Sym.Fresh, Sym> by) {
    replaceAll(sym -> replaced(sym, by));
  }

  static Sym replaced(Sym sym, Function<Sym.Fresh, Sym> by) {
    if (!sym.extent().isUnfinished()) {
      return sym;
    }
    return sym instanceof Sym.Fresh fresh
        ? by.apply(fresh)
        : sym.mapped(part -> replaced(part, by));
  }

  /** Replaces an option wherever it stands, also inside other values. */
  void replace(Sym.Maybe option, Sym by) {
    replaceAll(sym -> replaced(sym, option, by));
  }

  private static Sym replaced(Sym sym, Sym.Maybe option, Sym by) {
    return sym.equals(option) ? by : sym.mapped(part -> replaced(part, option, by));
  }

  /** Keeps the constant indexes of array elements that are being computed. */
  void keepIndexes(Map<Integer, Object> constants) {
    for (Frame frame : frames) {
      for (int i = 1; i < frame.stack.size(); i++) {
        if (frame.stack.get(i - 1) instanceof Sym.Fresh array
            && array.type().isArray()
            && gathered(array) == null
            && frame.stack.get(i) instanceof Sym.Prim prim
            && constants.get(prim.variable()) instanceof Integer index) {
          frame.stack.set(i, new Sym.Index(index));
        }
      }
    }
  }

  /** The elements of an array that are kept together; null: each is kept for itself. */
  Sym.Gathered gathered(Sym.Fresh array) {
    Sym[] kept = heap.get(array.id());
    return kept.length == 1 && kept[0] instanceof Sym.Gathered gathered ? gathered : null;
  }

  /**
   * Adds the constants that loops over ranges still have to go through: they are not merged, so
   * that what is counted with them stays known.
   */
  void addCounters(Set<Integer> constants, Set<Integer> fixed) {
    for (Frame frame : frames) {
      if (frame.loop != null && frame.locals[0] instanceof Sym.Elements elements) {
        for (Sym element : elements.values()) {
          if (element instanceof Sym.Box box && constants.contains(box.variable())) {
            fixed.add(box.variable());
          }
        }
      }
    }
  }

  /** Adds what is known of lengths of arrays that methods are going to make. */
  void addLengths(Predicate<Sym> known, Set<Integer> fixed) {
    for (Frame frame : frames) {
      if (!frame.adapter) {
        frame.body.lengths().stream()
            .mapToObj(local -> frame.locals[local])
            .filter(known)
            .forEach(length -> fixed.add(((Sym.Prim) length).variable()));
      }
    }
  }

  /** Forgets the objects under construction that nothing refers to. */
  void dropUnreachable() {
    Set<Integer> reachable = new HashSet<>();
    replaceUnfinished(
        fresh -> {
          reachable.add(fresh.id());
          return fresh;
        });
    heap.keySet().retainAll(reachable);
  }

  /** Forgets the locals that no method will read again. */
  void dropDeadLocals() {
    for (Frame frame : frames) {
      if (frame.adapter) {
        continue;
      }
      BitSet live = frame.body.live(frame.pc, frame != top());
      for (int i = 0; i < frame.locals.length; i++) {
        if (!live.get(i)) {
          frame.locals[i] = Sym.TOP;
        }
      }
    }
  }

  /**
   * Describes everything but the variables, so that two states with equal descriptions can share
   * one block.
   *
   * @param fixed variables that are part of the shape, because what they stand for matters
   * @param variables receives the other variables, in the order of the description
   */
  List<Object> shape(Set<Integer> fixed, List<Sym> variables) {
    List<Object> shape = new ArrayList<>();
    for (Frame frame : frames) {
      shape.add(frame.body);
      shape.add(frame.pc);
      shape.add(frame.constructs);
      shape.add(frame.loop == null ? "no loop" : frame.loop);
      for (Sym local : frame.locals) {
        describe(local, fixed, shape, variables);
      }
      shape.add(frame.stack.size());
      for (Sym value : frame.stack) {
        describe(value, fixed, shape, variables);
      }
    }
    heap.forEach(
        (id, fields) -> {
          shape.add(id);
          shape.add(fields.length);
          for (Sym field : fields) {
            describe(field, fixed, shape, variables);
          }
        });
    return shape;
  }

  private static void describe(
      Sym sym, Set<Integer> fixed, List<Object> shape, List<Sym> variables) {
    if (isFixed(sym, fixed)) {
      shape.add(sym);
    } else if (sym instanceof Sym.Prim prim) {
      shape.add(prim.kind());
      variables.add(sym);
    } else if (sym instanceof Sym.Box box) {
      shape.add(box.type());
      variables.add(sym);
    } else if (sym instanceof Sym.Gathered gathered) {
      shape.add(Sym.Gathered.class);
      shape.add(gathered.kind());
      shape.add(gathered.length());
      variables.add(sym);
    } else if (sym instanceof Sym.Rec rec) {
      shape.add(rec.layout());
      rec.fields().forEach(field -> describe(field, fixed, shape, variables));
    } else if (sym instanceof Sym.Elements elements) {
      shape.add(elements.form());
      shape.add(elements.values().size());
      elements.values().forEach(value -> describe(value, fixed, shape, variables));
    } else if (sym instanceof Sym.Pending pending) {
      shape.add(pending.loops());
      describe(pending.element(), fixed, shape, variables);
      pending.functions().forEach(field -> describe(field, fixed, shape, variables));
    } else if (sym instanceof Sym.Maybe maybe) {
      shape.add(Sym.Maybe.class);
      describe(maybe.present(), fixed, shape, variables);
      describe(maybe.value(), fixed, shape, variables);
    } else if (sym instanceof Sym.Keyed keyed) {
      shape.add(keyed.form());
      shape.add(keyed.slots().size());
      keyed.slots().forEach(slot -> describe(slot, fixed, shape, variables));
    } else if (sym instanceof Sym.Slot slot) {
      shape.add(Sym.Slot.class);
      describe(slot.present(), fixed, shape, variables);
      describe(slot.element(), fixed, shape, variables);
    } else if (sym instanceof Sym.Given given) {
      shape.add(Sym.Given.class);
      describe(given.elements(), fixed, shape, variables);
    } else if (sym instanceof Sym.Closure closure) {
      shape.add(closure.method());
      closure.captured().forEach(field -> describe(field, fixed, shape, variables));
    } else {
      shape.add(sym == null ? "unset" : sym);
    }
  }

  private static boolean isFixed(Sym sym, Set<Integer> fixed) {
    return (sym instanceof Sym.Prim prim && fixed.contains(prim.variable()))
        || (sym instanceof Sym.Box box && fixed.contains(box.variable()));
  }

  /** Replaces the variables that are not fixed, in the order of {@link #shape}. */
  void rename(Set<Integer> fixed, List<Integer> variables) {
    Iterator<Integer> next = variables.iterator();
    replaceAll(sym -> rename(sym, fixed, next));
  }

  private static Sym rename(Sym sym, Set<Integer> fixed, Iterator<Integer> next) {
    if (isFixed(sym, fixed)) {
      return sym;
    } else if (sym instanceof Sym.Prim prim) {
      return new Sym.Prim(prim.kind(), next.next());
    } else if (sym instanceof Sym.Box box) {
      return new Sym.Box(box.kind(), next.next(), box.type());
    } else if (sym instanceof Sym.Gathered gathered) {
      return new Sym.Gathered(gathered.kind(), gathered.length(), next.next());
    }
    return sym.mapped(part -> rename(part, fixed, next));
  }

  /** The variable of one of {@link #shape}'s. */
  static int variable(Sym sym) {
    return sym instanceof Sym.Prim prim
        ? prim.variable()
        : sym instanceof Sym.Box box ? box.variable() : ((Sym.Gathered) sym).variable();
  }

  /** Kind of the variable of one of {@link #shape}'s inside a function. */
  static Kind variableKind(Sym sym) {
    if (sym instanceof Sym.Gathered gathered) {
      return gathered.kind();
    }
    Kind kind = sym instanceof Sym.Prim prim ? prim.kind() : ((Sym.Box) sym).kind();
    return kind == Kind.BOOLEAN ? Kind.INT : kind;
  }
}
