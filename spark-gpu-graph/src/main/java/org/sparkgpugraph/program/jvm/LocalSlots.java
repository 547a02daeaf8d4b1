package org.sparkgpugraph.program.jvm;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Kind;

/**
 * The local variables of a function's variables: one each in most functions. In long ones, those
 * that are never needed at the same time share one, and constants have none but are pushed where
 * they are read: instructions with a slot above 255 are twice as long, and a method has at most
 * 65535 bytes, of which the frames that are computed for its jumps take the number of its locals
 * each.
 */
final class LocalSlots {
  /** Slots that instructions of two bytes can name. */
  private static final int SHORT = 256;

  private static final int NONE = -1;

  private final int[] slots;
  private final Map<Integer, Object> constants = new HashMap<>();

  /**
   * Allocates.
   *
   * @param entry variables that have a value at the entry
   */
  LocalSlots(IrFunction function, CodeBuilder code, Liveness liveness, BitSet entry) {
    slots = new int[function.variables().size()];
    int wanted = 0;
    for (Kind kind : function.variables()) {
      wanted += CodeBuilder.isWide(kind) ? 2 : 1;
    }
    if (wanted <= SHORT) {
      for (int v = 0; v < slots.length; v++) {
        slots[v] = code.local(function.variables().get(v));
      }
    } else {
      Arrays.fill(slots, NONE);
      findConstants(function, entry);
      share(function, code, liveness, entry);
    }
  }

  /** Constants that are the only value of their variable, and that no message or result is. */
  private void findConstants(IrFunction function, BitSet entry) {
    BitSet others = (BitSet) entry.clone();
    for (Insn insn : function.code()) {
      if (insn instanceof Insn.Constant c
          && !constants.containsKey(c.target())
          && !others.get(c.target())) {
        constants.put(c.target(), c.value());
      } else if (insn.target() >= 0) {
        others.set(insn.target());
      }
      if (insn instanceof Insn.Emit || insn instanceof Insn.Return) {
        insn.read().forEach(others::set);
      }
    }
    others.stream().forEach(constants::remove);
  }

  /** One kind per slot: the verifier sees what is there, not whether it is still needed. */
  private void share(IrFunction function, CodeBuilder code, Liveness liveness, BitSet entry) {
    Map<Kind, Deque<Integer>> free = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      free.put(kind, new ArrayDeque<>());
    }
    PriorityQueue<Liveness.Interval> taken =
        new PriorityQueue<>(Comparator.comparingInt(Liveness.Interval::last));
    for (Liveness.Interval interval : liveness.intervals(slots.length, entry)) {
      if (constants.containsKey(interval.variable())) {
        continue;
      }
      // An instruction has read its operands when it writes; parameters are written one by one.
      while (interval.first() != Liveness.ENTRY
          && !taken.isEmpty()
          && taken.peek().last() <= interval.first()) {
        int variable = taken.remove().variable();
        free.get(function.variables().get(variable)).push(slots[variable]);
      }
      Kind kind = function.variables().get(interval.variable());
      Integer slot = free.get(kind).poll();
      slots[interval.variable()] = slot == null ? code.local(kind) : slot;
      taken.add(interval);
    }
  }

  /** The slot of a variable. */
  int of(int variable) {
    return slots[variable];
  }

  /** The value of a variable that has no slot; null when it has one. */
  Object constant(int variable) {
    return constants.get(variable);
  }
}
