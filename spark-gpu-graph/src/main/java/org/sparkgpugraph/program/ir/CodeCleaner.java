package org.sparkgpugraph.program.ir;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Removes what has no effect: values that are not read, jumps and branches around nothing, and what
 * control never reaches.
 */
public final class CodeCleaner {
  private CodeCleaner() {}

  /** A function without what has no effect and without what nobody reads, numbered anew. */
  public static IrFunction tidied(IrFunction function) {
    return Renumbering.of(
        function.name(),
        function.parameters(),
        function.results(),
        function.variables(),
        clean(UnreadCode.removed(clean(function.code()))));
  }

  /**
   * A function that returns some of its results, without what only the others need.
   *
   * @param columns which, in their order
   */
  public static IrFunction returning(IrFunction function, List<Integer> columns) {
    List<Insn> code = new ArrayList<>();
    for (Insn insn : function.code()) {
      code.add(
          insn instanceof Insn.Return leave
              ? new Insn.Return(columns.stream().map(leave.values()::get).toList(), leave.where())
              : insn);
    }
    return tidied(
        new IrFunction(
            function.name(),
            function.parameters(),
            columns.stream().map(function.results()::get).toList(),
            function.variables(),
            function.labels(),
            code));
  }

  /** The code without it. */
  public static List<Insn> clean(List<Insn> code) {
    List<Insn> cleaned = code;
    int size;
    do {
      size = cleaned.size();
      cleaned = reachable(withoutEmptyBranches(UnreadCode.removed(cleaned)));
    } while (cleaned.size() < size);
    return cleaned;
  }

  /** Without jumps and branches that lead to where control goes anyway. */
  private static List<Insn> withoutEmptyBranches(List<Insn> code) {
    Map<Integer, Integer> labels = Insn.Label.positions(code);
    List<Insn> kept = new ArrayList<>();
    for (int i = 0; i < code.size(); i++) {
      Insn insn = code.get(i);
      boolean jumps = insn instanceof Insn.Branch || insn instanceof Insn.Jump;
      int target = jumps ? labels.get(insn.jumps().get(0)) : -1;
      boolean forward = target > i;
      if (!forward || arrival(code, target, labels) != arrival(code, i + 1, labels)) {
        kept.add(insn);
      }
    }
    return kept;
  }

  /** The first instruction from here on that does more than to go elsewhere, ahead. */
  private static int arrival(List<Insn> code, int from, Map<Integer, Integer> labels) {
    int at = from;
    while (true) {
      if (code.get(at) instanceof Insn.Label) {
        at++;
      } else if (code.get(at) instanceof Insn.Jump jump && labels.get(jump.label()) > at) {
        at = labels.get(jump.label());
      } else {
        return at;
      }
    }
  }

  private static List<Insn> reachable(List<Insn> code) {
    Map<Integer, Integer> labels = Insn.Label.positions(code);
    Set<Integer> jumpedTo = new HashSet<>();
    BitSet reached = new BitSet();
    Deque<Integer> work = new ArrayDeque<>(List.of(0));
    while (!work.isEmpty()) {
      int i = work.pop();
      if (!reached.get(i)) {
        reached.set(i);
        for (int label : code.get(i).jumps()) {
          jumpedTo.add(label);
          work.push(labels.get(label));
        }
        if (!code.get(i).leaves()) {
          work.push(i + 1);
        }
      }
    }
    List<Insn> kept = new ArrayList<>();
    for (int i = reached.nextSetBit(0); i >= 0; i = reached.nextSetBit(i + 1)) {
      if (!(code.get(i) instanceof Insn.Label label) || jumpedTo.contains(label.label())) {
        kept.add(code.get(i));
      }
    }
    return kept;
  }
}
