package org.sparkgpugraph.program.ir;

/** The end of an edge that a message goes to. */
public enum Side {
  SOURCE,
  DESTINATION
}
