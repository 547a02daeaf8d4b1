package org.sparkgpugraph.program.fuse;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.CodeCleaner;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Renumbering;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * The messages of a send function to one end of an edge, delivered element by element ({@link
 * Insn.EmitElement}). An array that is filled by a loop for nothing but the message is not made:
 * where the loop had written an element it delivers one. Other arrays are delivered by a loop of
 * their own. A message's elements come in any order, but all before its rest, and after the rest of
 * the message before.
 */
public final class ElementMessages {
  private final Side side;
  private final String name;
  private final List<ColumnType> message;
  private final List<Kind> kinds;
  private List<Insn> code;
  private int labels;

  private ElementMessages(IrFunction send, Side side, List<ColumnType> message) {
    this.side = side;
    this.message = message;
    name = send.name();
    kinds = new ArrayList<>(send.variables());
    labels = send.labels();
    code =
        CodeCleaner.clean(
            send.code().stream()
                .filter(insn -> !(insn instanceof Insn.Emit emit) || emit.side() == side)
                .toList());
  }

  /**
   * The send function whose messages to one end are delivered by elements, and to the other end not
   * at all.
   *
   * @param message the columns of messages
   */
  public static IrFunction of(IrFunction send, Side side, List<ColumnType> message) {
    ElementMessages messages = new ElementMessages(send, side, message);
    int emits = messages.emits();
    for (int number = 0; number < emits; number++) {
      messages.deliver(number);
    }
    return messages.function(send);
  }

  /**
   * The same function with a round of its own for each element, whose index is a constant there, in
   * the place of the loops that deliver elements.
   *
   * @param most instructions that these may have
   * @return the function itself when they have more, or do more with the index than to count
   */
  public static IrFunction unrolled(
      IrFunction elements, Side side, List<ColumnType> message, int most) {
    ElementMessages messages = new ElementMessages(elements, side, message);
    while (true) {
      CountedLoops.Loop loop = messages.delivering();
      if (loop == null) {
        return messages.function(elements);
      }
      int rounds = loop.limit() - loop.from();
      if (messages.readsNext(loop)
          || messages.code.size() + rounds * (loop.jump() - loop.guard()) > most) {
        return elements;
      }
      messages.unroll(loop);
    }
  }

  private IrFunction function(IrFunction send) {
    return Renumbering.of(
        name, send.parameters(), List.of(), kinds, CodeCleaner.clean(List.copyOf(code)));
  }

  private int emits() {
    return (int) code.stream().filter(Insn.Emit.class::isInstance).count();
  }

  private int variable(Kind kind) {
    kinds.add(kind);
    return kinds.size() - 1;
  }

  // ---- delivering -----------------------------------------------------------------------------

  /** A loop that fills an array of a message, and the instruction that sets an element there. */
  private record Filling(CountedLoops.Loop loop, int with, Set<Integer> dropped) {}

