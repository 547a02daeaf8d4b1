package org.sparkgpugraph.exchange;

/** How {@link RefinedUpdates} are written for the shuffle. */
public enum UpdateEncoding {
  /** Values in their own size. */
  RAW,
  /** Values in as few bytes as they need; of arrays only the elements that changed. */
  PACKED
}
