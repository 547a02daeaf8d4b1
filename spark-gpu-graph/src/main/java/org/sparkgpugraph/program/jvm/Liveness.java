package org.sparkgpugraph.program.jvm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;

/** Which variables may be read before they are written: backward data flow over basic blocks. */
final class Liveness {
  /** Before the first instruction, where parameters get their values. */
  static final int ENTRY = -1;

  private final List<Insn> code;

  /** Where each block begins, and the end of the code. */
  private final List<Integer> begins = new ArrayList<>();

  private final List<List<Integer>> successors = new ArrayList<>();

  /** Numbers of the variables that a block reads before it writes them: only those live longer. */
  private final Map<Integer, Integer> numbers = new HashMap<>();

  private final List<Integer> variables = new ArrayList<>();
  private final BitSet[] live;

  Liveness(IrFunction function) {
    code = function.code();
    findBlocks(function.labels());
    int blocks = begins.size() - 1;
    BitSet[] exposed = new BitSet[blocks];
    for (int b = 0; b < blocks; b++) {
      exposed[b] = exposed(b);
    }
    BitSet[] written = new BitSet[blocks];
    for (int b = 0; b < blocks; b++) {
      written[b] = new BitSet();
      for (Insn insn : body(b)) {
        Integer number = numbers.get(insn.written());
        if (number != null) {
          written[b].set(number);
        }
      }
    }
    live = exposed;
    flow(written);
  }

  private void findBlocks(int labels) {
    int[] blockOf = new int[labels];
    for (int i = 0; i < code.size(); i++) {
      boolean begin =
          i == 0 || code.get(i) instanceof Insn.Label || !code.get(i - 1).jumps().isEmpty();
      if (begin) {
        begins.add(i);
      }
      if (code.get(i) instanceof Insn.Label label) {
        blockOf[label.label()] = begins.size() - 1;
      }
    }
    begins.add(code.size());
    for (int b = 0; b + 1 < begins.size(); b++) {
      Insn last = code.get(begins.get(b + 1) - 1);
      List<Integer> next = new ArrayList<>();
      last.jumps().stream().distinct().forEach(label -> next.add(blockOf[label]));
      if (!last.leaves() && b + 2 < begins.size()) {
        next.add(b + 1);
      }
      successors.add(next);
    }
  }

  private List<Insn> body(int block) {
    return code.subList(begins.get(block), begins.get(block + 1));
  }

  private BitSet exposed(int block) {
    BitSet exposed = new BitSet();
    BitSet written = new BitSet();
    for (Insn insn : body(block)) {
      for (int variable : insn.read()) {
        if (!written.get(variable)) {
          exposed.set(number(variable));
        }
      }
      if (insn.written() >= 0) {
        written.set(insn.written());
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
    successors.forEach(s -> predecessors.add(new ArrayList<>()));
    for (int b = 0; b < live.length; b++) {
      for (int next : successors.get(b)) {
        predecessors.get(next).add(b);
      }
    }
    Deque<Integer> work = new ArrayDeque<>();
    BitSet waiting = new BitSet();
    for (int b = 0; b < live.length; b++) {
      work.push(b);
      waiting.set(b);
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
      int begin = begins.get(b);
      int end = begins.get(b + 1) - 1;
      live[b].stream().forEach(number -> include(variables.get(number), begin, first, last));
      for (int next : successors.get(b)) {
        live[next].stream().forEach(number -> include(variables.get(number), end, first, last));
      }
      for (int i = begin; i <= end; i++) {
        for (int variable : code.get(i).read()) {
          include(variable, i, first, last);
        }
        if (code.get(i).written() >= 0) {
          include(code.get(i).written(), i, first, last);
        }
      }
    }
    List<Interval> intervals = new ArrayList<>();
    for (int v = 0; v < count; v++) {
      if (first[v] <= last[v]) {
        intervals.add(new Interval(v, first[v], last[v]));
      }
    }
    intervals.sort((a, b) -> Integer.compare(a.first, b.first));
    return intervals;
  }

  private static void include(int variable, int at, int[] first, int[] last) {
    first[variable] = Math.min(first[variable], at);
    last[variable] = Math.max(last[variable], at);
  }
}
