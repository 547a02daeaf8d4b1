package io.sparkgpugraph.engine.cpu;

/** What generated code counts; one per thread, added up behind a superstep. */
final class Tally {
  /** Edges whose send function was evaluated. */
  long edges;

  /** Vertices whose vertex program ran. */
  long ran;

  /** Vertices that became active. */
  long activated;

  /** Aggregates of the last block of rows. */
  final double[] aggregates;

  Tally(int aggregates) {
    this.aggregates = new double[aggregates];
  }

  void reset() {
    edges = 0;
    ran = 0;
    activated = 0;
  }
}
