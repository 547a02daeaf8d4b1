package org.sparkgpugraph.program.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds the instructions whose results nothing reads, those that only such ones read included. */
public final class UnreadCode {
  private UnreadCode() {}

  /** The code without them, in a list of its own. */
  public static List<Insn> removed(List<Insn> code) {
    Map<Integer, Integer> reads = new HashMap<>();
    Map<Integer, List<Integer>> writers = new HashMap<>();
    for (int i = 0; i < code.size(); i++) {
      Insn insn = code.get(i);
      insn.read().forEach(v -> reads.merge(v, 1, Integer::sum));
      if (insn.target() >= 0) {
        writers.computeIfAbsent(insn.target(), v -> new ArrayList<>()).add(i);
      }
    }
    Deque<Integer> unread = new ArrayDeque<>();
    writers.keySet().stream().filter(v -> !reads.containsKey(v)).forEach(unread::add);
    BitSet gone = new BitSet();
    // One after the other along chains: a pass over the code for each link would take too long.
    while (!unread.isEmpty()) {
      for (int writer : writers.getOrDefault(unread.remove(), List.of())) {
        gone.set(writer);
        for (int operand : code.get(writer).read()) {
          if (reads.merge(operand, -1, Integer::sum) == 0) {
            unread.add(operand);
          }
        }
      }
    }
    List<Insn> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      if (!gone.get(i)) {
        kept.add(code.get(i));
      }
    }
    return kept;
  }
}
