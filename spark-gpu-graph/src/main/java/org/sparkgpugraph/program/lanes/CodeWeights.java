package org.sparkgpugraph.program.lanes;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.CountedLoops;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.InsnCost;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Param;

/** What the instructions of code cost altogether, by how often loops repeat them. */
final class CodeWeights {
  /** More rounds of all loops around an instruction do not count. */
  private static final long MOST_ROUNDS = 1 << 20;

  private final List<Insn> code;
  private final InsnCost cost;

  CodeWeights(List<Param> parameters, List<Kind> kinds, List<Insn> code) {
    this.code = code;
    cost = new InsnCost(parameters, kinds, code);
  }

  /**
   * The cost of each instruction, times the rounds of loops around it.
   *
   * @param unknown rounds of a loop that does not count from a constant to a constant
   */
  long[] weights(int unknown) {
    Map<Integer, Integer> counted = new HashMap<>();
    for (CountedLoops.Loop loop : new CountedLoops(code).loops()) {
      counted.put(loop.jump(), Math.max(1, loop.limit() - loop.from()));
    }
    long[] rounds = new long[code.size()];
    Arrays.fill(rounds, 1);
    CodeFlow flow = new CodeFlow(code);
    for (int i = 0; i < code.size(); i++) {
      for (int label : code.get(i).jumps()) {
        for (int at = flow.at(label); at <= i; at++) {
          rounds[at] = Math.min(MOST_ROUNDS, rounds[at] * counted.getOrDefault(i, unknown));
        }
      }
    }
    long[] weights = new long[code.size()];
    Arrays.setAll(weights, i -> rounds[i] * cost.of(code.get(i)));
    return weights;
  }
}
