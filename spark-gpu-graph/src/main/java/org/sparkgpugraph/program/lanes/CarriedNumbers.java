package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Intrinsic;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.SourcePosition;
import org.sparkgpugraph.program.ir.UnaryOp;
import org.sparkgpugraph.program.lanes.LoopPaths.LoopPath;
import org.sparkgpugraph.program.lanes.Reduction.Operator;

/**
 * Recognises what the rounds of a loop hand on as {@link Reduction}s, whatever the code looks like:
 * all ways through a round are followed, and what is claimed of a number holds on all of them.
 */
final class CarriedNumbers {
  private final CountedLoops.Loop loop;
  private final List<Insn> code;
  private final List<Kind> kinds;
  private final LoopPaths paths;
  private final List<LoopPath> rounds;
  private final List<Reduction> found = new ArrayList<>();

  private CarriedNumbers(
      CountedLoops.Loop loop, List<Insn> code, List<Kind> kinds, LoopPaths paths) {
    this.loop = loop;
    this.code = code;
    this.kinds = kinds;
    this.paths = paths;
    rounds = paths.rounds();
  }

  /**
   * The reductions of a loop.
   *
   * @param numbers variables that rounds hand on
   * @param arrays variables of arrays that they hand on
   * @throws ObstacleException when one of them is none, or more depends on it than itself
   */
  static List<Reduction> of(
      CountedLoops.Loop loop, List<Insn> code, List<Kind> kinds, BitSet numbers, BitSet arrays)
      throws ObstacleException {
    LoopPaths paths = LoopPaths.of(loop, code, kinds, numbers);
    CarriedNumbers all = new CarriedNumbers(loop, code, kinds, paths);
    for (LoopPath exit : paths.exits()) {
      if (exit.tests().stream().anyMatch(RoundTest::isTainted)) {
        throw new ObstacleException(
            "ends a loop by what the rounds before have left", all.whereGuarded());
      }
    }
    for (int array : arrays.stream().toArray()) {
      all.checkArray(array);
    }
    List<Integer> others = new ArrayList<>();
    for (int variable : numbers.stream().toArray()) {
      if (!all.isFold(variable) && !all.isFlag(variable)) {
        others.add(variable);
      }
    }
    all.selections(others);
    return all.found;
  }

  private SourcePosition whereGuarded() {
    return code.get(loop.guard()).where();
  }

  /** Where a number gets its next value. */
  private SourcePosition where(int variable) {
    Expression before = paths.before(variable);
    return rounds.stream()
        .map(path -> paths.after(path, variable))
        .filter(last -> last != before && !last.where().equals(SourcePosition.NONE))
        .map(Expression::where)
        .findFirst()
        .orElse(whereGuarded());
  }

  /** Whether a variable is the same on all ways that go by what rounds hand on. */
  private boolean isDecidedByElements(int variable) {
    for (LoopPath one : rounds) {
      for (LoopPath other : rounds) {
        if (paths.after(one, variable) != paths.after(other, variable)
            && !one.excludes(other, false)) {
          return false;
        }
      }
    }
    return true;
  }

  private void checkArray(int variable) throws ObstacleException {
    boolean free =
        rounds.stream().noneMatch(path -> paths.after(path, variable).reads(LoopPaths.CARRIED));
    if (!free || !isDecidedByElements(variable)) {
      throw new ObstacleException(
          "sets an element by what the elements before it have left", where(variable));
    }
  }

  // ---- terms that are joined ------------------------------------------------------------------

  /** What a number becomes of itself. */
  private record Chain(Operator operator, boolean converts) {
    static final Chain SELF = new Chain(null, false);

    /** Null: these are no one chain. */
    Chain with(Operator next) {
      return operator == null || operator == next ? new Chain(next, converts) : null;
    }
  }

