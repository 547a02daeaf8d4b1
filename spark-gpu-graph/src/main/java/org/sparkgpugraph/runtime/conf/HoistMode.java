package org.sparkgpugraph.runtime.conf;

/** Whether values are computed per vertex instead of per edge ({@code spark.gpugraph.hoist}). */
public enum HoistMode {
  /** Where it pays. */
  AUTO,
  /** Never. */
  OFF
}
