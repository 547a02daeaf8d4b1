package org.sparkgpugraph.runtime.observe;

import java.io.Serializable;
import java.util.List;

/**
 * What a run spent in its engine, in seconds.
 *
 * @param transfer copying between host and device
 * @param kernel supersteps
 * @param hub bringing changes from device to device inside an executor
 */
public record EngineSeconds(double transfer, double kernel, double hub) implements Serializable {
  /** Of a run on stock GraphX, or of one that failed: not known. */
  static final EngineSeconds NONE = new EngineSeconds(0, 0, 0);

  /** The longest times of several shards, which work at the same time. */
  public static EngineSeconds longest(List<EngineSeconds> shards) {
    EngineSeconds longest = NONE;
    for (EngineSeconds one : shards) {
      longest =
          new EngineSeconds(
              Math.max(longest.transfer, one.transfer),
              Math.max(longest.kernel, one.kernel),
              Math.max(longest.hub, one.hub));
    }
    return longest;
  }
}
