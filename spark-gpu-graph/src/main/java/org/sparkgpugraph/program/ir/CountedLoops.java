package org.sparkgpugraph.program.ir;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Loops that count from a constant to a constant by one, as {@code for (int i = 0; i < 16; i++)}
 * is, in the form that lifted code has: a label, constants, the only test whether it goes on, a
 * body, the next number, and the only jump back.
 */
public final class CountedLoops {
  /**
   * A loop, by the indexes of its instructions.
   *
   * @param label where it begins
   * @param guard the branch that leaves it
   * @param step the instruction that gives the variable its next value, behind the body
   * @param jump back to the label
   * @param variable that counts
   * @param from its first value
   * @param limit its value when the loop is left
   * @param exit the label where the code goes on then
   */
  public record Loop(
      int label, int guard, int step, int jump, int variable, int from, int limit, int exit) {
    /** Whether an instruction is in the body, where the variable is within its bounds. */
    public boolean hasInBody(int instruction) {
      return instruction > guard && instruction < step;
    }
  }

  private final List<Insn> code;
  private final Map<Integer, List<Integer>> writers = new HashMap<>();
  private final Map<Integer, Integer> labels;
  private final List<Loop> loops = new ArrayList<>();

  /** Finds the loops of code. */
  public CountedLoops(List<Insn> code) {
    this.code = code;
    labels = Insn.Label.positions(code);
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i).target() >= 0) {
        writers.computeIfAbsent(code.get(i).target(), v -> new ArrayList<>()).add(i);
      }
    }
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Insn.Jump jump && labels.get(jump.label()) < i) {
        Loop loop = loop(labels.get(jump.label()), i);
        if (loop != null) {
          loops.add(loop);
        }
      }
    }
  }

  /** The loops, in the order of their ends: inner ones before those around them. */
  public List<Loop> loops() {
    return loops;
  }

  private Loop loop(int label, int jump) {
    int guard = label + 1;
    while (code.get(guard) instanceof Insn.Constant) {
      guard++;
    }
    if (!(code.get(guard) instanceof Insn.Branch branch)
        || branch.condition().ofIntegers() != Condition.GE
        || !(constant(branch.right()) instanceof Integer limit)
        || inside(labels.get(branch.label()), label, jump)) {
      return null;
    }
    int variable = branch.left();
    List<Integer> writes = writers.getOrDefault(variable, List.of());
    if (writes.size() != 2 || !isOnlyWay(label, jump)) {
      return null;
    }
    int first = writes.get(inside(writes.get(0), label, jump) ? 1 : 0);
    int step = writes.get(inside(writes.get(0), label, jump) ? 0 : 1);
    boolean counts =
        inside(step, guard, jump)
            && code.get(step) instanceof Insn.Copy next
            && isNext(next.source(), variable)
            && areCopies(step, jump);
    return counts
            && !inside(first, label, jump)
            && code.get(first) instanceof Insn.Copy start
            && constant(start.source()) instanceof Integer from
            && from >= 0
        ? new Loop(label, guard, step, jump, variable, from, limit, branch.label())
        : null;
  }

  private static boolean inside(int instruction, int from, int to) {
    return instruction > from && instruction < to;
  }

  private boolean isOnlyWay(int label, int jump) {
    return isOnlyWay(code, labels, label, jump);
  }

  /**
   * Whether control comes to a loop's instructions by its label, and to that by one jump back.
   *
   * @param labels where labels are in the code
   * @param label the label's instruction
   * @param jump the jump's
   */
  public static boolean isOnlyWay(
      List<Insn> code, Map<Integer, Integer> labels, int label, int jump) {
    int begin = ((Insn.Label) code.get(label)).label();
    for (int i = 0; i < code.size(); i++) {
      for (int target : code.get(i).jumps()) {
        int at = labels.get(target);
        boolean isBack = target == begin && i != jump && i > label;
        boolean isInto = inside(at, label, jump) && !inside(i, label, jump);
        if (isBack || isInto) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isNext(int variable, int counter) {
    List<Integer> writes = writers.get(variable);
    return writes.size() == 1
        && code.get(writes.get(0)) instanceof Insn.Binary sum
        && sum.op() == BinaryOp.ADD
        && (sum.left() == counter && Integer.valueOf(1).equals(constant(sum.right()))
            || sum.right() == counter && Integer.valueOf(1).equals(constant(sum.left())));
  }

  /** Whether nothing but the values of the next round is set between these. */
  private boolean areCopies(int step, int jump) {
    return code.subList(step, jump).stream().allMatch(insn -> insn instanceof Insn.Copy);
  }

  /** The value of a variable that is only ever one; null: it is not known. */
  private Object constant(int variable) {
    Set<Object> values = new TreeSet<>();
    for (int at : writers.getOrDefault(variable, List.of())) {
      if (!(code.get(at) instanceof Insn.Constant constant)
          || !(constant.value() instanceof Integer)) {
        return null;
      }
      values.add(constant.value());
    }
    return values.size() == 1 ? values.iterator().next() : null;
  }

  /**
   * The code without the tests that the variable of a loop passes in its body, whatever happens:
   * those of indexes of arrays, most of the time.
   */
  public List<Insn> withoutPassedTests() {
    List<Insn> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      if (!(code.get(i) instanceof Insn.Branch branch) || !isNeverTaken(branch, i)) {
        kept.add(code.get(i));
      }
    }
    return kept.size() == code.size() ? code : CodeCleaner.clean(kept);
  }

  private boolean isNeverTaken(Insn.Branch branch, int at) {
    if (!(constant(branch.right()) instanceof Integer bound)) {
      return false;
    }
    for (Loop loop : loops) {
      if (branch.left() == loop.variable() && loop.hasInBody(at)) {
        Condition condition = branch.condition().ofIntegers();
        return condition == Condition.LT && bound <= loop.from()
            || condition == Condition.GE && bound >= loop.limit();
      }
    }
    return false;
  }
}
