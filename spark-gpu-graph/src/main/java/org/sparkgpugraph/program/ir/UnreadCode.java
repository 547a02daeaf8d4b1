package org.sparkgpugraph.program.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the instructions whose results nothing reads, those that only such ones read included: also
 * where these read each other, in a loop.
 */
public final class UnreadCode {
  private UnreadCode() {}

  /** The code without them, in a list of its own. */
  public static List<Insn> removed(List<Insn> code) {
    Map<Integer, List<Insn>> writers = new HashMap<>();
    BitSet needed = new BitSet();
    Deque<Integer> pending = new ArrayDeque<>();
    for (Insn insn : code) {
      if (insn.target() >= 0) {
        writers.computeIfAbsent(insn.target(), v -> new ArrayList<>()).add(insn);
      } else {
        need(insn, needed, pending);
      }
    }
    while (!pending.isEmpty()) {
      for (Insn writer : writers.getOrDefault(pending.remove(), List.of())) {
        need(writer, needed, pending);
      }
    }
    List<Insn> kept = new ArrayList<>();
    for (Insn insn : code) {
      if (insn.target() < 0 || needed.get(insn.target())) {
        kept.add(insn);
      }
    }
    return kept;
  }

  private static void need(Insn insn, BitSet needed, Deque<Integer> pending) {
    for (int variable : insn.read()) {
      if (!needed.get(variable)) {
        needed.set(variable);
        pending.add(variable);
      }
    }
  }
}
