package org.sparkgpugraph.program.hoist;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.sparkgpugraph.program.ir.BasicBlocks;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.ReversePostorder;

/** The basic blocks of a function with what leads to them and dominates them. */
final class FlowGraph extends BasicBlocks {
  private static final int UNREACHED = -1;

  private final List<List<Integer>> predecessors = new ArrayList<>();

  /** The immediate dominator of each block; the entry's is itself. */
  private int[] dominator;

  /** How many blocks dominate each block, beside itself. */
  private int[] depth;

  FlowGraph(IrFunction function) {
    super(function);
    for (int b = 0; b < count(); b++) {
      predecessors.add(new ArrayList<>());
    }
    connect();
    dominate();
  }

  /** Edges out of blocks that nothing reaches do not count. */
  private void connect() {
    BitSet reached = new BitSet();
    List<Integer> pending = new ArrayList<>(List.of(0));
    while (!pending.isEmpty()) {
      int block = pending.remove(pending.size() - 1);
      if (!reached.get(block)) {
        reached.set(block);
        for (int next : successors(block)) {
          predecessors.get(next).add(block);
          pending.add(next);
        }
      }
    }
  }

  /**
   * Immediate dominators, by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": in
   * reverse postorder until nothing changes.
   */
  private void dominate() {
    dominator = new int[count()];
    depth = new int[count()];
    Arrays.fill(dominator, UNREACHED);
    List<Integer> order = ReversePostorder.of(0, this::successors);
    int[] number = new int[count()];
    for (int i = 0; i < order.size(); i++) {
      number[order.get(i)] = i;
    }
    dominator[0] = 0;
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int block : order.subList(1, order.size())) {
        int common = UNREACHED;
        for (int p : predecessors.get(block)) {
          if (dominator[p] != UNREACHED) {
            int other = p;
            while (common != UNREACHED && common != other) {
              if (number[common] > number[other]) {
                common = dominator[common];
              } else {
                other = dominator[other];
              }
            }
            common = other;
          }
        }
        changed |= dominator[block] != common;
        dominator[block] = common;
      }
    }
    for (int block : order.subList(1, order.size())) {
      depth[block] = depth[dominator[block]] + 1;
    }
  }

  /** Whether control only ever goes forward. */
  boolean isAcyclic() {
    for (int b = 0; b < count(); b++) {
      for (int next : successors(b)) {
        if (next <= b) {
          return false;
        }
      }
    }
    return true;
  }

  List<Integer> predecessors(int block) {
    return predecessors.get(block);
  }

  /** Whether every way to the other block goes through a block; ways that there are none of do. */
  boolean dominates(int block, int other) {
    if (dominator[other] == UNREACHED || dominator[block] == UNREACHED) {
      return dominator[other] == UNREACHED;
    }
    int at = other;
    while (depth[at] > depth[block]) {
      at = dominator[at];
    }
    return at == block;
  }

  /** The last block that every way to a block goes through, before it; −1 for the entry. */
  int immediateDominator(int block) {
    return block == 0 ? -1 : dominator[block];
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
