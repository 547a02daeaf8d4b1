package org.sparkgpugraph.program.ir;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Send functions that send one message along each edge, whatever the values are. */
public final class OneMessage {
  private OneMessage() {}

  /**
   * The end that gets the message of every edge; empty where there are several messages, where one
   * is sent in a loop, or where anything else decides about its way.
   */
  public static Optional<Side> side(IrFunction send) {
    List<Insn> code = send.code();
    List<CountedLoops.Loop> loops = new CountedLoops(code).loops();
    Set<Integer> counted = new HashSet<>();
    loops.forEach(loop -> counted.addAll(List.of(loop.guard(), loop.jump())));
    Side side = null;
    for (int i = 0; i < code.size(); i++) {
      Insn insn = code.get(i);
      int here = i;
      if (insn instanceof Insn.Emit emit) {
        if (side != null || loops.stream().anyMatch(loop -> loop.hasInBody(here))) {
          return Optional.empty();
        }
        side = emit.side();
      } else if (!insn.jumps().isEmpty() && !counted.contains(i)
          || insn instanceof Insn.Fail
          || insn instanceof Insn.Return && i < code.size() - 1) {
        return Optional.empty();
      }
    }
    return Optional.ofNullable(side);
  }
}
