package org.sparkgpugraph.algorithm;

import java.util.List;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.VertexResult;
import org.sparkgpugraph.algorithm.support.Checks;
import org.sparkgpugraph.algorithm.support.Internals;
import org.sparkgpugraph.engine.louvain.LouvainOperator;
import org.sparkgpugraph.run.RunOptions;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * Communities of high modularity (Blondel, Guillaume, Lambiotte, Lefebvre: Fast unfolding of
 * communities in large networks, Journal of Statistical Mechanics P10008, 2008). Each vertex gets
 * the smallest id of its community. With A(i, j) the weight of the edges between i and j in both
 * directions, k(i) its sum over j, 2m the sum of all k, and c(i) a vertex's community, it looks for
 * communities of a large
 *
 * <pre>{@code
 * Q = 1/2m · Σ over i, j with c(i) = c(j) of (A(i, j) − γ · k(i) · k(j) / 2m)
 * }</pre>
 *
 * <p>Directions are left out: an edge is undirected whichever way it goes, parallel edges and pairs
 * of opposite ones add up, a loop counts twice in A(i, i). So an undirected graph with every edge
 * in both directions has the same communities as one that has each once. A vertex without edges is
 * its own community.
 *
 * <p><b>How.</b> Each vertex begins alone. In a sweep every vertex moves to where Q grows most,
 * among the communities of its neighbours; of equally good ones it takes that of the smallest
 * number, and stays where nothing is better. Sweeps end when one adds less than {@code minGain}, or
 * less than a 500th of what the level has added by then. Then communities become the vertices of
 * the next level, and all begins again, until a level adds less than {@code minGain} or there are
 * {@code maxLevels}.
 *
 * <p>In a level of at most 4096 vertices, and those behind it, vertices decide one after the other,
 * as Blondel's do, in up to 16 orders (2^18 entries of rows together, but one at least), and what
 * comes to the largest Q is kept. In a larger level a sweep works in eight classes, drawn by a hash
 * of the vertices. Those of a class decide at the same time, on what was before. Of a state that is
 * worse than the one before the better one is kept. Weights are summed up as multiples of a unit
 * (2^-35 of the largest one where there are 2^23 edges, at least 2^-40), so the result is the same
 * every time, whatever the engine, the number of threads, partitions and executors, and whatever
 * positive number all weights are multiplied by; one below half of the unit counts as 0.
 *
 * <p><b>Connected communities.</b> A vertex that holds a community together may leave it, so what
 * is left need not be connected. With {@code refine} it is: behind each level communities are put
 * together again of single vertices, and the parts that come out are the vertices of the next level
 * (Traag, Waltman, van Eck: From Louvain to Leiden, Scientific Reports 9, 2019; but a vertex joins
 * the part where Q grows most, and none is drawn). In the end every community is connected by edges
 * of positive weight among its members, whatever {@code maxLevels} is. It takes up to twice as
 * long, and 32 bytes more for every vertex of the whole graph.
 *
 * <p><b>Cost.</b> A sweep looks at the edges of vertices of which a neighbour has moved, at both
 * ends; the first at all. Each executor keeps 33 bytes for every vertex of the whole graph, and
 * behind the first level 24 bytes (12 at both ends) for every connection between two communities.
 * Over several executors a class is a round, in which each tells all others which of its vertices
 * move; a level of at most 131072 vertices and 16.8 million (2^24) connections is computed by one
 * of them, which gets the rows of all, up to 64 bytes for each connection: at most 1 GiB.
 *
 * <p><b>On a GPU</b> it finds the same to the bit, of a graph that one executor holds; a level of
 * at most 4096 vertices is the CPU's, and where the GPU has no room all of it is. Over several
 * executors it runs on the CPU under engine auto, others refuse.
 *
 * <p>The result of {@code maxLevels} n is that of n levels of a longer run: what a run has found on
 * its way is asked for by another one. Its communities are parts of those of the next level, unless
 * they are refined. GraphX has no such algorithm.
 */
public class Louvain {
  /** Only for classes with more ways in. */
  protected Louvain() {}

  /**
   * What to look for.
   *
   * @param gamma γ, the resolution, above 0; larger: smaller communities
   * @param maxLevels most levels, at least 1
   * @param minGain modularity that a sweep, and a level, must add for another one to follow; 0 or
   *     more
   * @param refine whether communities are refined, so that each is connected
   */
  public record Conf(double gamma, int maxLevels, double minGain, boolean refine) {
    /** Modularity as it was defined first, to the end, not refined. */
    public static final Conf DEFAULT = new Conf(1, 100, 1e-6, false);

    public Conf {
      Checks.resolution(gamma);
      if (maxLevels < 1) {
        throw new IllegalArgumentException("maxLevels must be at least 1, but got " + maxLevels);
      }
      if (!(minGain >= 0)) {
        throw new IllegalArgumentException("minGain must be no less than 0, but got " + minGain);
      }
    }

    /** The same with another resolution. */
    public Conf withGamma(double gamma) {
      return new Conf(gamma, maxLevels, minGain, refine);
    }

    /** The same with another number of levels. */
    public Conf withMaxLevels(int maxLevels) {
      return new Conf(gamma, maxLevels, minGain, refine);
    }

    /** The same with another bound on the gain. */
    public Conf withMinGain(double minGain) {
      return new Conf(gamma, maxLevels, minGain, refine);
    }

    /** The same with communities that are refined, or not. */
    public Conf withRefine(boolean refine) {
      return new Conf(gamma, maxLevels, minGain, refine);
    }
  }

  /** Runs on a resident graph whose edges count 1 each. */
  public static VertexResult<Long> run(ResidentGraph<?, ?> graph, Conf conf, RunOptions options) {
    return Internals.run(graph, operator(false, conf), options);
  }

  /**
   * Runs on a resident graph whose edge values are weights.
   *
   * @throws IllegalArgumentException when a weight is negative, NaN or infinite
   */
  public static VertexResult<Long> runWeighted(
      ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    return Internals.run(graph, operator(true, conf), options);
  }

  /** Tells what {@link #run(ResidentGraph, Conf, RunOptions)} would do. */
  public static String explain(ResidentGraph<?, ?> graph, Conf conf, RunOptions options) {
    return Internals.explain(graph, operator(false, conf), options);
  }

  /** Tells what {@link #runWeighted(ResidentGraph, Conf, RunOptions)} would do. */
  public static String explainWeighted(
      ResidentGraph<?, Double> graph, Conf conf, RunOptions options) {
    return Internals.explain(graph, operator(true, conf), options);
  }

  /**
   * The modularity that a run has reached.
   *
   * @param report of the run: {@link VertexResult#report}, or what the observer was told
   */
  public static double modularity(RunReport report) {
    return told(report)[LouvainOperator.MODULARITY];
  }

  /** The number of levels that put communities together; 0: every vertex is alone. */
  public static int levels(RunReport report) {
    return (int) told(report)[LouvainOperator.LEVELS];
  }

  /** The number of communities, those of single vertices too. */
  public static long communities(RunReport report) {
    return (long) told(report)[LouvainOperator.COMMUNITIES];
  }

  private static double[] told(RunReport report) {
    List<SuperstepStats> rounds = report.summary().supersteps();
    return rounds.get(rounds.size() - 1).aggregates();
  }

  protected static LouvainOperator operator(boolean weighted, Conf conf) {
    return new LouvainOperator(
        weighted,
        conf.gamma(),
        conf.maxLevels(),
        conf.minGain(),
        conf.refine(),
        LouvainOperator.Limits.USUAL);
  }
}
