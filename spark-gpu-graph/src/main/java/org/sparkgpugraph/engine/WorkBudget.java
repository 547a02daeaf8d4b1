package org.sparkgpugraph.engine;

/**
 * How much may be done on one part of a graph with values that an exchange might improve: behind
 * the k-th exchange 2<sup>k</sup>/{@value #PART} of the edges and vertices held there, beside what
 * one superstep does. Through the first seven exchanges that is less than two times all of them
 * together. A graph of small diameter is done by then; on one of large diameter the budget soon
 * suffices for all there is to do, so that exchanges are few.
 */
public final class WorkBudget {
  private static final int PART = 128;

  /** The doublings end here: a program that never ends locally is heard of at times. */
  private static final int MOST_DOUBLINGS = 20;

  private WorkBudget() {}

  /**
   * Edges and vertices that may be walked.
   *
   * @param exchange number of the exchange that is to come, from 1 on
   * @param edges edges that the part holds
   * @param vertices vertices that it holds
   */
  public static double of(int exchange, long edges, long vertices) {
    return Math.scalb(((double) edges + vertices) / PART, Math.min(exchange, MOST_DOUBLINGS));
  }
}
