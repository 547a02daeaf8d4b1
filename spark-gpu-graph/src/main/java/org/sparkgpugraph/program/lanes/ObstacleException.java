package org.sparkgpugraph.program.lanes;

import org.sparkgpugraph.program.ir.SourcePosition;

/** Ends the search for a form for lanes. */
final class ObstacleException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Obstacle obstacle;

  ObstacleException(String reason, SourcePosition where) {
    super(reason, null, false, false);
    obstacle = new Obstacle(reason, where);
  }

  Obstacle obstacle() {
    return obstacle;
  }
}
