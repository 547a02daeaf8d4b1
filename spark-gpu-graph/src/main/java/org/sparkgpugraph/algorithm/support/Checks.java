package org.sparkgpugraph.algorithm.support;

import java.util.HashSet;
import java.util.Set;
import org.sparkgpugraph.ResidentGraph;

/** Checks of arguments that several algorithms take. */
public final class Checks {
  private Checks() {}

  /** At least one iteration, in GraphX's words. */
  public static void iterations(int iterations) {
    if (iterations <= 0) {
      throw new IllegalArgumentException(
          "Number of iterations must be greater than 0, but got " + iterations);
    }
  }

  /** A tolerance of 0 or more, and no NaN. */
  public static void tolerance(double tolerance) {
    if (!(tolerance >= 0)) {
      throw new IllegalArgumentException("Tolerance must be no less than 0, but got " + tolerance);
    }
  }

  /** A resolution of modularity. */
  public static void resolution(double gamma) {
    if (!(gamma > 0 && gamma <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "the resolution gamma must be greater than 0 and finite, but got "
              + gamma
              + "; 1 is usual");
    }
  }

  /** A probability. */
  public static void probability(String what, double probability) {
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(what + " must belong to [0, 1], but got " + probability);
    }
  }

  /**
   * Distinct vertices of the graph, at least one and at most {@code most}.
   *
   * @param what one of them, for messages: "landmark"
   */
  public static void vertices(ResidentGraph<?, ?> graph, String what, long[] ids, int most) {
    if (ids.length == 0) {
      throw new IllegalArgumentException(
          "no " + what + " is given: pass the id of at least one vertex");
    }
    if (ids.length > most) {
      throw new IllegalArgumentException(
          ids.length + " " + what + "s are given, but one run takes " + most + ": run in parts");
    }
    Set<Long> seen = new HashSet<>();
    for (long id : ids) {
      if (!seen.add(id)) {
        throw new IllegalArgumentException(
            what + " " + id + " is given twice: pass every vertex once");
      }
    }
    for (long id : ids) {
      if (!graph.containsVertex(id)) {
        throw new IllegalArgumentException(
            what + " " + id + " is not a vertex of the graph: pass the id of one that is");
      }
    }
  }
}
