package org.sparkgpugraph.program.lanes;

import org.sparkgpugraph.program.ir.SourcePosition;

/**
 * Why lanes cannot share a function's arrays.
 *
 * @param reason what the function does, to stand behind "it" in a sentence
 * @param where it does so; {@link SourcePosition#NONE}: nowhere in particular
 */
public record Obstacle(String reason, SourcePosition where) {
  /** The reason with class, method and line. */
  @Override
  public String toString() {
    return where.equals(SourcePosition.NONE) ? reason : reason + " (" + where + ")";
  }
}
