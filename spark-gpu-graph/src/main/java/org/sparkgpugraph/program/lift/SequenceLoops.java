package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Loops of the Scala library over sequences whose length is known while lifting: each round calls
 * the user's function, and the answer to the last one ends the loop. A frame of its own keeps what
 * is done, so that paths which meet inside the function have it in their state.
 */
final class SequenceLoops {
  /** What a method of Scala's sequences, iterators and options does with a function. */
  enum Loop {
    MAP,
    FLAT_MAP,
    FILTER,
    FILTER_NOT,
    FOREACH,
    EXISTS,
    FORALL,
    FIND,
    COUNT,
    FOLD;

    /** The loop behind a method's name, or null. */
    static Loop of(String name) {
      return switch (name) {
        case "map" -> MAP;
        case "flatMap" -> FLAT_MAP;
        case "filter", "withFilter" -> FILTER;
        case "filterNot" -> FILTER_NOT;
        case "foreach", "foreach$mVc$sp" -> FOREACH;
        case "exists" -> EXISTS;
        case "forall" -> FORALL;
        case "find" -> FIND;
        case "count" -> COUNT;
        case "foldLeft", "$div$colon" -> FOLD;
        default -> null;
      };
    }

    /** Whether it leaves nothing of an iterator, and does not give another one. */
    boolean consumes() {
      return switch (this) {
        case MAP, FLAT_MAP, FILTER, FILTER_NOT -> false;
        default -> true;
      };
    }

    /** Whether the function says yes or no. */
    boolean asks() {
      return switch (this) {
        case FILTER, FILTER_NOT, EXISTS, FORALL, FIND, COUNT -> true;
        default -> false;
      };
    }
  }

  private static final int REMAINING = 0;
  private static final int DONE = 1;
  private static final int FUNCTION = 2;
  private static final int LOCALS = 3;

  private final SymbolicMachine machine;
  private final ExecutionPaths paths;
  private final CallInliner calls;

  SequenceLoops(SymbolicMachine machine, ExecutionPaths paths, CallInliner calls) {
    this.machine = machine;
    this.paths = paths;
    this.calls = calls;
  }

  /**
   * Begins a loop.
   *
   * @param start what is done before the first round
   */
  boolean begin(Loop loop, Sym.Elements over, Sym start, Sym function) {
    Frame frame = new Frame(machine.top().body, loop, LOCALS);
    frame.locals[REMAINING] = over;
    frame.locals[DONE] = start;
    frame.locals[FUNCTION] = function;
    machine.state.frames.add(frame);
    return round(frame);
  }

  /** What a loop begins with, other than a fold. */
  Sym start(Loop loop, Sym.Elements over) {
    return switch (loop) {
      case EXISTS, COUNT -> machine.constantPrim(0);
      case FORALL -> machine.constantPrim(1);
      case FIND -> new Sym.Elements(Sym.Form.OPTION, List.of());
      default -> over.with(List.of());
    };
  }

  /** Calls the function for the next element, or leaves the loop. */
  private boolean round(Frame frame) {
    Sym.Elements remaining = (Sym.Elements) frame.locals[REMAINING];
    if (remaining.values().isEmpty()) {
      machine.state.frames.remove(machine.state.frames.size() - 1);
      if (frame.loop != Loop.FOREACH) {
        machine.top().push(frame.locals[DONE]);
      }
      return true;
    }
    Sym next = remaining.values().get(0);
    boolean folds = frame.loop == Loop.FOLD;
    return calls.function(
        frame.locals[FUNCTION], folds ? List.of(frame.locals[DONE], next) : List.of(next));
  }

  /** Takes what the function has returned; returns false when the path has ended. */
  boolean advance(Frame frame) {
    // A function of Unit may leave nothing behind.
    Sym answer = frame.stack.isEmpty() ? Sym.NULL : frame.pop();
    Sym.Elements remaining = (Sym.Elements) frame.locals[REMAINING];
    Sym element = remaining.values().get(0);
    frame.locals[REMAINING] =
        remaining.with(remaining.values().subList(1, remaining.values().size()));
    if (frame.loop.asks()) {
      return ask(frame, machine.prim(unboxed(answer)), element);
    }
    switch (frame.loop) {
      case MAP -> append(frame, List.of(answer));
      case FLAT_MAP -> append(frame, elements(answer).values());
      case FOLD -> frame.locals[DONE] = answer;
      default -> {}
    }
    return round(frame);
  }

  private Sym unboxed(Sym answer) {
    return answer instanceof Sym.Box box ? new Sym.Prim(Kind.INT, box.variable()) : answer;
  }

  private Sym.Elements elements(Sym value) {
    if (value instanceof Sym.Elements elements) {
      return elements;
    }
    throw machine.refuse("flatMap with a function that returns " + value.describe());
  }

  private static void append(Frame frame, List<Sym> more) {
    Sym.Elements done = (Sym.Elements) frame.locals[DONE];
    List<Sym> all = new ArrayList<>(done.values());
    all.addAll(more);
    frame.locals[DONE] = done.with(all);
  }

  private boolean ask(Frame frame, Sym.Prim yes, Sym element) {
    switch (frame.loop) {
      case EXISTS -> combine(frame, BinaryOp.OR, yes);
      case FORALL -> combine(frame, BinaryOp.AND, yes);
      case COUNT -> combine(frame, BinaryOp.ADD, yes);
      default -> {
        return choose(frame, yes, element);
      }
    }
    return round(frame);
  }

  private void combine(Frame frame, BinaryOp op, Sym.Prim yes) {
    int done = ((Sym.Prim) frame.locals[DONE]).variable();
    frame.locals[DONE] = machine.binary(op, Kind.INT, done, yes.variable());
  }

  /** Where the answer decides how long the result is there are two ways to go on. */
  private boolean choose(Frame frame, Sym.Prim yes, Sym element) {
    boolean wanted = frame.loop != Loop.FILTER_NOT;
    if (machine.constants.get(yes.variable()) instanceof Integer known) {
      return (known != 0) == wanted ? taken(frame, element) : round(frame);
    }
    return paths.fork(
        wanted ? Condition.NE : Condition.EQ,
        yes.variable(),
        machine.constant(0),
        () -> taken(machine.top(), element),
        () -> round(machine.top()));
  }

  private boolean taken(Frame frame, Sym element) {
    append(frame, List.of(element));
    if (frame.loop == Loop.FIND) {
      frame.locals[REMAINING] = new Sym.Elements(List.of());
    }
    return round(frame);
  }
}
