package io.sparkgpugraph.examples;

/**
 * What an algorithm is told; null where the command line says nothing.
 *
 * @param iterations bound on the supersteps, or number of iterations
 * @param tolerance of convergence
 * @param source id of the source vertex
 */
record Settings(Integer iterations, Double tolerance, Long source) {
  /** The iterations, or no bound. */
  int iterationsOrUnbounded() {
    return iterations == null ? Integer.MAX_VALUE : iterations;
  }

  Settings withIterations(Integer iterations) {
    return new Settings(iterations, tolerance, source);
  }

  Settings withSource(Long source) {
    return new Settings(iterations, tolerance, source);
  }
}
