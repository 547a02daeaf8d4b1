package org.sparkgpugraph.examples.algorithms;

import java.util.List;
import java.util.OptionalLong;

/**
 * What an algorithm is told; null where the command line says nothing.
 *
 * @param iterations bound on the supersteps, or number of iterations
 * @param tolerance of convergence
 * @param source id of the source vertex
 * @param sources ids of several source vertices, or landmarks
 * @param ground id of the vertex that a circuit's voltages are measured against
 * @param k of the core; numbers of a vertex
 * @param damping damping or attenuation factor
 * @param resolution of communities
 * @param refine whether communities are refined
 * @param seed of random choices; never null
 * @param sample number of sources that are drawn
 * @param weighted whether the graph's edges have weights
 * @param ratings what svd-plus-plus and als are told; never null
 * @param learning what algorithms are told that begin with arrays; never null
 */
public record Settings(
    Integer iterations,
    Double tolerance,
    Long source,
    List<Long> sources,
    Long ground,
    Integer k,
    Double damping,
    Double resolution,
    boolean refine,
    Long seed,
    Integer sample,
    boolean weighted,
    RatingOptions ratings,
    LearningOptions learning) {
  private static final long DEFAULT_SEED = 1;

  /** Draws by the default seed where none is given. */
  public Settings {
    seed = seed == null ? Long.valueOf(DEFAULT_SEED) : seed;
  }

  /** Settings with these three and nothing else. */
  public Settings(Integer iterations, Double tolerance, Long source) {
    this(
        iterations,
        tolerance,
        source,
        null,
        null,
        null,
        null,
        null,
        false,
        null,
        null,
        false,
        new RatingOptions(),
        new LearningOptions());
  }

  /** The iterations, or no bound. */
  int iterationsOrUnbounded() {
    return iterationsOr(Integer.MAX_VALUE);
  }

  int iterationsOr(int otherwise) {
    return iterations == null ? otherwise : iterations;
  }

  double toleranceOr(double otherwise) {
    return tolerance == null ? otherwise : tolerance;
  }

  double dampingOr(double otherwise) {
    return damping == null ? otherwise : damping;
  }

  double resolutionOr(double otherwise) {
    return resolution == null ? otherwise : resolution;
  }

  long[] sourceArray() {
    return sources.stream().mapToLong(Long::longValue).toArray();
  }

  /** The source, where one is given. */
  OptionalLong sourceIfAny() {
    return source == null ? OptionalLong.empty() : OptionalLong.of(source);
  }

  /** These with another number of iterations. */
  public Settings withIterations(Integer iterations) {
    return with(iterations, source);
  }

  /** These with another source. */
  public Settings withSource(Long source) {
    return with(iterations, source);
  }

  private Settings with(Integer iterations, Long source) {
    return new Settings(
        iterations,
        tolerance,
        source,
        sources,
        ground,
        k,
        damping,
        resolution,
        refine,
        seed,
        sample,
        weighted,
        ratings,
        learning);
  }
}
