package org.sparkgpugraph.program.jvm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.BasicBlocks;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;

/** Which variables may be read before they are written: backward data flow over basic blocks. */
final class Liveness {
  /** Before the first instruction, where parameters get their values. */
  static final int ENTRY = -1;

  private final BasicBlocks blocks;

  /** Numbers of the variables that a block reads before it writes them: only those live longer. */
  private final Map<Integer, Integer> numbers = new HashMap<>();

  private final List<Integer> variables = new ArrayList<>();
  private final BitSet[] live;

  Liveness(IrFunction function) {
    blocks = new BasicBlocks(function);
    live = new BitSet[blocks.count()];
    Arrays.setAll(live, this::exposed);
    BitSet[] written = new BitSet[live.length];
    for (int b = 0; b < live.length; b++) {
      written[b] = new BitSet();
      for (Insn insn : blocks.body(b)) {
        Integer number = numbers.get(insn.target());
        if (number != null) {
          written[b].set(number);
        }
      }
    }
    flow(written);
  }

  private BitSet exposed(int block) {
    BitSet exposed = new BitSet();
    BitSet written = new BitSet();
    for (Insn insn : blocks.body(block)) {
      for (int variable : insn.read()) {
        if (!written.get(variable)) {
          exposed.set(number(variable));
        }
      }
      if (insn.target() >= 0) {
        written.set(insn.target());
      }
    }
    return exposed;
  }

  private int number(int variable) {
    return numbers.computeIfAbsent(
        variable,
        v -> {
          variables.add(v);
          return variables.size() - 1;
        });
  }

  /** Adds to what is live at the beginning of each block what is live behind it. */
  private void flow(BitSet[] written) {
    List<List<Integer>> predecessors = new ArrayList<>();
    Deque<Integer> work = new ArrayDeque<>();
    BitSet waiting = new BitSet();
    for (int b = 0; b < live.length; b++) {
      predecessors.add(new ArrayList<>());
      work.push(b);
      waiting.set(b);
    }
    for (int b = 0; b < live.length; b++) {
      for (int next : blocks.successors(b)) {
        predecessors.get(next).add(b);
      }
    }
    while (!work.isEmpty()) {
      int block = work.pop();
      waiting.clear(block);
      for (int p : predecessors.get(block)) {
        BitSet through = (BitSet) live[block].clone();
        through.andNot(written[p]);
        int before = live[p].cardinality();
        live[p].or(through);
        if (live[p].cardinality() > before && !waiting.get(p)) {
          waiting.set(p);
          work.push(p);
        }
      }
    }
  }

  /** The variables that are live at the entry (parameters, as a rule). */
  BitSet atEntry() {
    BitSet entry = new BitSet();
    live[0].stream().forEach(number -> entry.set(variables.get(number)));
    return entry;
  }

  /**
   * Instructions between which a variable's value may be needed.
   *
   * @param first index of the first that writes it, or before which it is live; {@link #ENTRY}
   * @param last index of the last that reads or writes it, or behind which it is live
   */
  record Interval(int variable, int first, int last) {}

  /**
   * For each variable that the code names the interval in which it is live, in the order of the
   * code, ascending by where they begin.
   *
   * @param entry variables that have a value at the entry
   */
  List<Interval> intervals(int count, BitSet entry) {
    int[] first = new int[count];
    int[] last = new int[count];
    Arrays.fill(first, Integer.MAX_VALUE);
    Arrays.fill(last, Integer.MIN_VALUE);
    entry.stream().forEach(v -> include(v, ENTRY, first, last));
    for (int b = 0; b < live.length; b++) {
      int begin = blocks.begin(b);
      int end = blocks.end(b) - 1;
      live[b].stream().forEach(number -> include(variables.get(number), begin, first, last));
      for (int next : blocks.successors(b)) {
        live[next].stream().forEach(number -> include(variables.get(number), end, first, last));
      }
      int at = begin;
      for (Insn insn : blocks.body(b)) {
        for (int variable : insn.read()) {
          include(variable, at, first, last);
        }
        if (insn.target() >= 0) {
          include(insn.target(), at, first, last);
        }
        at++;
      }
    }
    List<Interval> intervals = new ArrayList<>();
    for (int v = 0; v < count; v++) {
      if (first[v] <= last[v]) {
        intervals.add(new Interval(v, first[v], last[v]));
      }
    }
    intervals.sort(Comparator.comparingInt(Interval::first));
    return intervals;
  }

  private static void include(int variable, int at, int[] first, int[] last) {
    first[variable] = Math.min(first[variable], at);
    last[variable] = Math.max(last[variable], at);
  }
}
