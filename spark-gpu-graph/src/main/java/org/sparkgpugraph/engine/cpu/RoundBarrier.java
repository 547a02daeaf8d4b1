package org.sparkgpugraph.engine.cpu;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.sparkgpugraph.engine.WorkerTeam;

/**
 * Where the members of a team meet between two rounds of one phase. The last one decides what comes
 * next while the others wait, which spin at first, since rounds are short.
 */
final class RoundBarrier {
  private static final int SPINS = 2_000;
  private static final int YIELDS = 200;
  private static final long PARK_NANOS = 20_000;

  private final WorkerTeam team;
  private final int members;
  private final AtomicInteger arrived = new AtomicInteger();
  private volatile int round;

  /**
   * @param members who meet: all of the team, or its caller alone
   */
  RoundBarrier(WorkerTeam team, int members) {
    this.team = team;
    this.members = members;
  }

  /**
   * Waits for all members.
   *
   * @param last what the last member does before the others go on; they see all of it
   * @return whether there is a next round: not when the team is stopped, by a member that threw or
   *     an interrupt of the caller
   */
  boolean await(Runnable last) {
    int seen = round;
    if (arrived.incrementAndGet() == members) {
      last.run();
      arrived.set(0);
      round = seen + 1;
      return !team.stopped();
    }
    for (int spun = 0; round == seen; spun++) {
      if (team.stopped()) {
        return false;
      }
      if (spun < SPINS) {
        Thread.onSpinWait();
      } else if (spun < SPINS + YIELDS) {
        Thread.yield();
      } else {
        LockSupport.parkNanos(this, PARK_NANOS);
      }
    }
    return true;
  }
}