  /** Delivers the arrays of a message, by the number of its Emit in the code. */
  private void deliver(int number) {
    int at = -1;
    for (int seen = -1; seen < number; ) {
      at++;
      seen += code.get(at) instanceof Insn.Emit ? 1 : 0;
    }
    Insn.Emit emit = (Insn.Emit) code.get(at);
    Map<Integer, Insn> replaced = new HashMap<>();
    Set<Integer> dropped = new HashSet<>();
    Map<Integer, List<Integer>> copied = new TreeMap<>();
    List<Insn> before = new ArrayList<>();
    List<Integer> rest = new ArrayList<>(emit.message());
    for (int c = 0; c < message.size(); c++) {
      if (!message.get(c).isArray()) {
        continue;
      }
      Filling filling = filling(emit.message().get(c), at, message.get(c).width());
      if (filling == null) {
        copied.computeIfAbsent(message.get(c).width(), width -> new ArrayList<>()).add(c);
      } else {
        Insn.With with = (Insn.With) code.get(filling.with());
        replaced.put(
            filling.with(),
            new Insn.EmitElement(side, c, with.index(), with.value(), with.where()));
        dropped.addAll(filling.dropped());
      }
      int none = variable(message.get(c).kind());
      before.add(new Insn.Constant(none, message.get(c).kind().zero(), emit.where()));
      rest.set(c, none);
    }
    List<Insn> changed = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      if (i == at) {
        copied.forEach((width, columns) -> addCopies(changed, emit, width, columns));
        changed.addAll(before);
        changed.add(new Insn.Emit(side, rest, emit.where()));
      } else if (replaced.containsKey(i)) {
        changed.add(replaced.get(i));
      } else if (!dropped.contains(i)) {
        changed.add(code.get(i));
      }
    }
    code = changed;
  }

  /** A loop that delivers arrays that are there. */
  private void addCopies(List<Insn> to, Insn.Emit emit, int width, List<Integer> columns) {
    SourcePosition where = emit.where();
    int loop = labels++;
    int exit = labels++;
    int zero = variable(Kind.INT);
    int one = variable(Kind.INT);
    int limit = variable(Kind.INT);
    int index = variable(Kind.INT);
    int next = variable(Kind.INT);
    to.add(new Insn.Constant(zero, 0, where));
    to.add(new Insn.Constant(one, 1, where));
    to.add(new Insn.Constant(limit, width, where));
    to.add(new Insn.Copy(index, zero, where));
    to.add(new Insn.Label(loop, where));
    to.add(new Insn.Branch(Condition.GE, index, limit, exit, where));
    for (int c : columns) {
      int element = variable(message.get(c).kind());
      to.add(new Insn.Element(element, emit.message().get(c), index, where));
      to.add(new Insn.EmitElement(side, c, index, element, where));
    }
    to.add(new Insn.Binary(BinaryOp.ADD, next, index, one, where));
    to.add(new Insn.Copy(index, next, where));
    to.add(new Insn.Jump(loop, where));
    to.add(new Insn.Label(exit, where));
  }

  /**
   * The loop that fills an array for a message and nothing else, element by element, whenever and
   * only when the message is sent; null: there is no such loop.
   *
   * @param at the message's Emit
   */
  private Filling filling(int array, int at, int length) {
    Set<Integer> dropped = uses(array, at);
    if (dropped == null) {
      return null;
    }
    List<Integer> sets = dropped.stream().filter(i -> code.get(i) instanceof Insn.With).toList();
    if (sets.size() != 1) {
      return null;
    }
    int with = sets.get(0);
    CountedLoops.Loop loop =
        new CountedLoops(code)
            .loops().stream().filter(l -> l.hasInBody(with)).findFirst().orElse(null);
    return loop != null
            && loop.from() == 0
            && loop.limit() == length
            && ((Insn.With) code.get(with)).index() == loop.variable()
            && isOncePerRound(with, loop)
            && isOnlyWay(loop, at)
        ? new Filling(loop, with, dropped)
        : null;
  }

  /**
   * The instructions that make an array and hand it on; null where it is more than what a message
   * has in one column, or a parameter.
   */
  private Set<Integer> uses(int array, int at) {
    BitSet names = new BitSet();
    names.set(array);
    Set<Integer> uses = new HashSet<>();
    int before;
    do {
      before = names.cardinality();
      for (int i = 0; i < code.size(); i++) {
        Insn insn = code.get(i);
        int from =
            insn instanceof Insn.With with
                ? with.array()
                : insn instanceof Insn.Copy copy ? copy.source() : -1;
        if (names.get(Math.max(0, insn.target())) && insn.target() >= 0
            || from >= 0 && names.get(from)) {
          if (from < 0 && !(insn instanceof Insn.Filled)) {
            return null;
          }
          uses.add(i);
          names.set(insn.target());
          if (from >= 0) {
            names.set(from);
          }
        }
      }
    } while (names.cardinality() > before);
    BitSet written = new BitSet();
    uses.forEach(i -> written.set(code.get(i).target()));
    int sent = 0;
    for (int i = 0; i < code.size(); i++) {
      if (!uses.contains(i)) {
        int reads = (int) code.get(i).read().stream().filter(names::get).count();
        sent += reads;
        if (reads > 0 && i != at) {
          return null;
        }
      }
    }
    return sent == 1 && written.equals(names) ? uses : null;
  }

  /** Whether each round comes by an instruction of the body once, and none leaves the loop. */
  private boolean isOncePerRound(int instruction, CountedLoops.Loop loop) {
    Map<Integer, Integer> positions = Insn.Label.positions(code);
    for (int i = loop.guard() + 1; i < loop.jump(); i++) {
      if (code.get(i) instanceof Insn.Return || code.get(i) instanceof Insn.Emit) {
        return false;
      }
      for (int label : code.get(i).jumps()) {
        int to = positions.get(label);
        boolean stays = to > loop.guard() && to <= loop.step();
        boolean passes = Math.min(i, to) <= instruction && instruction < Math.max(i, to);
        if (!stays || passes) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Whether control that leaves a loop comes to an instruction, by no other way, and sends nothing
   * in between.
   */
  private boolean isOnlyWay(CountedLoops.Loop loop, int at) {
    if (loop.jump() >= at) {
      return false;
    }
    Map<Integer, Integer> positions = Insn.Label.positions(code);
    for (int i = 0; i < code.size(); i++) {
      boolean between = i > loop.jump() && i < at;
      if (between && (code.get(i) instanceof Insn.Emit || code.get(i) instanceof Insn.Return)) {
        return false;
      }
      for (int label : code.get(i).jumps()) {
        int to = positions.get(label);
        boolean leads = to > loop.jump() && to < at;
        if (leads != between && i != loop.guard() || between && to == loop.jump()) {
          return false;
        }
      }
    }
    int exit = positions.get(loop.exit());
    return exit > loop.jump() && exit < at;
  }

  // ---- unrolling ------------------------------------------------------------------------------

  /** A loop that delivers elements; null: there is none. */
  private CountedLoops.Loop delivering() {
    return new CountedLoops(code)
        .loops().stream()
            .filter(
                loop ->
                    code.subList(loop.guard(), loop.step()).stream()
                        .anyMatch(
                            insn ->
                                insn instanceof Insn.EmitElement e && e.index() == loop.variable()))
            .min(Comparator.comparingInt(CountedLoops.Loop::label))
            .orElse(null);
  }

  /** Whether something else than the index is set to what the index is in the next round. */
  private boolean readsNext(CountedLoops.Loop loop) {
    return code.subList(loop.step() + 1, loop.jump()).stream()
        .anyMatch(insn -> insn.read().contains(loop.variable()));
  }

  /** Puts rounds in the place of a loop. */
  private void unroll(CountedLoops.Loop loop) {
    List<Insn> rounds = new ArrayList<>(code.subList(0, loop.label()));
    SourcePosition where = code.get(loop.guard()).where();
    // Constants before the test.
    rounds.addAll(code.subList(loop.label() + 1, loop.guard()));
    for (int round = loop.from(); round < loop.limit(); round++) {
      int index = variable(Kind.INT);
      rounds.add(new Insn.Constant(index, round, where));
      Map<Integer, Integer> own = new HashMap<>();
      for (int i = loop.guard() + 1; i < loop.jump(); i++) {
        if (code.get(i) instanceof Insn.Label label) {
          own.put(label.label(), labels++);
        }
      }
      for (int i = loop.guard() + 1; i < loop.jump(); i++) {
        Insn insn = code.get(i);
        if (i == loop.step()) {
          continue;
        } else if (insn instanceof Insn.Label label) {
          rounds.add(new Insn.Label(own.get(label.label()), label.where()));
        } else {
          rounds.add(
              insn.reading(v -> v == loop.variable() ? index : v)
                  .jumping(label -> own.getOrDefault(label, label)));
        }
      }
    }
    int last = variable(Kind.INT);
    rounds.add(new Insn.Constant(last, loop.limit(), where));
    rounds.add(new Insn.Copy(loop.variable(), last, where));
    rounds.addAll(code.subList(loop.jump() + 1, code.size()));
    code = rounds;
  }
}
