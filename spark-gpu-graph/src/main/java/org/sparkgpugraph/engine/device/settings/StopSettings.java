package org.sparkgpugraph.engine.device.settings;

import java.io.Serializable;

/**
 * When rows stop at the first message that says as much as any of the superstep can ({@code
 * sgg/stopping.cuh}), instead of being pushed to. Work is the number of active vertices and of
 * their edges, a share of all vertices and edges of the graph.
 *
 * @param from with more work than this supersteps do so, where most active vertices say the same
 * @param until behind a superstep that did so the next one does, too, with more work than this: few
 *     rows can improve still
 */
public record StopSettings(double from, double until) implements Serializable {
  /** From a 64th of the graph on, until a 1024th is left. */
  public static final StopSettings DEFAULT = new StopSettings(1 / 64.0, 1 / 1024.0);

  /** Rows never stop early. */
  public static final StopSettings NEVER =
      new StopSettings(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);

  public StopSettings {
    if (!(until >= 0) || !(from >= until)) {
      throw new IllegalArgumentException(
          "until " + until + " must not be negative, nor larger than from " + from);
    }
  }

  /** Whether rows ever stop early. */
  public boolean stops() {
    return Double.isFinite(from);
  }
}
