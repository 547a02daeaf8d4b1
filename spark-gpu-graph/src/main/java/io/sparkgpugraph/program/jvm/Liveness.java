package io.sparkgpugraph.program.jvm;

import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.IrFunction;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;

/** Which variables may be read before they are written: backward data flow over the code. */
final class Liveness {
  private Liveness() {}

  /** The variables that are live at the entry (parameters, as a rule). */
  static BitSet liveAtEntry(IrFunction function) {
    List<Insn> code = function.code();
    int[] labelAt = new int[function.labels()];
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Insn.Label label) {
        labelAt[label.label()] = i;
      }
    }
    List<List<Integer>> predecessors = new ArrayList<>();
    for (int i = 0; i <= code.size(); i++) {
      predecessors.add(new ArrayList<>());
    }
    for (int i = 0; i < code.size(); i++) {
      Insn insn = code.get(i);
      if (insn instanceof Insn.Jump jump) {
        predecessors.get(labelAt[jump.label()]).add(i);
      } else if (!(insn instanceof Insn.Return) && !(insn instanceof Insn.Fail)) {
        if (insn instanceof Insn.Branch branch) {
          predecessors.get(labelAt[branch.label()]).add(i);
        }
        predecessors.get(i + 1).add(i);
      }
    }
    BitSet[] liveBefore = new BitSet[code.size() + 1];
    for (int i = 0; i <= code.size(); i++) {
      liveBefore[i] = new BitSet();
    }
    Deque<Integer> work = new ArrayDeque<>();
    for (int i = 0; i < code.size(); i++) {
      work.push(i);
    }
    BitSet[] liveAfter = new BitSet[code.size()];
    for (int i = 0; i < code.size(); i++) {
      liveAfter[i] = new BitSet();
    }
    while (!work.isEmpty()) {
      int i = work.pop();
      BitSet live = (BitSet) liveAfter[i].clone();
      int written = code.get(i).written();
      if (written >= 0) {
        live.clear(written);
      }
      code.get(i).read().forEach(live::set);
      if (!live.equals(liveBefore[i])) {
        liveBefore[i] = live;
        for (int p : predecessors.get(i)) {
          liveAfter[p].or(live);
          work.push(p);
        }
      }
    }
    return liveBefore[0];
  }
}
