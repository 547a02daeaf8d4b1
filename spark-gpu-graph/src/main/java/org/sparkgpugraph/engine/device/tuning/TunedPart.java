package org.sparkgpugraph.engine.device.tuning;

import java.util.Locale;

/** A part of a run that may be done in several ways. */
public enum TunedPart {
  /** Supersteps that gather all rows. */
  ROWS,
  /** Supersteps that push. */
  PUSHES;

  /** As reports and files have it. */
  public String title() {
    return name().toLowerCase(Locale.ROOT);
  }
}
