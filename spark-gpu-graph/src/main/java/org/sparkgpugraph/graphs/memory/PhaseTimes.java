package org.sparkgpugraph.graphs.memory;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How long the phases of loading, running and collecting took in this JVM: for benchmarks, which
 * look at one job at a time. Nothing is kept unless {@link #start} was called. Thread-safe; phases
 * of tasks that ran side by side add up.
 */
public final class PhaseTimes {
  private static Map<String, Phase> phases;
  private static long started;

  private PhaseTimes() {}

  /**
   * A phase.
   *
   * @param name what was done, with what it is a part of before a colon
   * @param times how often
   * @param nanos wall time of all these
   * @param begun when it began first, in nanoseconds since {@link #start}
   */
  public record Phase(String name, int times, long nanos, long begun) {}

  /** Starts afresh. */
  public static synchronized void start() {
    phases = new LinkedHashMap<>();
    started = System.nanoTime();
  }

  /** Stops; the phases since {@link #start}, in the order in which they ended first. */
  public static synchronized List<Phase> stop() {
    List<Phase> found = phases == null ? List.of() : new ArrayList<>(phases.values());
    phases = null;
    return found;
  }

  /**
   * Adds the time of a phase.
   *
   * @param start when it began, by {@link System#nanoTime}
   * @return when it ended: the start of the next one
   */
  public static long ended(String name, long start) {
    long now = System.nanoTime();
    add(name, start, now);
    return now;
  }

  private static synchronized void add(String name, long from, long to) {
    if (phases != null) {
      phases.merge(
          name,
          new Phase(name, 1, to - from, from - started),
          (a, b) -> new Phase(name, a.times + 1, a.nanos + b.nanos, Math.min(a.begun, b.begun)));
    }
  }
}
