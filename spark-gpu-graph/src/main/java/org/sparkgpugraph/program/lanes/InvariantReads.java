package org.sparkgpugraph.program.lanes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;

/**
 * Puts elements that are the same in all rounds of a loop, and constants, before it: {@code b[0]},
 * whose lane tells all others once. Where the index may be none of the array, nobody reads what
 * comes of it, since the test of the index stays where it was.
 */
final class InvariantReads {
  private InvariantReads() {}

  /** The code with these before the loop; the same list: there are none. */
  static List<Insn> moved(List<Insn> code, CountedLoops.Loop loop) {
    Map<Integer, Integer> writers = new HashMap<>();
    code.stream()
        .filter(insn -> insn.target() >= 0)
        .forEach(insn -> writers.merge(insn.target(), 1, Integer::sum));
    Set<Integer> set = new HashSet<>();
    for (int i = loop.label(); i <= loop.jump(); i++) {
      set.add(code.get(i).target());
    }
    List<Insn> before = new ArrayList<>();
    List<Insn> left = new ArrayList<>();
    for (int i = loop.label(); i <= loop.jump(); i++) {
      Insn insn = code.get(i);
      boolean isRead = insn instanceof Insn.Element || insn instanceof Insn.Constant;
      if (isRead
          && i != loop.guard()
          && writers.get(insn.target()) == 1
          && insn.read().stream().noneMatch(set::contains)) {
        before.add(insn);
        set.remove(insn.target());
      } else {
        left.add(insn);
      }
    }
    if (before.isEmpty()) {
      return code;
    }
    List<Insn> moved = new ArrayList<>(code.subList(0, loop.label()));
    moved.addAll(before);
    moved.addAll(left);
    moved.addAll(code.subList(loop.jump() + 1, code.size()));
    return moved;
  }
}
