package org.sparkgpugraph.run;

/**
 * Which edges a superstep evaluates, against the vertices that received a message in the one before
 * (GraphX's activeDirection). Superstep 0 evaluates all.
 */
public enum ActiveDirection {
  /** The source is active. */
  OUT,
  /** The destination is active. */
  IN,
  /** One end is active. */
  EITHER,
  /** Both ends are active. */
  BOTH
}