  private boolean isFold(int variable) {
    Expression before = paths.before(variable);
    Operator operator = null;
    boolean converts = false;
    for (LoopPath path : rounds) {
      Chain chain = chain(paths.after(path, variable), before);
      if (chain == null
          || chain.operator() != null && operator != null && chain.operator() != operator) {
        return false;
      }
      operator = chain.operator() == null ? operator : chain.operator();
      converts |= chain.converts();
    }
    Kind kind = kinds.get(variable);
    boolean orders =
        operator == Operator.MIN || operator == Operator.MAX || operator == Operator.LEAST;
    // A long that is cut to an int keeps sums and bits, but not which one is the smaller.
    if (operator == null || converts && orders && kind.isIntegral()) {
      return false;
    }
    if (!isDecidedByElements(variable)) {
      return false;
    }
    found.add(new Reduction.Fold(variable, operator));
    return true;
  }

  /** What a value is of a number: itself, or joined with terms that do not depend on any. */
  private static Chain chain(Expression value, Expression number) {
    Expression at = value;
    Chain chain = Chain.SELF;
    while (at != number) {
      if (at.operation() instanceof Operation.Unary unary && unary.op() == UnaryOp.CONVERT) {
        if (at.kind().isIntegral() != at.operand(0).kind().isIntegral()) {
          return null;
        }
        chain = new Chain(chain.operator(), true);
        at = at.operand(0);
        continue;
      }
      Operator operator = operator(at);
      chain = operator == null ? null : chain.with(operator);
      if (chain == null) {
        return null;
      }
      boolean left = at.operand(0).reads(LoopPaths.CARRIED);
      boolean right = at.operand(1).reads(LoopPaths.CARRIED);
      if (left == right || right && at.is(BinaryOp.SUBTRACT)) {
        return null;
      }
      at = at.operand(left ? 0 : 1);
    }
    return chain;
  }

  private static Operator operator(Expression value) {
    if (value.operation() instanceof Operation.Binary binary) {
      return switch (binary.op()) {
        case ADD, SUBTRACT -> Operator.SUM;
        case MULTIPLY -> Operator.PRODUCT;
        case AND -> Operator.AND;
        case OR -> Operator.OR;
        case XOR -> Operator.XOR;
        default -> null;
      };
    }
    return value.is(Intrinsic.MIN)
        ? Operator.MIN
        : value.is(Intrinsic.MAX)
            ? Operator.MAX
            : value.is(Intrinsic.LEAST) ? Operator.LEAST : null;
  }

  // ---- flags ----------------------------------------------------------------------------------

  /**
   * Whether a number is a constant when a loop begins, and another one from some round on: by
   * whichever elements, and whether or not the code asks first which one it is.
   */
  private boolean isFlag(int variable) {
    Expression before = paths.before(variable);
    Object first = first(variable);
    Set<Object> values = new HashSet<>();
    for (LoopPath path : rounds) {
      Expression after = paths.after(path, variable);
      if (after != before) {
        values.add(after.constant());
      }
    }
    values.remove(first);
    if (!(first instanceof Integer was)
        || values.size() != 1
        || !(values.iterator().next() instanceof Integer is)) {
      return false;
    }
    for (LoopPath path : rounds) {
      Expression after = paths.after(path, variable);
      boolean stays =
          path.tests().stream().allMatch(test -> !test.isTainted() || holds(test, before, is));
      if (stays && after != before && !is.equals(after.constant())) {
        return false;
      }
      boolean known =
          path.tests().stream()
              .allMatch(test -> !reads(test, before) || asksFor(test, before) != null);
      if (!known) {
        return false;
      }
    }
    // Which way a round goes must be decided by elements while the number is what it was.
    for (LoopPath one : rounds) {
      for (LoopPath other : rounds) {
        if (isPossible(one, before, was)
            && isPossible(other, before, was)
            && becomes(one, variable, was) != becomes(other, variable, was)
            && !one.excludes(other, false)) {
          return false;
        }
      }
    }
    found.add(new Reduction.Flag(variable, is));
    return true;
  }

  private int becomes(LoopPath path, int variable, int was) {
    Expression after = paths.after(path, variable);
    return after == paths.before(variable) ? was : (Integer) after.constant();
  }

  private static boolean isPossible(LoopPath path, Expression number, int value) {
    return path.tests().stream().allMatch(test -> !test.isTainted() || holds(test, number, value));
  }

