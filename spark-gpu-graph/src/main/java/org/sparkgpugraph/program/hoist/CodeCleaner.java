package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.UnreadCode;

/** Removes what has no effect: values that are not read, and branches around nothing. */
final class CodeCleaner {
  private List<Insn> code;

  private CodeCleaner(List<Insn> code) {
    this.code = new ArrayList<>(code);
  }

  static List<Insn> clean(List<Insn> code) {
    CodeCleaner cleaner = new CodeCleaner(code);
    int size;
    do {
      size = cleaner.code.size();
      cleaner.code = UnreadCode.removed(cleaner.code);
      cleaner.removeBranches();
      cleaner.removeUnreachable();
    } while (cleaner.code.size() < size);
    return cleaner.code;
  }

  /** Removes jumps and branches that lead to where control goes anyway. */
  private void removeBranches() {
    Map<Integer, Integer> labels = labels();
    List<Insn> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      Insn insn = code.get(i);
      int target =
          insn instanceof Insn.Branch branch
              ? labels.get(branch.label())
              : insn instanceof Insn.Jump jump ? labels.get(jump.label()) : -1;
      boolean forward = target > i;
      if (!forward || arrival(target, labels) != arrival(i + 1, labels)) {
        kept.add(insn);
      }
    }
    code = kept;
  }

  /** The first instruction from here on that does more than to go elsewhere, ahead. */
  private int arrival(int from, Map<Integer, Integer> labels) {
    int at = from;
    while (true) {
      if (code.get(at) instanceof Insn.Label) {
        at++;
      } else if (code.get(at) instanceof Insn.Jump jump && labels.get(jump.label()) > at) {
        at = labels.get(jump.label());
      } else {
        return at;
      }
    }
  }

  private void removeUnreachable() {
    Set<Integer> targets = new HashSet<>();
    code.forEach(insn -> targets.addAll(insn.jumps()));
    List<Insn> kept = new ArrayList<>();
    boolean reachable = true;
    for (Insn insn : code) {
      if (insn instanceof Insn.Label label) {
        if (!targets.contains(label.label())) {
          continue;
        }
        reachable = true;
      }
      if (reachable) {
        kept.add(insn);
      }
      if (insn.leaves()) {
        reachable = false;
      }
    }
    code = kept;
  }

  private Map<Integer, Integer> labels() {
    Map<Integer, Integer> labels = new HashMap<>();
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Insn.Label label) {
        labels.put(label.label(), i);
      }
    }
    return labels;
  }
}
