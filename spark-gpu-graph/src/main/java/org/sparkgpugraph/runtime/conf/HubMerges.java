package org.sparkgpugraph.runtime.conf;

/** Which messages to hubs may be merged where they come from. */
public enum HubMerges {
  /** Those whose merged value does not depend on how they are grouped. */
  EXACT,
  /**
   * Also sums of floating-point numbers, and other merges that are associative but for rounding.
   */
  GROUPED
}