  /** The constant that a test compares a number with; null: it does something else. */
  private static Integer asksFor(RoundTest test, Expression number) {
    Expression other =
        test.left() == number ? test.right() : test.right() == number ? test.left() : null;
    return other != null && other.constant() instanceof Integer constant ? constant : null;
  }

  private static boolean holds(RoundTest test, Expression number, int value) {
    Integer asked = asksFor(test, number);
    if (asked == null) {
      return true;
    }
    Condition condition = test.condition();
    return test.left() == number
        ? condition.holds(Integer.compare(value, asked))
        : condition.holds(Integer.compare(asked, value));
  }

  /** The constant that a variable is when the loop begins; null: it is not known. */
  private Object first(int variable) {
    for (int i = loop.label() - 1; i >= 0 && !isBorder(code.get(i)); i--) {
      if (code.get(i).target() == variable) {
        return LoopPaths.constants(code)
            .get(code.get(i) instanceof Insn.Copy copy ? copy.source() : variable);
      }
    }
    return null;
  }

  private static boolean isBorder(Insn insn) {
    return insn instanceof Insn.Label || !insn.jumps().isEmpty() || insn.leaves();
  }

  // ---- numbers that are set together ----------------------------------------------------------

  private void selections(List<Integer> variables) throws ObstacleException {
    Map<Set<Integer>, List<Integer>> groups = new LinkedHashMap<>();
    for (int variable : variables) {
      Set<Integer> taking = new TreeSet<>();
      for (int p = 0; p < rounds.size(); p++) {
        Expression after = paths.after(rounds.get(p), variable);
        if (after != paths.before(variable)) {
          taking.add(p);
          if (after.reads(LoopPaths.CARRIED)) {
            throw new ObstacleException(
                "hands a number from element to element that is no sum, product, minimum,"
                    + " maximum or choice",
                where(variable));
          }
        }
      }
      groups.computeIfAbsent(taking, t -> new ArrayList<>()).add(variable);
    }
    for (Map.Entry<Set<Integer>, List<Integer>> group : groups.entrySet()) {
      if (!group.getKey().isEmpty()) {
        found.add(selection(group.getValue(), group.getKey()));
      }
    }
  }

  private Reduction selection(List<Integer> variables, Set<Integer> taking)
      throws ObstacleException {
    int key = key(variables, taking);
    int replaces = Reduction.Order.ALL;
    if (key >= 0) {
      replaces = 0;
      for (int p : taking) {
        replaces |= orders(rounds.get(p), key);
      }
    }
    for (int p : taking) {
      for (int q = 0; q < rounds.size(); q++) {
        boolean conflicts =
            !taking.contains(q)
                && !rounds.get(p).excludes(rounds.get(q), false)
                && (key < 0 || (orders(rounds.get(q), key) & replaces) != 0);
        if (conflicts) {
          throw chosenByMore(variables);
        }
      }
    }
    if (key >= 0 && !isOrder(replaces)) {
      throw chosenByMore(variables);
    }
    for (int variable : variables) {
      // On ways that differ in nothing but how they ask for the key the same is taken.
      for (int p : taking) {
        for (int q : taking) {
          if (paths.after(rounds.get(p), variable) != paths.after(rounds.get(q), variable)
              && !rounds.get(p).excludes(rounds.get(q), false)) {
            throw chosenByMore(variables);
          }
        }
      }
    }
    int first = key >= 0 ? key : variables.get(0);
    List<Integer> ordered = new ArrayList<>(List.of(first));
    variables.stream().filter(v -> v != first).forEach(ordered::add);
    return new Reduction.Selection(ordered, key, replaces, sets(first, taking));
  }

  private ObstacleException chosenByMore(List<Integer> variables) {
    return new ObstacleException(
        "chooses an element by more than an order of two numbers", where(variables.get(0)));
  }

