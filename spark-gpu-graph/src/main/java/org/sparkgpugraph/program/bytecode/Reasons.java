package org.sparkgpugraph.program.bytecode;

import java.util.ArrayList;
import java.util.List;

/**
 * Why a function cannot be lifted, as far as it was looked at: who comes upon a reason goes on, if
 * he can, with a value that nobody knows, so that a user learns of all reasons at once.
 */
public final class Reasons {
  /** What a value that nobody knows is called. */
  public static final String UNKNOWN = "an unusable value";

  private static final int MOST = 10;

  /** Instructions behind the first reason: enough for what somebody wrote, if not inlined often. */
  private static final int INSTRUCTIONS = 5_000;

  private final List<RefusedException> all = new ArrayList<>();
  private int instructions;

  /** Adds one, unless it is known, or follows from one that is. */
  public void add(RefusedException reason) {
    boolean follows = !all.isEmpty() && reason.getMessage().contains(UNKNOWN);
    if (!follows && all.stream().noneMatch(reason::says)) {
      all.add(reason);
    }
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Counts an instruction, of which those behind a reason are not looked at without end. */
  public void instruction() {
    if (!all.isEmpty() && ++instructions > INSTRUCTIONS) {
      throw all.get(0);
    }
  }

  /** Whether nobody should look for more. */
  public boolean areEnough() {
    return all.size() >= MOST || instructions > INSTRUCTIONS;
  }

  /**
   * Ends the lifting of the function if there are any.
   *
   * @throws RefusedException that has them all
   */
  public void throwIfAny() {
    if (!all.isEmpty()) {
      throw new RefusedException(all);
    }
  }
}
