package io.sparkgpugraph.examples;

import java.util.List;

/**
 * What an algorithm is told; null where the command line says nothing.
 *
 * @param iterations bound on the supersteps, or number of iterations
 * @param tolerance of convergence
 * @param source id of the source vertex
 * @param sources ids of several source vertices, or landmarks
 * @param damping damping or attenuation factor
 */
record Settings(
    Integer iterations, Double tolerance, Long source, List<Long> sources, Double damping) {
  Settings(Integer iterations, Double tolerance, Long source) {
    this(iterations, tolerance, source, null, null);
  }

  /** The iterations, or no bound. */
  int iterationsOrUnbounded() {
    return iterationsOr(Integer.MAX_VALUE);
  }

  int iterationsOr(int otherwise) {
    return iterations == null ? otherwise : iterations;
  }

  double dampingOr(double otherwise) {
    return damping == null ? otherwise : damping;
  }

  Settings withIterations(Integer iterations) {
    return new Settings(iterations, tolerance, source, sources, damping);
  }

  Settings withSource(Long source) {
    return new Settings(iterations, tolerance, source, sources, damping);
  }
}
