package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
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

  /** Applies a function to every object under construction, also inside other values. */
  void replaceUnfinished(Function<Sym.Fresh, Sym> by) {
    UnaryOperator<Sym> function = sym -> replaced(sym, by);
    for (Frame frame : frames) {
      Arrays.setAll(frame.locals, i -> function.apply(frame.locals[i]));
      frame.stack.replaceAll(function);
    }
    heap.replaceAll(
        (id, fields) ->
            Arrays.stream(fields)
                .map(field -> field == null ? null : function.apply(field))
                .toArray(Sym[]::new));
  }

  private static Sym replaced(Sym sym, Function<Sym.Fresh, Sym> by) {
    if (!sym.extent().isUnfinished()) {
      return sym;
    } else if (sym instanceof Sym.Rec rec) {
      return new Sym.Rec(rec.layout(), replaced(rec.fields(), by));
    } else if (sym instanceof Sym.Elements elements) {
      return new Sym.Elements(replaced(elements.values(), by));
    } else if (sym instanceof Sym.Closure closure) {
      return new Sym.Closure(closure.method(), replaced(closure.captured(), by));
    }
    return by.apply((Sym.Fresh) sym);
  }

  private static List<Sym> replaced(List<Sym> values, Function<Sym.Fresh, Sym> by) {
    return values.stream().map(value -> replaced(value, by)).toList();
  }

  /** Keeps the constant indexes of array elements that are being computed. */
  void keepIndexes(Map<Integer, Object> constants) {
    for (Frame frame : frames) {
      for (int i = 1; i < frame.stack.size(); i++) {
        if (frame.stack.get(i - 1) instanceof Sym.Fresh array
            && array.type().isArray()
            && frame.stack.get(i) instanceof Sym.Prim prim
            && constants.get(prim.variable()) instanceof Integer index) {
          frame.stack.set(i, new Sym.Index(index));
        }
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
      BitSet live = frame.body.live(frame.pc);
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
      shape.add(box.kind().box());
      variables.add(sym);
    } else if (sym instanceof Sym.Rec rec) {
      shape.add(rec.layout());
      rec.fields().forEach(field -> describe(field, fixed, shape, variables));
    } else if (sym instanceof Sym.Elements elements) {
      shape.add(elements.values().size());
      elements.values().forEach(value -> describe(value, fixed, shape, variables));
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
    int[] next = {0};
    for (Frame frame : frames) {
      for (int i = 0; i < frame.locals.length; i++) {
        frame.locals[i] = rename(frame.locals[i], fixed, variables, next);
      }
      for (int i = 0; i < frame.stack.size(); i++) {
        frame.stack.set(i, rename(frame.stack.get(i), fixed, variables, next));
      }
    }
    for (Sym[] fields : heap.values()) {
      for (int i = 0; i < fields.length; i++) {
        fields[i] = rename(fields[i], fixed, variables, next);
      }
    }
  }

  private static Sym rename(Sym sym, Set<Integer> fixed, List<Integer> variables, int[] next) {
    if (isFixed(sym, fixed)) {
      return sym;
    } else if (sym instanceof Sym.Prim prim) {
      return new Sym.Prim(prim.kind(), variables.get(next[0]++));
    } else if (sym instanceof Sym.Box box) {
      return new Sym.Box(box.kind(), variables.get(next[0]++));
    } else if (sym instanceof Sym.Rec rec) {
      List<Sym> fields = new ArrayList<>();
      for (Sym field : rec.fields()) {
        fields.add(rename(field, fixed, variables, next));
      }
      return new Sym.Rec(rec.layout(), fields);
    } else if (sym instanceof Sym.Closure closure) {
      List<Sym> captured = new ArrayList<>();
      for (Sym field : closure.captured()) {
        captured.add(rename(field, fixed, variables, next));
      }
      return new Sym.Closure(closure.method(), captured);
    } else if (sym instanceof Sym.Elements elements) {
      List<Sym> values = new ArrayList<>();
      for (Sym value : elements.values()) {
        values.add(rename(value, fixed, variables, next));
      }
      return new Sym.Elements(values);
    }
    return sym;
  }

  /** Kind of the variable of a {@link Sym.Prim} or {@link Sym.Box} inside a function. */
  static Kind variableKind(Sym sym) {
    Kind kind = sym instanceof Sym.Prim prim ? prim.kind() : ((Sym.Box) sym).kind();
    return kind == Kind.BOOLEAN ? Kind.INT : kind;
  }
}
