package org.sparkgpugraph.program.lift;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.FaultCode;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Loops of the Scala library over sequences whose length is known while lifting. Each round asks
 * for the next element, for which the functions that {@code map} and {@code filter} put off are
 * called now, and gives it to the loop: the order of calls is Scala's. A frame of its own keeps
 * what is done, so that paths which meet inside a function have it in their state.
 */
final class SequenceLoops {
  /** What a loop does with each element, and what becomes of the answer of a function. */
  enum Loop {
    MAP,
    FLAT_MAP,
    FILTER,
    FILTER_NOT,
    /** What {@code ++} of iterators adds, asked for when all before it is used up. */
    LATER,
    FOREACH,
    EXISTS,
    FORALL,
    FIND,
    COUNT,
    FOLD,
    /** Collects the elements. */
    COLLECT,
    /** Adds the elements to a buffer. */
    APPEND,
    /** Asks an iterator whether there is another element. */
    HAS_NEXT,
    /** Takes the next element from an iterator. */
    NEXT,
    /** Not a loop: {@code Try} catches what the one function throws. */
    TRY,
    /** Calls a function with what may be in a map or set; {@link KeyedCalls} goes on with it. */
    SLOTS;

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

    /** Whether it makes other elements of those that there are. */
    boolean transforms() {
      return ordinal() < LATER.ordinal();
    }

    private boolean calls() {
      return ordinal() > LATER.ordinal() && ordinal() < COLLECT.ordinal();
    }
  }

  private static final int REMAINING = 0;
  private static final int DONE = 1;
  private static final int FUNCTION = 2;
  private static final int LOCALS = 3;

  /** Values of the frame's pc: whether a round begins, or a function has returned. */
  private static final int BEGINS = 0;

  private static final int ANSWERED = 1;

  private final SymbolicMachine machine;
  private final ExecutionPaths paths;
  private final CallInliner calls;
  private final NewObjects objects;

  SequenceLoops(
      SymbolicMachine machine, ExecutionPaths paths, CallInliner calls, NewObjects objects) {
    this.machine = machine;
    this.paths = paths;
    this.calls = calls;
    this.objects = objects;
  }

  /**
   * Begins a loop.
   *
   * @param over the elements
   * @param start what is done before the first round
   * @param function what is called with each element, or the buffer or iterator that changes
   */
  boolean begin(Loop loop, List<Sym> over, Sym start, Sym function) {
    Frame frame = new Frame(machine.top().body, loop, LOCALS);
    frame.locals[REMAINING] = Sym.Elements.list(over);
    frame.locals[DONE] = start;
    frame.locals[FUNCTION] = function;
    machine.state.frames.add(frame);
    return advance(frame);
  }

  /** Calls a function of no arguments, whose exceptions are caught. */
  boolean attempt(Sym function) {
    Frame frame = new Frame(machine.top().body, Loop.TRY, LOCALS);
    Arrays.fill(frame.locals, Sym.NULL);
    frame.pc = ANSWERED;
    machine.state.frames.add(frame);
    return calls.function(function, List.of());
  }

  /** What a loop begins with that has nothing else to begin with. */
  Sym start(Loop loop) {
    return switch (loop) {
      case EXISTS, COUNT -> machine.constantPrim(0);
      case FORALL -> machine.constantPrim(1);
      case FIND -> new Sym.Elements(Sym.Form.OPTION, List.of());
      default -> Sym.NULL;
    };
  }

  /** Goes on with a loop; returns false when the path has ended. */
  boolean advance(Frame loop) {
    if (loop.loop == Loop.SLOTS) {
      return calls.scala().keyed().advance(loop);
    }
    Frame frame = loop;
    if (frame.pc == ANSWERED) {
      frame.pc = BEGINS;
      // A function of Unit may leave nothing behind.
      Sym answer = frame.stack.isEmpty() ? Sym.NULL : frame.pop();
      if (frame.loop == Loop.TRY) {
        return leave(new Sym.Elements(Sym.Form.TRY, List.of(answer)));
      }
      Sym head = remaining(frame).get(0);
      Boolean ends =
          head instanceof Sym.Pending pending
              ? applied(frame, pending, answer)
              : taken(frame, head, answer);
      if (ends != null) {
        return ends;
      }
    }
    while (!remaining(frame).isEmpty()) {
      Sym head = remaining(frame).get(0);
      if (head instanceof Sym.Pending pending && !(isThere(pending) && asksOnly(frame))) {
        frame.pc = ANSWERED;
        return calls.function(
            pending.functions().get(0),
            pending.loops().get(0) == Loop.LATER ? List.of() : List.of(pending.element()));
      } else if (frame.loop.calls()) {
        frame.pc = ANSWERED;
        boolean folds = frame.loop == Loop.FOLD;
        return calls.function(
            frame.locals[FUNCTION], folds ? List.of(frame.locals[DONE], head) : List.of(head));
      } else if (frame.loop == Loop.HAS_NEXT) {
        set((Sym.Fresh) frame.locals[FUNCTION], remaining(frame));
        return leave(machine.constantPrim(1));
      }
      drop(frame);
      switch (frame.loop) {
        case NEXT -> {
          set((Sym.Fresh) frame.locals[FUNCTION], remaining(frame));
          return leave(head);
        }
        case APPEND -> {
          Sym.Fresh buffer = (Sym.Fresh) frame.locals[FUNCTION];
          List<Sym> all = new ArrayList<>(objects.elements(buffer).values());
          all.add(head);
          set(buffer, all);
        }
        default -> collect(frame, head);
      }
    }
    return exhausted(frame);
  }