  /** Whether a rule puts numbers into an order, NaN somewhere in it, or nowhere. */
  private static boolean isOrder(int replaces) {
    boolean less = (replaces & Reduction.Order.LESS.bit()) != 0;
    boolean greater = (replaces & Reduction.Order.GREATER.bit()) != 0;
    boolean newIsNan = (replaces & Reduction.Order.NEW_IS_NAN.bit()) != 0;
    boolean oldIsNan = (replaces & Reduction.Order.OLD_IS_NAN.bit()) != 0;
    return less != greater && !(newIsNan && oldIsNan);
  }

  /** The number of a group that is compared with what it may be set to; −1: none is. */
  private int key(List<Integer> variables, Set<Integer> taking) throws ObstacleException {
    int key = -1;
    for (int p = 0; p < rounds.size(); p++) {
      LoopPath path = rounds.get(p);
      for (int variable : variables) {
        Expression before = paths.before(variable);
        if (path.tests().stream().noneMatch(test -> reads(test, before))) {
          continue;
        }
        Expression fresh = freshKey(path, before);
        boolean isOnly = key < 0 || key == variable;
        boolean decides =
            fresh != null
                && path.tests().stream()
                    .allMatch(test -> !reads(test, before) || test.isBetween(fresh, before));
        boolean isTaken = !taking.contains(p) || paths.after(path, variable) == fresh;
        if (!isOnly || !decides || !isTaken) {
          throw chosenByMore(variables);
        }
        key = variable;
      }
    }
    return key;
  }

  private static boolean reads(RoundTest test, Expression input) {
    return test.left().parts().contains(input) || test.right().parts().contains(input);
  }

  /** What a number is compared with on a way; null: nothing that elements make. */
  private static Expression freshKey(LoopPath path, Expression number) {
    for (RoundTest test : path.tests()) {
      Expression other =
          test.left() == number ? test.right() : test.right() == number ? test.left() : null;
      if (other != null && !other.reads(LoopPaths.CARRIED)) {
        return other;
      }
    }
    return null;
  }

  /** The orders of the new and the old key in which a round may go a way. */
  private int orders(LoopPath path, int key) {
    Expression before = paths.before(key);
    Expression fresh = freshKey(path, before);
    int orders = before.kind().isIntegral() ? Reduction.Order.INTEGERS : Reduction.Order.ALL;
    for (RoundTest test : path.tests()) {
      if (fresh != null && test.isBetween(fresh, before)) {
        orders &= test.orders(fresh, before);
      }
    }
    return orders;
  }

  /** The copies by which a number is set, on those ways and no others. */
  private Set<Integer> sets(int variable, Set<Integer> taking) throws ObstacleException {
    Expression before = paths.before(variable);
    Set<Integer> holders = new HashSet<>(Set.of(variable));
    Set<Integer> sets = new HashSet<>();
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = loop.guard() + 1; i < loop.jump(); i++) {
        if (code.get(i) instanceof Insn.Copy copy && holders.contains(copy.target())) {
          changed |= mayHold(copy.source(), before) && holders.add(copy.source());
        }
      }
    }
    for (int i = loop.guard() + 1; i < loop.jump(); i++) {
      if (code.get(i) instanceof Insn.Copy copy
          && holders.contains(copy.target())
          && !holders.contains(copy.source())) {
        sets.add(i);
      }
    }
    for (int p = 0; p < rounds.size(); p++) {
      if (rounds.get(p).copies().keySet().stream().anyMatch(sets::contains) != taking.contains(p)) {
        throw new ObstacleException("chooses an element in an unknown way", where(variable));
      }
    }
    return sets;
  }

  /** Whether a variable is set in the loop, by copies alone, one of which keeps a number. */
  private boolean mayHold(int variable, Expression number) {
    List<Integer> writers = new ArrayList<>();
    for (int i = loop.guard() + 1; i < loop.jump(); i++) {
      if (code.get(i).target() == variable) {
        writers.add(i);
      }
    }
    return !writers.isEmpty()
        && writers.stream().allMatch(i -> code.get(i) instanceof Insn.Copy)
        && rounds.stream()
            .map(LoopPath::copies)
            .anyMatch(
                copies ->
                    writers.stream()
                        .map(copies::get)
                        .filter(Objects::nonNull)
                        .anyMatch(value -> value == number));
  }
}
