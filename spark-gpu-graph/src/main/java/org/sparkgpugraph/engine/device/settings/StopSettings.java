package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;
import java.util.Objects;

/**
 * When rows stop at the first message that says as much as any of the superstep can ({@code
 * sgg/stopping.cuh}), instead of being pushed to. Work is the number of active vertices and of
 * their edges, a share of all vertices and edges of the graph.
 *
 * @param from with more work than this supersteps do so, where most active vertices say the same
 * @param until behind a superstep that did so the next one does, too, with more work than this: few
 *     rows can improve still
 * @param sorting when rows are sorted by an edge value for that, where messages depend on one
 */
public record StopSettings(double from, double until, Sorting sorting) implements Serializable {
  /** When rows are sorted: a copy of theirs, which stays on the device with the graph. */
  public enum Sorting {
    /** Never: such rows do not stop early. */
    NEVER,

    /**
     * For the next run, when one has gathered all rows of a graph: graphs that are run once gain
     * nothing.
     */
    AGAIN,

    /** For the first run. */
    ALWAYS
  }

  /** From a 64th of the graph on, until a 1024th is left. */
  public static final StopSettings DEFAULT = new StopSettings(1 / 64.0, 1 / 1024.0);

  /** Rows never stop early. */
  public static final StopSettings NEVER =
      new StopSettings(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  /** Rows are sorted for graphs that are run again. */
  public StopSettings(double from, double until) {
    this(from, until, Sorting.AGAIN);
  }

  public StopSettings {
    Objects.requireNonNull(sorting, "sorting");
    if (!(until >= 0) || !(from >= until)) {
      throw new IllegalArgumentException(
          "until " + until + " must not be negative, nor larger than from " + from);
    }
  }

  /** The same with rows that are sorted at another time. */
  public StopSettings withSorting(Sorting other) {
    return new StopSettings(from, until, other);
  }

  /** Whether rows ever stop early. */
  public boolean stops() {
    return Double.isFinite(from);
  }
}
