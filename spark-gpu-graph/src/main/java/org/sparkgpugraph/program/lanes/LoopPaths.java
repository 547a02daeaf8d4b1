package org.sparkgpugraph.program.lanes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.expression.Expression;
import org.sparkgpugraph.program.expression.ExpressionPool;
import org.sparkgpugraph.program.expression.Operation;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;

/**
 * The ways through one round of a loop without inner ones, and what its variables are in the end,
 * as expressions over what they were when it began.
 */
final class LoopPaths {
  /** The role, of an input, of a number that the round before has left. */
  static final Role CARRIED = Role.MESSAGE;

  /** The role of all else that the round finds: arrays, too, of which it looks at one element. */
  private static final Role FOUND = Role.VALUE;

  private static final int MOST = 128;

  /**
   * One way.
   *
   * @param tests what must hold for control to go this way, in order
   * @param last the variables that it sets, as they are in the end
   * @param copies the instructions that copied a number on the way, and what
   * @param exit the label outside where it goes; −1: to the next round
   */
  record LoopPath(
      List<RoundTest> tests,
      Map<Integer, Expression> last,
      Map<Integer, Expression> copies,
      int exit) {

    /** Whether some round may go this way and another one the other way, as far as is known. */
    boolean excludes(LoopPath other, boolean tainted) {
      return tests.stream()
          .filter(test -> tainted || !test.isTainted())
          .anyMatch(test -> other.tests.contains(test.negate()));
    }
  }

  private final CountedLoops.Loop loop;
  private final List<Insn> code;
  private final List<Kind> kinds;
  private final BitSet carried;
  private final Map<Integer, Object> constants;
  private final ExpressionPool pool = ExpressionPool.commuting();
  private final List<LoopPath> paths = new ArrayList<>();

  private LoopPaths(CountedLoops.Loop loop, List<Insn> code, List<Kind> kinds, BitSet carried) {
    this.loop = loop;
    this.code = code;
    this.kinds = kinds;
    this.carried = carried;
    constants = constants(code);
  }

  /** The variables that are always one constant; Booleans as 0 or 1. */
  static Map<Integer, Object> constants(List<Insn> code) {
    Map<Integer, Object> constants = new HashMap<>();
    Set<Integer> others = new HashSet<>();
    for (Insn insn : code) {
      int target = insn.target();
      boolean isFirst = target >= 0 && others.add(target);
      if (isFirst && insn instanceof Insn.Constant constant) {
        Object value = constant.value();
        constants.put(target, value instanceof Boolean flag ? (Object) (flag ? 1 : 0) : value);
      } else {
        constants.remove(target);
      }
    }
    return constants;
  }

  /**
   * All ways.
   *
   * @param carried the numbers that rounds hand on
   * @throws ObstacleException when there are too many
   */
  static LoopPaths of(CountedLoops.Loop loop, List<Insn> code, List<Kind> kinds, BitSet carried)
      throws ObstacleException {
    LoopPaths all = new LoopPaths(loop, code, kinds, carried);
    all.follow();
    return all;
  }

  /** Those that lead to the next round. */
  List<LoopPath> rounds() {
    return paths.stream().filter(path -> path.exit() < 0).toList();
  }

  /** Those that end the loop. */
  List<LoopPath> exits() {
    return paths.stream().filter(path -> path.exit() >= 0).toList();
  }

  /** What a variable is when a round begins. */
  Expression before(int variable) {
    Object constant = constants.get(variable);
    if (constant != null) {
      return pool.constant(constant);
    }
    return pool.input(carried.get(variable) ? CARRIED : FOUND, variable, kinds.get(variable));
  }

  /** What a variable is when a round ends. */
  Expression after(LoopPath path, int variable) {
    Expression last = path.last().get(variable);
    return last == null ? before(variable) : last;
  }

  private static final class Walk {
    final Map<Integer, Expression> values = new HashMap<>();
    final Map<Integer, Expression> copies = new HashMap<>();
    final List<RoundTest> tests = new ArrayList<>();
    int at;

    Walk fork(int to) {
      Walk other = new Walk();
      other.values.putAll(values);
      other.copies.putAll(copies);
      other.tests.addAll(tests);
      other.at = to;
      return other;
    }

    LoopPath path(int exit) {
      return new LoopPath(tests, values, copies, exit);
    }
  }

  private void follow() throws ObstacleException {
    Map<Integer, Integer> labels = Insn.Label.positions(code);
    Deque<Walk> pending = new ArrayDeque<>();
    Walk first = new Walk();
    first.at = loop.guard() + 1;
    pending.push(first);
    while (!pending.isEmpty()) {
      Walk walk = pending.pop();
      while (walk != null) {
        if (walk.at == loop.jump()) {
          paths.add(walk.path(-1));
          break;
        }
        Insn insn = code.get(walk.at++);
        if (insn instanceof Insn.Jump jump) {
          walk = arrived(walk, jump.label(), labels);
        } else if (insn instanceof Insn.Branch branch) {
          walk = branched(walk, branch, labels, pending);
        } else if (!(insn instanceof Insn.Label)) {
          compute(walk, walk.at - 1, insn);
        }
        if (paths.size() + pending.size() > MOST) {
          throw new ObstacleException(
              "has more than " + MOST + " ways through a loop that hands numbers on",
              code.get(loop.guard()).where());
        }
      }
    }
  }

  /** Sends a walk to a label; null: that is outside, the walk is over. */
  private Walk arrived(Walk walk, int label, Map<Integer, Integer> labels) {
    int to = labels.get(label);
    if (to > loop.guard() && to <= loop.jump()) {
      walk.at = to;
      return walk;
    }
    paths.add(walk.path(label));
    return null;
  }

  private Walk branched(
      Walk walk, Insn.Branch branch, Map<Integer, Integer> labels, Deque<Walk> pending) {
    RoundTest test =
        RoundTest.of(branch.condition(), value(walk, branch.left()), value(walk, branch.right()));
    if (walk.tests.contains(test)) {
      return arrived(walk, branch.label(), labels);
    } else if (walk.tests.contains(test.negate())) {
      return walk;
    }
    Walk other = walk.fork(walk.at);
    other.tests.add(test.negate());
    pending.push(other);
    walk.tests.add(test);
    return arrived(walk, branch.label(), labels);
  }

  private Expression value(Walk walk, int variable) {
    Expression value = walk.values.get(variable);
    return value == null ? before(variable) : value;
  }

  private void compute(Walk walk, int at, Insn insn) {
    int target = insn.target();
    Expression result;
    if (insn instanceof Insn.Copy copy) {
      result = value(walk, copy.source());
      walk.copies.put(at, result);
    } else if (insn instanceof Insn.Constant constant) {
      Object value = constant.value();
      result = pool.constant(value instanceof Boolean flag ? (Object) (flag ? 1 : 0) : value);
    } else {
      Expression[] operands =
          insn.read().stream().map(v -> value(walk, v)).toArray(Expression[]::new);
      result = element(insn, operands);
      if (result == null) {
        result = pool.make(Operation.of(insn), kinds.get(target), operands);
      }
    }
    walk.values.put(target, result);
  }

  /** The element that has just been written; null: it is no such one. */
  private static Expression element(Insn insn, Expression... operands) {
    return insn instanceof Insn.Element
            && operands[0].operation() instanceof Operation.With
            && operands[0].operand(1) == operands[1]
        ? operands[0].operand(2)
        : null;
  }
}
