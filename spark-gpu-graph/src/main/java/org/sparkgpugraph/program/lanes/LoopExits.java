package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;

/**
 * Puts what stands between the instructions of a loop, but leads to no further round, behind the
 * loop: a return, a fault. What is left of the loop goes there by branches.
 */
final class LoopExits {
  private final List<Insn> code;
  private final Map<Integer, Integer> labels;

  private LoopExits(List<Insn> code) {
    this.code = code;
    labels = Insn.Label.positions(code);
  }

  /** The code with such parts of a loop behind it; the same list: there are none. */
  static List<Insn> moved(List<Insn> code, CountedLoops.Loop loop) {
    return new LoopExits(code).moved(loop);
  }

  private List<Insn> moved(CountedLoops.Loop loop) {
    BitSet going = goingOn(loop);
    if (going.cardinality() == loop.jump() - loop.guard()) {
      return code;
    }
    int label = labels.keySet().stream().mapToInt(l -> l).max().orElse(-1);
    List<Insn> kept = new ArrayList<>(code.subList(0, loop.guard() + 1));
    List<Insn> moved = new ArrayList<>();
    for (int i = loop.guard() + 1; i <= loop.jump(); i++) {
      Insn insn = code.get(i);
      boolean leads = going.get(i);
      if (leads && insn instanceof Insn.Branch branch && !going.get(i + 1) && i < loop.jump()) {
        // What it falls into is moved: it goes there, and on where it would have jumped.
        label++;
        kept.add(
            new Insn.Branch(
                branch.condition().negate(), branch.left(), branch.right(), label, branch.where()));
        kept.add(new Insn.Jump(branch.label(), branch.where()));
        moved.add(new Insn.Label(label, branch.where()));
      } else {
        (leads ? kept : moved).add(insn);
      }
    }
    kept.addAll(moved);
    kept.addAll(code.subList(loop.jump() + 1, code.size()));
    return kept;
  }

  /** The instructions of a loop from which there is a way to its next round. */
  private BitSet goingOn(CountedLoops.Loop loop) {
    BitSet going = new BitSet();
    going.set(loop.jump());
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = loop.jump() - 1; i > loop.guard(); i--) {
        Insn insn = code.get(i);
        boolean on = !insn.leaves() && going.get(i + 1);
        for (int target : insn.jumps()) {
          int at = labels.get(target);
          on |= at > loop.guard() && at <= loop.jump() && going.get(at);
        }
        if (on && !going.get(i)) {
          going.set(i);
          changed = true;
        }
      }
    }
    return going;
  }
}
