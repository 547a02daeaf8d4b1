package org.sparkgpugraph.runtime.report;

import java.util.ArrayList;
import java.util.List;
import org.sparkgpugraph.runtime.event.GraphSuperstep;

/**
 * The supersteps of a run in no more than {@value #MOST} {@link Stretch}es, however many there are:
 * when there are more, two neighbours become one, and so do those that follow. Not thread-safe.
 */
public final class SuperstepSeries {
  /** About as many points as a chart has pixels for. */
  public static final int MOST = 400;

  private final List<Stretch> stretches = new ArrayList<>();

  /** Events that a stretch sums up; the last one may have fewer by now. */
  private int width = 1;

  private int inLast;

  /** A superstep ended, or several. */
  public void add(GraphSuperstep event) {
    Stretch next = Stretch.of(event);
    if (!stretches.isEmpty() && next.first() <= last().last()) {
      startAgain(next.first());
    }
    if (!stretches.isEmpty() && inLast < width) {
      stretches.set(stretches.size() - 1, last().plus(next));
      inLast++;
      return;
    }
    if (stretches.size() == MOST) {
      halve();
    }
    stretches.add(next);
    inLast = 1;
  }

  private Stretch last() {
    return stretches.get(stretches.size() - 1);
  }

  /** The run goes on from an earlier superstep: what came after that counts no more. */
  private void startAgain(int superstep) {
    stretches.removeIf(stretch -> stretch.last() >= superstep);
    inLast = width;
  }

  private void halve() {
    List<Stretch> half = new ArrayList<>();
    for (int i = 0; i < stretches.size(); i += 2) {
      half.add(stretches.get(i).plus(stretches.get(i + 1)));
    }
    stretches.clear();
    stretches.addAll(half);
    width *= 2;
  }

  /** What is known by now, a copy. */
  public List<Stretch> stretches() {
    return List.copyOf(stretches);
  }
}
