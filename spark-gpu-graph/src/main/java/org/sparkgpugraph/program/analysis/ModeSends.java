package org.sparkgpugraph.program.analysis;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.sparkgpugraph.program.ir.Insn;
import org.sparkgpugraph.program.ir.IrFunction;
import org.sparkgpugraph.program.ir.Side;

/** How many messages a send function sends over one edge to one of its ends. */
public final class ModeSends {
  /** There is no bound: a loop sends. */
  public static final int UNBOUNDED = -1;

  private static final int UNREACHED = -1;

  private final List<Insn> code;
  private final Side side;
  private final Map<Integer, Integer> labels;

  /** The most emits on a path from the start to an instruction, without its own. */
  private final int[] before;

  private int most;
  private boolean changed;

  private ModeSends(IrFunction send, Side side) {
    this.side = side;
    code = send.code();
    before = new int[code.size() + 1];
    Arrays.fill(before, UNREACHED);
    labels = Insn.Label.positions(code);
  }

  /**
   * The most messages that one call sends to the same end, whichever end that is, at least 1; or
   * {@link #UNBOUNDED}. Loops that only compute do not count.
   */
  public static int most(IrFunction send) {
    int source = new ModeSends(send, Side.SOURCE).longest();
    int destination = new ModeSends(send, Side.DESTINATION).longest();
    return source == UNBOUNDED || destination == UNBOUNDED
        ? UNBOUNDED
        : Math.max(1, Math.max(source, destination));
  }

  private boolean sends(Insn insn) {
    return insn instanceof Insn.Emit emit && emit.side() == side;
  }

  /**
   * The longest path, in emits. Where no emit lies on a cycle, a path passes each at most once: one
   * that is longer than there are emits goes round a cycle that sends. The walk ends there, or when
   * nothing changes: after two passes where all jumps lead forward.
   */
  private int longest() {
    long emits = code.stream().filter(this::sends).count();
    if (emits == 0) {
      return 0;
    }
    reach(0, 0);
    while (changed) {
      changed = false;
      for (int i = 0; i < code.size(); i++) {
        if (before[i] != UNREACHED) {
          pass(i);
        }
      }
      if (most > emits) {
        return UNBOUNDED;
      }
    }
    return most;
  }

  private void pass(int i) {
    Insn insn = code.get(i);
    int sent = before[i] + (sends(insn) ? 1 : 0);
    insn.jumps().forEach(label -> reach(labels.get(label), sent));
    if (!insn.leaves()) {
      reach(i + 1, sent);
    }
  }

  private void reach(int i, int sent) {
    if (sent > before[i]) {
      before[i] = sent;
      most = Math.max(most, sent);
      changed = true;
    }
  }
}
