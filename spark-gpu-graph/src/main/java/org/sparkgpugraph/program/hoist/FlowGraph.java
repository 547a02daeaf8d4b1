package org.sparkgpugraph.program.hoist;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;

/** The basic blocks of a function. Block 0 is the entry. */
final class FlowGraph {
  private static final int UNREACHED = -1;

  private final List<Insn> code;

  /** Where each block begins, and the end of the code. */
  private final List<Integer> begins = new ArrayList<>();

  /** Jumped to first, then fallen into. */
  private final List<List<Integer>> successors = new ArrayList<>();

  private final List<List<Integer>> predecessors = new ArrayList<>();

  /** The immediate dominator of each block; the entry's is itself. */
  private int[] dominator;

  /** How many blocks dominate each block, beside itself. */
  private int[] depth;

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
      Set<Integer> next = new LinkedHashSet<>();
      last.jumps().forEach(label -> next.add(blockOfLabel[label]));
      if (!last.leaves()) {
        next.add(b + 1);
      }
      successors.add(List.copyOf(next));
      predecessors.add(new ArrayList<>());
    }
    connect();
    dominate();
  }

  private static boolean leaves(Insn insn) {
    return insn.leaves() || !insn.jumps().isEmpty();
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

  /**
   * Immediate dominators, by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm": in
   * reverse postorder until nothing changes.
   */
  private void dominate() {
    dominator = new int[count()];
    depth = new int[count()];
    Arrays.fill(dominator, UNREACHED);
    List<Integer> order = reversePostorder();
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

  private List<Integer> reversePostorder() {
    List<Integer> order = new ArrayList<>();
    BitSet seen = new BitSet();
    seen.set(0);
    int[] next = new int[count()];
    Deque<Integer> path = new ArrayDeque<>(List.of(0));
    while (!path.isEmpty()) {
      int block = path.peek();
      if (next[block] == successors.get(block).size()) {
        order.add(path.pop());
      } else {
        int successor = successors.get(block).get(next[block]++);
        if (!seen.get(successor)) {
          seen.set(successor);
          path.push(successor);
        }
      }
    }
    Collections.reverse(order);
    return order;
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
    int at = Collections.binarySearch(begins, instruction);
    return at >= 0 ? at : -at - 2;
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
