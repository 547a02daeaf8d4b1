package org.sparkgpugraph.program.ir;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;

/** Which variables are still read, at each place of code. */
public final class LiveVariables {
  private final List<Insn> code;
  private final Map<Integer, Integer> labels;
  private final BitSet[] before;

  /** Finds them. */
  public LiveVariables(List<Insn> code) {
    this.code = code;
    labels = Insn.Label.positions(code);
    before = new BitSet[code.size()];
    Arrays.setAll(before, i -> new BitSet());
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int i = code.size() - 1; i >= 0; i--) {
        BitSet now = after(i);
        if (code.get(i).target() >= 0) {
          now.clear(code.get(i).target());
        }
        code.get(i).read().forEach(now::set);
        if (!now.equals(before[i])) {
          before[i] = now;
          changed = true;
        }
      }
    }
  }

  /** Before an instruction; not to be changed. */
  public BitSet before(int instruction) {
    return before[instruction];
  }

  /** Behind an instruction, wherever it goes; a set of its own. */
  public BitSet after(int instruction) {
    BitSet after = new BitSet();
    Insn insn = code.get(instruction);
    insn.jumps().forEach(label -> after.or(before[labels.get(label)]));
    if (!insn.leaves() && instruction + 1 < code.size()) {
      after.or(before[instruction + 1]);
    }
    return after;
  }
}
