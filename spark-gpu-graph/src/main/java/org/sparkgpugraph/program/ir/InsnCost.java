package org.sparkgpugraph.program.ir;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What instructions cost, by a static estimate: what is expensive is a division, a mathematical
 * function or a read of a table, which takes about as long as {@value #EXPENSIVE} others.
 */
public final class InsnCost {
  /** Instructions of a GPU in the place of an expensive one. */
  public static final int EXPENSIVE = 16;

  private final List<Kind> kinds;

  /** The variables to which nothing but constants is assigned. */
  private final Set<Integer> constants = new HashSet<>();

  /** Of the code of a function. */
  public InsnCost(List<Param> parameters, List<Kind> kinds, List<Insn> code) {
    this.kinds = kinds;
    Set<Integer> others = new HashSet<>();
    parameters.forEach(p -> others.add(p.variable()));
    for (Insn insn : code) {
      (insn instanceof Insn.Constant ? constants : others).add(insn.target());
    }
    constants.removeAll(others);
  }

  /** A compiler turns the division of integers by a constant into a multiplication. */
  public boolean isExpensive(Insn insn) {
    if (insn instanceof Insn.Call call) {
      return switch (call.function()) {
        case SQRT, FLOOR_DIV, FLOOR_MOD -> true;
        default -> call.function().isReal() && !call.function().isExact();
      };
    }
    return insn instanceof Insn.Load
        || insn instanceof Insn.Binary binary
            && (binary.op() == BinaryOp.DIVIDE || binary.op() == BinaryOp.REMAINDER)
            && !(kinds.get(binary.right()).isIntegral() && constants.contains(binary.right()));
  }

  /** How many instructions of a GPU stand for one: 0 for what is none there. */
  public int of(Insn insn) {
    if (insn instanceof Insn.Label || insn instanceof Insn.Constant || insn instanceof Insn.Copy) {
      return 0;
    }
    return isExpensive(insn) ? EXPENSIVE : 1;
  }
}
