package org.sparkgpugraph.benchmarks.placement;

import java.util.Random;
import org.sparkgpugraph.graphs.placement.DirectedGraph;

/**
 * Links of pages as the web has them: hosts of very different sizes, most links inside of a host
 * and there to near pages or its first ones, the others to pages of few neighbouring hosts and,
 * some, to popular hosts anywhere. Ids are in the order of URLs: host by host.
 */
final class WebGraph {
  private static final double INSIDE = 0.85;
  private static final double NEAR = 0.7;
  private static final int NEIGHBOURS = 8;

  private WebGraph() {}

  /**
   * Draws a graph.
   *
   * @param pages number of vertices
   * @param links of each page, on average
   */
  static DirectedGraph of(int pages, int links, long seed) {
    Random random = new Random(seed);
    int[] first = new int[pages + 1];
    int[] host = new int[pages];
    int hosts = 0;
    for (int page = 0; page < pages; hosts++) {
      // Pareto, exponent 1.2 or so, at most 20 000 pages.
      int size = (int) Math.min(20_000, 5 / Math.pow(random.nextDouble(), 1 / 1.2));
      first[hosts] = page;
      for (int i = 0; i < size && page < pages; i++) {
        host[page++] = hosts;
      }
    }
    first[hosts] = pages;
    int[] sources = new int[pages * links];
    int[] destinations = new int[pages * links];
    for (int e = 0; e < sources.length; e++) {
      int page = e / links;
      int own = host[page];
      int begin = first[own];
      int size = first[own + 1] - begin;
      sources[e] = page;
      if (random.nextDouble() < INSIDE) {
        destinations[e] =
            random.nextInt(3) == 0
                ? begin + (int) (size * Math.pow(random.nextDouble(), 4))
                : begin + Math.floorMod(page - begin + 1 + random.nextInt(20), size);
      } else {
        int other =
            random.nextDouble() < NEAR
                ? Math.floorMod(own + random.nextInt(2 * NEIGHBOURS) - NEIGHBOURS, hosts)
                : (int) (hosts * Math.pow(random.nextDouble(), 3));
        int pagesThere = first[other + 1] - first[other];
        destinations[e] = first[other] + (int) (pagesThere * Math.pow(random.nextDouble(), 4));
      }
    }
    return DirectedGraph.of(pages, sources, destinations);
  }
}
