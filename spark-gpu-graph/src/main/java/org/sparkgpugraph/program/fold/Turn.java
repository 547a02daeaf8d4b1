package org.sparkgpugraph.program.fold;

import java.util.List;

/** A part of a run: a phase, or several that come several times. */
sealed interface Turn permits Phase, Turn.Loop {
  /** Number of supersteps that it takes. */
  long supersteps();

  /** Number of supersteps that turns take one behind the other. */
  static long supersteps(List<Turn> turns) {
    return turns.stream().mapToLong(Turn::supersteps).sum();
  }

  /** Turns that come several times. */
  record Loop(int times, List<Turn> body) implements Turn {
    @Override
    public long supersteps() {
      return Math.multiplyExact((long) times, Turn.supersteps(body));
    }
  }
}
