package org.sparkgpugraph.runtime.report;

import java.util.List;

/**
 * What is known of a run, in bounded memory however long it is.
 *
 * @param supersteps what charts show, no more than {@link SuperstepSeries#MOST}
 */
public record RunAccount(RunHead head, List<Stretch> supersteps) {
  public RunAccount {
    supersteps = List.copyOf(supersteps);
  }
}