  private static List<Sym> remaining(Frame frame) {
    return ((Sym.Elements) frame.locals[REMAINING]).values();
  }

  private static void drop(Frame frame) {
    List<Sym> remaining = remaining(frame);
    frame.locals[REMAINING] = Sym.Elements.list(remaining.subList(1, remaining.size()));
  }

  /** Replaces the next element by others. */
  private static void replace(Frame frame, List<Sym> by) {
    List<Sym> all = new ArrayList<>(by);
    List<Sym> remaining = remaining(frame);
    all.addAll(remaining.subList(1, remaining.size()));
    frame.locals[REMAINING] = Sym.Elements.list(all);
  }

  private static void collect(Frame frame, Sym element) {
    Sym.Elements done = (Sym.Elements) frame.locals[DONE];
    List<Sym> all = new ArrayList<>(done.values());
    all.add(element);
    frame.locals[DONE] = done.with(all);
  }

  private void set(Sym.Fresh object, List<Sym> values) {
    machine.requireOwn(object.id());
    machine.state.heap.put(object.id(), values.toArray(Sym[]::new));
  }

  /** Whether it is certain that an element comes, whatever the functions answer. */
  private static boolean isThere(Sym.Pending pending) {
    return pending.loops().stream().allMatch(loop -> loop == Loop.MAP);
  }

  private static boolean asksOnly(Frame frame) {
    return frame.loop == Loop.HAS_NEXT;
  }

  /** Leaves the loop where no element is left. */
  private boolean exhausted(Frame frame) {
    return switch (frame.loop) {
      case FOREACH -> leave(null);
      case HAS_NEXT -> {
        set((Sym.Fresh) frame.locals[FUNCTION], List.of());
        yield leave(machine.constantPrim(0));
      }
      case NEXT -> {
        machine.state.frames.remove(machine.state.frames.size() - 1);
        yield machine.stop(
            FaultCode.THROWN, "java.util.NoSuchElementException: next on empty iterator");
      }
      case APPEND -> leave(frame.locals[FUNCTION]);
      default -> leave(frame.locals[DONE]);
    };
  }

  private boolean leave(Sym result) {
    machine.state.frames.remove(machine.state.frames.size() - 1);
    if (result != null) {
      machine.top().push(result);
    }
    return true;
  }

  /** Leaves the loop early; all ways out of it meet. */
  private boolean leaveEarly(Sym result) {
    leave(result);
    paths.join();
    return false;
  }

  /** Takes what a function that was put off says of the next element; null to go on. */
  private Boolean applied(Frame frame, Sym.Pending pending, Sym answer) {
    Loop loop = pending.loops().get(0);
    switch (loop) {
      case MAP -> replace(frame, List.of(pending.rest(answer)));
      case FLAT_MAP, LATER ->
          replace(
              frame,
              calls.scala().sequences().elements(answer).stream().map(pending::rest).toList());
      default -> {
        Sym kept = pending.rest(pending.element());
        return decide(
            loop == Loop.FILTER,
            answer,
            () -> replace(machine.top(), List.of(kept)),
            () -> drop(machine.top()));
      }
    }
    return null;
  }

  /** Goes on by a function's answer: both ways begin another round; null to go on at once. */
  private Boolean decide(boolean wanted, Sym answer, Runnable then, Runnable otherwise) {
    Sym.Prim yes = truth(answer);
    if (machine.constants.get(yes.variable()) instanceof Integer known) {
      ((known != 0) == wanted ? then : otherwise).run();
      return null;
    }
    return paths.fork(
        wanted ? Condition.NE : Condition.EQ,
        yes.variable(),
        machine.constant(0),
        () -> {
          then.run();
          paths.join();
          return false;
        },
        () -> {
          otherwise.run();
          paths.join();
          return false;
        });
  }

  /** Takes what the loop's own function says of an element; null to go on. */
  private Boolean taken(Frame frame, Sym element, Sym answer) {
    drop(frame);
    switch (frame.loop) {
      case FOLD -> frame.locals[DONE] = answer;
      case COUNT -> {
        int done = ((Sym.Prim) frame.locals[DONE]).variable();
        frame.locals[DONE] = machine.binary(BinaryOp.ADD, Kind.INT, done, truth(answer).variable());
      }
      case EXISTS, FORALL, FIND -> {
        return search(frame, truth(answer), element);
      }
      default -> {}
    }
    return null;
  }

  /** Ends a search where it has found what decides it. */
  private Boolean search(Frame frame, Sym.Prim yes, Sym element) {
    boolean wanted = frame.loop != Loop.FORALL;
    if (machine.constants.get(yes.variable()) instanceof Integer known) {
      return (known != 0) == wanted ? leave(found(frame.loop, element)) : null;
    }
    return paths.fork(
        wanted ? Condition.NE : Condition.EQ,
        yes.variable(),
        machine.constant(0),
        () -> leaveEarly(found(machine.top().loop, element)),
        () -> advance(machine.top()));
  }

  private Sym found(Loop loop, Sym element) {
    return loop == Loop.FIND
        ? new Sym.Elements(Sym.Form.OPTION, List.of(element))
        : machine.constantPrim(loop == Loop.EXISTS ? 1 : 0);
  }

  private Sym.Prim truth(Sym answer) {
    return machine.prim(
        answer instanceof Sym.Box box ? new Sym.Prim(Kind.INT, box.variable()) : answer);
  }
}
