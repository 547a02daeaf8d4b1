package org.sparkgpugraph.function;

/** What a program may ask about the run it is in. */
public interface SuperstepContext {
  /** The superstep: 0 for the initial one. */
  int superstep();

  /** Number of vertices of the whole graph. */
  long vertexCount();

  /**
   * The value of an aggregate over the vertices that ran in the superstep before (inside a
   * program), or in the superstep just finished (inside {@code stopWhen}).
   *
   * @param name a name given to {@code aggregate(name, …)}; inside a lifted function a constant
   */
  double aggregate(String name);

  /**
   * The values of all aggregates that {@link #aggregate} may be asked for, in the order in which
   * they were given: as many as there are, at most 1024.
   */
  double[] aggregates();
}
