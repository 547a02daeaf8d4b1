package org.sparkgpugraph.runtime.conf;

/** Whether the driver shows on its console how a run goes. */
public enum ProgressMode {
  /** Where standard error is a terminal. */
  AUTO,
  /** Always. */
  TRUE,
  /** Never. */
  FALSE
}
