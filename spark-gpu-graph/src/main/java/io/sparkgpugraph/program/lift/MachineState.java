package io.sparkgpugraph.program.lift;

import io.sparkgpugraph.program.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

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

  /** Applies a function to every symbolic value. */
  void replaceAll(UnaryOperator<Sym> function) {
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

  /** Forgets the locals that no method will read again. */
  void dropDeadLocals() {
    for (Frame frame : frames) {
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
   * @param variables receives the variables, in the order of the description
   */
  List<Object> shape(List<Sym> variables) {
    List<Object> shape = new ArrayList<>();
    for (Frame frame : frames) {
      shape.add(frame.body);
      shape.add(frame.pc);
      shape.add(frame.constructs);
      for (Sym local : frame.locals) {
        describe(local, shape, variables);
      }
      shape.add(frame.stack.size());
      for (Sym value : frame.stack) {
        describe(value, shape, variables);
      }
    }
    heap.forEach(
        (id, fields) -> {
          shape.add(id);
          for (Sym field : fields) {
            describe(field, shape, variables);
          }
        });
    return shape;
  }

  private static void describe(Sym sym, List<Object> shape, List<Sym> variables) {
    if (sym instanceof Sym.Prim prim) {
      shape.add(prim.kind());
      variables.add(sym);
    } else if (sym instanceof Sym.Box box) {
      shape.add(box.kind().box());
      variables.add(sym);
    } else if (sym instanceof Sym.Rec rec) {
      shape.add(rec.layout());
      rec.fields().forEach(field -> describe(field, shape, variables));
    } else if (sym instanceof Sym.Closure closure) {
      shape.add(closure.method());
      closure.captured().forEach(field -> describe(field, shape, variables));
    } else {
      shape.add(sym == null ? "unset" : sym);
    }
  }

  /** Replaces the variables, in the order of {@link #shape}. */
  void rename(List<Integer> variables) {
    int[] next = {0};
    for (Frame frame : frames) {
      for (int i = 0; i < frame.locals.length; i++) {
        frame.locals[i] = rename(frame.locals[i], variables, next);
      }
      for (int i = 0; i < frame.stack.size(); i++) {
        frame.stack.set(i, rename(frame.stack.get(i), variables, next));
      }
    }
    for (Sym[] fields : heap.values()) {
      for (int i = 0; i < fields.length; i++) {
        fields[i] = rename(fields[i], variables, next);
      }
    }
  }

  private static Sym rename(Sym sym, List<Integer> variables, int[] next) {
    if (sym instanceof Sym.Prim prim) {
      return new Sym.Prim(prim.kind(), variables.get(next[0]++));
    } else if (sym instanceof Sym.Box box) {
      return new Sym.Box(box.kind(), variables.get(next[0]++));
    } else if (sym instanceof Sym.Rec rec) {
      List<Sym> fields = new ArrayList<>();
      for (Sym field : rec.fields()) {
        fields.add(rename(field, variables, next));
      }
      return new Sym.Rec(rec.layout(), fields);
    } else if (sym instanceof Sym.Closure closure) {
      List<Sym> captured = new ArrayList<>();
      for (Sym field : closure.captured()) {
        captured.add(rename(field, variables, next));
      }
      return new Sym.Closure(closure.method(), captured);
    }
    return sym;
  }

  /** Kind of the variable of a {@link Sym.Prim} or {@link Sym.Box} inside a function. */
  static Kind variableKind(Sym sym) {
    Kind kind = sym instanceof Sym.Prim prim ? prim.kind() : ((Sym.Box) sym).kind();
    return kind == Kind.BOOLEAN ? Kind.INT : kind;
  }
}
