package org.sparkgpugraph.program.cuda;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.ir.UnreadCode;

/**
 * What of a function's code is printed: what control reaches, without messages to the other side,
 * without values that nothing reads, without jumps to the next instruction and without labels that
 * nothing jumps to. C compilers would do the same, but they warn of what they leave out.
 *
 * @param code the instructions, in order
 * @param variables those that the instructions name
 */
record NeededCode(List<Insn> code, BitSet variables) {

  /**
   * @param side the end of the edge whose messages are wanted; null: no messages are sent
   */
  static NeededCode of(IrFunction function, Side side) {
    List<Insn> code = reachable(function);
    code.removeIf(insn -> insn instanceof Insn.Emit emit && emit.side() != side);
    code = UnreadCode.removed(code);
    BitSet read = new BitSet();
    code.forEach(insn -> insn.read().forEach(read::set));
    removeEmptyJumps(code);
    BitSet jumpedTo = new BitSet();
    code.forEach(insn -> insn.jumps().forEach(jumpedTo::set));
    code.removeIf(insn -> insn instanceof Insn.Label label && !jumpedTo.get(label.label()));
    return new NeededCode(code, read);
  }

  private static List<Insn> reachable(IrFunction function) {
    List<Insn> all =
        function.code().stream()
            .map(insn -> decided(function, insn))
            .filter(Objects::nonNull)
            .toList();
    int[] labelAt = new int[function.labels()];
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) instanceof Insn.Label label) {
        labelAt[label.label()] = i;
      }
    }
    BitSet reached = new BitSet();
    Deque<Integer> work = new ArrayDeque<>(List.of(0));
    while (!work.isEmpty()) {
      int i = work.pop();
      if (reached.get(i)) {
        continue;
      }
      reached.set(i);
      Insn insn = all.get(i);
      insn.jumps().forEach(label -> work.push(labelAt[label]));
      if (!insn.leaves()) {
        work.push(i + 1);
      }
    }
    List<Insn> code = new ArrayList<>();
    reached.stream().forEach(i -> code.add(all.get(i)));
    return code;
  }

  /** Of a branch that compares an integer with itself: a jump, or null; others as they are. */
  private static Insn decided(IrFunction function, Insn insn) {
    if (!(insn instanceof Insn.Branch branch)
        || branch.left() != branch.right()
        || !function.variables().get(branch.left()).isIntegral()) {
      return insn;
    }
    return switch (branch.condition()) {
      case EQ, LE, GE, NOT_LT, NOT_GT -> new Insn.Jump(branch.label(), branch.where());
      case NE, LT, GT, NOT_LE, NOT_GE -> null;
    };
  }

  /** Removes jumps and branches to where control goes anyway. */
  private static void removeEmptyJumps(List<Insn> code) {
    for (int i = code.size() - 1; i >= 0; i--) {
      int label = -1;
      if (code.get(i) instanceof Insn.Jump jump) {
        label = jump.label();
      }
      for (int j = i + 1; j < code.size() && code.get(j) instanceof Insn.Label next; j++) {
        if (next.label() == label) {
          code.remove(i);
          break;
        }
      }
    }
  }
}
