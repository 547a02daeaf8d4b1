package org.sparkgpugraph.runtime.conf;

/** Whether runs on a GPU try the ways that they may take. */
public enum TuningMode {
  /** The defaults are taken. */
  OFF,
  /** All are tried, and the quickest ones are remembered. */
  ON
}
