package org.sparkgpugraph.exchange;

/** What partitions tell each other after a superstep. */
public enum ExchangeMode {
  /** The boundary vertices whose bits changed or that are active (vertex refinement). */
  REFINED,
  /** All boundary vertices (the maximal subset, MS, of Khorasani 2016); for comparison. */
  BOUNDARY,
  /** All vertices, to every partition (ALL of Khorasani 2016); for comparison. */
  ALL
}
