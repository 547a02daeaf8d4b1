package io.sparkgpugraph.program.analysis;

import io.sparkgpugraph.program.ir.Insn;
import io.sparkgpugraph.program.ir.IrFunction;
import io.sparkgpugraph.program.ir.Side;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How many messages a send function sends over one edge to one of its ends. */
public final class ModeSends {
  /** There is no bound: a loop sends. */
  public static final int UNBOUNDED = -1;

  private static final int UNKNOWN = -2;
  private static final int OPEN = -3;

  private final List<Insn> code;
  private final Side side;
  private final Map<Integer, Integer> labels = new HashMap<>();
  private final int[] most;

  private ModeSends(IrFunction send, Side side) {
    this.side = side;
    code = send.code();
    most = new int[code.size() + 1];
    Arrays.fill(most, UNKNOWN);
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i) instanceof Insn.Label label) {
        labels.put(label.label(), i);
      }
    }
  }

  /**
   * The most messages that one call sends to the same end, whichever end that is, at least 1; or
   * {@link #UNBOUNDED}.
   */
  public static int most(IrFunction send) {
    int source = new ModeSends(send, Side.SOURCE).from();
    int destination = new ModeSends(send, Side.DESTINATION).from();
    return source == UNBOUNDED || destination == UNBOUNDED
        ? UNBOUNDED
        : Math.max(1, Math.max(source, destination));
  }

  private int from() {
    boolean sends = code.stream().anyMatch(i -> i instanceof Insn.Emit e && e.side() == side);
    return sends ? from(0) : 0;
  }

  /** The longest path, in emits; straight code is walked without recursion. */
  private int from(int start) {
    if (most[start] != UNKNOWN) {
      return most[start] == OPEN ? UNBOUNDED : most[start];
    }
    most[start] = OPEN;
    int sent = 0;
    int result = UNKNOWN;
    for (int i = start; result == UNKNOWN; i++) {
      Insn insn = code.get(i);
      if (i > start && most[i] != UNKNOWN) {
        result = plus(sent, from(i));
      } else if (insn instanceof Insn.Emit emit && emit.side() == side) {
        sent++;
      } else if (insn instanceof Insn.Jump jump) {
        result = plus(sent, from(labels.get(jump.label())));
      } else if (insn instanceof Insn.Branch branch) {
        int taken = from(labels.get(branch.label()));
        int other = from(i + 1);
        result =
            taken == UNBOUNDED || other == UNBOUNDED
                ? UNBOUNDED
                : plus(sent, Math.max(taken, other));
      } else if (insn instanceof Insn.Return || insn instanceof Insn.Fail) {
        result = sent;
      }
    }
    most[start] = result;
    return result;
  }

  private static int plus(int sent, int more) {
    return more == UNBOUNDED ? UNBOUNDED : sent + more;
  }
}
