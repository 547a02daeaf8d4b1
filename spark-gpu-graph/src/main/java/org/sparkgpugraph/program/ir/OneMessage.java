package org.sparkgpugraph.program.ir;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Send functions that send one message to an end of each edge, whatever the values are. */
public final class OneMessage {
  private OneMessage() {}

  /**
   * The ends that get one message of every edge each; empty where one gets several, where one is
   * sent in a loop, or where anything else decides about its way.
   */
  public static Set<Side> sides(IrFunction send) {
    List<Insn> code = send.code();
    List<CountedLoops.Loop> loops = new CountedLoops(code).loops();
    Set<Integer> counted = new HashSet<>();
    loops.forEach(loop -> counted.addAll(List.of(loop.guard(), loop.jump())));
    Set<Side> sides = EnumSet.noneOf(Side.class);
    for (int i = 0; i < code.size(); i++) {
      Insn insn = code.get(i);
      int here = i;
      if (insn instanceof Insn.Emit emit) {
        if (!sides.add(emit.side()) || loops.stream().anyMatch(loop -> loop.hasInBody(here))) {
          return Set.of();
        }
      } else if (!insn.jumps().isEmpty() && !counted.contains(i)
          || insn instanceof Insn.Fail
          || insn instanceof Insn.Return && i < code.size() - 1) {
        return Set.of();
      }
    }
    return sides;
  }
}
