package org.sparkgpugraph.engine.device.tuning;

import java.util.Locale;

/**
 * What a trial has found.
 *
 * @param title of the way that has won
 * @param nanosPerEdge that it took …
 * @param defaultNanosPerEdge … and the default, in the same launches
 * @param ways that were compared
 */
public record Choice(String title, double nanosPerEdge, double defaultNanosPerEdge, int ways) {
  /** The figures, for reports. */
  public String figures() {
    return String.format(
        Locale.ROOT,
        "%.3f ns an edge beside %.3f of the default, of %d ways",
        nanosPerEdge,
        defaultNanosPerEdge,
        ways);
  }
}
