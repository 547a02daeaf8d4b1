package org.sparkgpugraph.runtime.report;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.runtime.event.GraphSuperstep;

/**
 * The supersteps of a run in no more than {@value #MOST} {@link Stretch}es, however many there are:
 * when there are more, neighbours become one, and so do those that follow. Not thread-safe.
 */
public final class SuperstepSeries {
  /** About as many points as a chart has pixels for. */
  public static final int MOST = 400;

  private final List<Stretch> stretches = new ArrayList<>();

  /**
   * Supersteps of a stretch; of one that was an event, or before a restart, there may be others.
   */
  private long width = 1;

  /** A superstep ended, or several. */
  public void add(GraphSuperstep event) {
    Stretch next = Stretch.of(event);
    if (!stretches.isEmpty() && next.first() <= last().last()) {
      startAgain(next.first());
    }
    append(next);
    while (stretches.size() > MOST) {
      width *= 2;
      List<Stretch> before = List.copyOf(stretches);
      stretches.clear();
      before.forEach(this::append);
    }
  }

  private void append(Stretch next) {
    if (!stretches.isEmpty() && last().supersteps() + next.supersteps() <= width) {
      stretches.set(stretches.size() - 1, last().plus(next));
    } else {
      stretches.add(next);
    }
  }

  private Stretch last() {
    return stretches.get(stretches.size() - 1);
  }

  /** The run goes on from an earlier superstep: what came after that counts no more. */
  private void startAgain(int superstep) {
    stretches.removeIf(stretch -> stretch.last() >= superstep);
  }

  /** What is known by now, a copy. */
  public List<Stretch> stretches() {
    return List.copyOf(stretches);
  }
}
