package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.Insn;

/** Where control goes in code, instruction by instruction. */
final class CodeFlow {
  private final List<Insn> code;
  private final Map<Integer, Integer> labels;
  private final List<List<Integer>> before = new ArrayList<>();

  CodeFlow(List<Insn> code) {
    this.code = code;
    labels = Insn.Label.positions(code);
    code.forEach(insn -> before.add(new ArrayList<>()));
    for (int i = 0; i < code.size(); i++) {
      for (int next : next(i)) {
        before.get(next).add(i);
      }
    }
  }

  /** Where a label is. */
  int at(int label) {
    return labels.get(label);
  }

  /** A number above those of all labels. */
  int labels() {
    return labels.keySet().stream().mapToInt(l -> l + 1).max().orElse(0);
  }

  /** Where control may go from an instruction: to labels first, then on. */
  List<Integer> next(int at) {
    List<Integer> next = new ArrayList<>();
    code.get(at).jumps().forEach(label -> next.add(labels.get(label)));
    if (!code.get(at).leaves()) {
      next.add(at + 1);
    }
    return next;
  }

  /** What control may come to from an instruction, and itself; without entering another one. */
  BitSet reached(int from, int without) {
    BitSet found = new BitSet();
    List<Integer> pending = new ArrayList<>(List.of(from));
    while (!pending.isEmpty()) {
      int at = pending.remove(pending.size() - 1);
      if (!found.get(at) && at != without) {
        found.set(at);
        pending.addAll(next(at));
      }
    }
    return found;
  }

  /** The instructions from which control may come to one, and itself. */
  BitSet leadingTo(int to) {
    BitSet found = new BitSet();
    List<Integer> pending = new ArrayList<>(List.of(to));
    while (!pending.isEmpty()) {
      int at = pending.remove(pending.size() - 1);
      if (!found.get(at)) {
        found.set(at);
        pending.addAll(before.get(at));
      }
    }
    return found;
  }

  /** The constants and the fault that control comes to; null: to something else. */
  List<Insn> failure(int from) {
    List<Insn> insns = new ArrayList<>();
    for (int i = from; i < code.size(); i++) {
      Insn insn = code.get(i);
      if (insn instanceof Insn.Fail) {
        insns.add(insn);
        return insns;
      } else if (insn instanceof Insn.Constant) {
        insns.add(insn);
      } else if (!(insn instanceof Insn.Label)) {
        return null;
      }
    }
    return null;
  }
}
