package io.sparkgpugraph.program.hoist;

import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.IrFunction;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The basic blocks of a function. Block 0 is the entry. */
final class FlowGraph {
  private final List<Insn> code;

  /** Where each block begins, and the end of the code. */
  private final List<Integer> begins = new ArrayList<>();

  /** Jumped to first, then fallen into. */
  private final List<List<Integer>> successors = new ArrayList<>();

  private final List<List<Integer>> predecessors = new ArrayList<>();
  private final List<BitSet> dominators = new ArrayList<>();

  FlowGraph(IrFunction function) {
    code = function.code();
    int[] blockOfLabel = new int[function.labels()];
    for (int i = 0; i < code.size(); i++) {
      if (i == 0 || code.get(i) instanceof Insn.Label || leaves(code.get(i - 1))) {
        begins.add(i);
      }
      if (code.get(i) instanceof Insn.Label label) {
        blockOfLabel[label.label()] = begins.size() - 1;
      }
    }
    begins.add(code.size());
    for (int b = 0; b < count(); b++) {
      Insn last = code.get(begins.get(b + 1) - 1);
      List<Integer> next = new ArrayList<>();
      if (last instanceof Insn.Jump jump) {
        next.add(blockOfLabel[jump.label()]);
      } else if (last instanceof Insn.Branch branch) {
        next.add(blockOfLabel[branch.label()]);
        next.add(b + 1);
      } else if (!leaves(last)) {
        next.add(b + 1);
      }
      successors.add(next);
      predecessors.add(new ArrayList<>());
    }
    connect();
    dominate();
  }

  private static boolean leaves(Insn insn) {
    return insn instanceof Insn.Jump
        || insn instanceof Insn.Branch
        || insn instanceof Insn.Return
        || insn instanceof Insn.Fail;
  }

  /** Edges out of blocks that nothing reaches do not count. */
  private void connect() {
    BitSet reached = new BitSet();
    List<Integer> pending = new ArrayList<>(List.of(0));
    while (!pending.isEmpty()) {
      int block = pending.remove(pending.size() - 1);
      if (!reached.get(block)) {
        reached.set(block);
        for (int next : successors.get(block)) {
          predecessors.get(next).add(block);
          pending.add(next);
        }
      }
    }
  }

  private void dominate() {
    for (int b = 0; b < count(); b++) {
      BitSet all = new BitSet();
      all.set(0, b == 0 ? 1 : count());
      dominators.add(all);
    }
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int b = 1; b < count(); b++) {
        BitSet common = new BitSet();
        common.set(0, count());
        predecessors.get(b).forEach(p -> common.and(dominators.get(p)));
        common.set(b);
        changed |= !common.equals(dominators.get(b));
        dominators.set(b, common);
      }
    }
  }

  int count() {
    return begins.size() - 1;
  }

  /** Whether control only ever goes forward. */
  boolean isAcyclic() {
    for (int b = 0; b < count(); b++) {
      for (int next : successors.get(b)) {
        if (next <= b) {
          return false;
        }
      }
    }
    return true;
  }

  int blockOf(int instruction) {
    int block = 0;
    while (begins.get(block + 1) <= instruction) {
      block++;
    }
    return block;
  }

  List<Integer> successors(int block) {
    return successors.get(block);
  }

  List<Integer> predecessors(int block) {
    return predecessors.get(block);
  }

  /** The instructions of a block. */
  List<Insn> body(int block) {
    return code.subList(begins.get(block), begins.get(block + 1));
  }

  boolean dominates(int block, int other) {
    return dominators.get(other).get(block);
  }

  /** The last block that every way to a block goes through, before it; −1 for the entry. */
  int immediateDominator(int block) {
    int found = -1;
    for (int d = dominators.get(block).nextSetBit(0);
        d >= 0;
        d = dominators.get(block).nextSetBit(d + 1)) {
      if (d != block && (found < 0 || dominates(found, d))) {
        found = d;
      }
    }
    return found;
  }

  /** The blocks from which control can come to a block, and itself. */
  BitSet leadingTo(int block) {
    BitSet leading = new BitSet();
    List<Integer> pending = new ArrayList<>(List.of(block));
    while (!pending.isEmpty()) {
      int at = pending.remove(pending.size() - 1);
      if (!leading.get(at)) {
        leading.set(at);
        pending.addAll(predecessors.get(at));
      }
    }
    return leading;
  }
}
