package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Condition;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.Kind;

/**
 * Loops that count by one from one number to another, of which at least one is not a constant:
 * {@code for (int i = 0; i < edge.srcAttr().count(); i++)}. They have the form of {@link
 * CountedLoops}, but for the bounds, and stand in no other loop.
 */
final class TaskLoops {
  private final List<Insn> code;
  private final List<Kind> kinds;
  private final Map<Integer, Integer> labels;
  private final Map<Integer, Object> constants;
  private final List<CountedLoops.Loop> loops = new ArrayList<>();

  private TaskLoops(List<Insn> code, List<Kind> kinds) {
    this.code = code;
    this.kinds = kinds;
    labels = Insn.Label.positions(code);
    constants = LoopPaths.constants(code);
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Insn.Jump jump && labels.get(jump.label()) < i) {
        CountedLoops.Loop loop = loop(labels.get(jump.label()), i);
        if (loop != null && isOutermost(loop)) {
          loops.add(loop);
        }
      }
    }
  }

  /** The loops, in the order of the code; nothing is known of their bounds, which are 0. */
  static List<CountedLoops.Loop> of(List<Insn> code, List<Kind> kinds) {
    return new TaskLoops(code, kinds).loops;
  }

  private CountedLoops.Loop loop(int label, int jump) {
    int guard = label + 1;
    while (code.get(guard) instanceof Insn.Constant) {
      guard++;
    }
    if (!(code.get(guard) instanceof Insn.Branch branch)
        || branch.condition().ofIntegers() != Condition.GE
        || kinds.get(branch.left()) != Kind.INT
        || isInside(labels.get(branch.label()), label, jump)
        || !CountedLoops.isOnlyWay(code, labels, label, jump)) {
      return null;
    }
    int step = step(branch.left(), guard, jump);
    boolean limited =
        step >= 0
            && writes(branch.right(), guard, jump).isEmpty()
            && !(constants.containsKey(branch.right()) && beginsWithConstant(branch.left(), label));
    return limited
        ? new CountedLoops.Loop(label, guard, step, jump, branch.left(), 0, 0, branch.label())
        : null;
  }

  private static boolean isInside(int instruction, int from, int to) {
    return instruction > from && instruction < to;
  }

  private List<Integer> writes(int variable, int from, int to) {
    List<Integer> writes = new ArrayList<>();
    for (int i = from + 1; i < to; i++) {
      if (code.get(i).target() == variable) {
        writes.add(i);
      }
    }
    return writes;
  }

  /**
   * The only instruction of a round that sets what counts, to the next number; −1: there is none.
   */
  private int step(int variable, int guard, int jump) {
    List<Integer> writes = writes(variable, guard, jump);
    boolean counts =
        writes.size() == 1
            && code.get(writes.get(0)) instanceof Insn.Copy next
            && isNext(next.source(), variable)
            && code.subList(writes.get(0), jump).stream().allMatch(i -> i instanceof Insn.Copy);
    return counts ? writes.get(0) : -1;
  }

  private boolean isNext(int variable, int counter) {
    List<Integer> writes = writes(variable, -1, code.size());
    return writes.size() == 1
        && code.get(writes.get(0)) instanceof Insn.Binary sum
        && sum.op() == BinaryOp.ADD
        && (sum.left() == counter && isOne(sum.right())
            || sum.right() == counter && isOne(sum.left()));
  }

  private boolean isOne(int variable) {
    return Integer.valueOf(1).equals(constants.get(variable));
  }

  /** Whether what counts is a constant at first. */
  private boolean beginsWithConstant(int variable, int label) {
    return writes(variable, -1, label).stream()
        .allMatch(
            at -> code.get(at) instanceof Insn.Copy first && constants.containsKey(first.source()));
  }

  private boolean isOutermost(CountedLoops.Loop loop) {
    for (int i = loop.jump() + 1; i < code.size(); i++) {
      if (code.get(i).jumps().stream().anyMatch(label -> labels.get(label) <= loop.label())) {
        return false;
      }
    }
    return true;
  }
}
