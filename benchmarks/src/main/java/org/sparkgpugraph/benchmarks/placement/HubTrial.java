package org.sparkgpugraph.benchmarks.placement;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.graphs.placement.DirectedGraph;
import org.sparkgpugraph.graphs.placement.NeighbourPlacement;
import org.sparkgpugraph.graphs.placement.Nets;
import org.sparkgpugraph.graphs.placement.Partitioner;
import org.sparkgpugraph.graphs.placement.WeightedGraph;

/**
 * Counts what shards would tell each other in a superstep that changes every vertex that an edge
 * points at, if in-edges of hubs were held where their sources are, and each shard sent a hub one
 * partial message ({@link Nets}): in ranges of ids and beside their neighbours. Rows without hubs
 * are what there is; <i>least</i> is what any choice of hubs, pair of shards by pair, could reach
 * with the vertices there ({@link LeastCover}).
 *
 * <pre>
 * HubTrial [shards = 2,4,8] [degrees = 16,32,64,128] [imbalance = 1.15] [GRAPH…]
 * </pre>
 *
 * Graphs as in {@link PlacementTrial}. Vertices with more in-edges than a degree are hubs.
 */
public final class HubTrial {
  private HubTrial() {}

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int[] shards = numbers(args.length > 0 ? args[0] : "2,4,8");
    int[] degrees = numbers(args.length > 1 ? args[1] : "16,32,64,128");
    double imbalance = args.length > 2 ? Double.parseDouble(args[2]) : 1.15;
    List<String> graphs =
        args.length > 3
            ? List.of(args).subList(3, args.length)
            : List.of("rmat18", "~web18", "~lattice512");
    TextTable table =
        new TextTable(
            "graph",
            "shards",
            "hubs above",
            "hubs",
            "edges",
            "placement",
            "values",
            "partials",
            "fewer",
            "least",
            "load",
            "edges there",
            "vertices",
            "most in",
            "in tree",
            "seconds");
    for (String name : graphs) {
      DirectedGraph graph = PlacementTrial.graph(name);
      for (int count : shards) {
        new Rows(name, graph, count, imbalance, table).add(degrees);
      }
    }
    System.out.print(table);
  }

  private static int[] numbers(String list) {
    return Arrays.stream(list.split(",")).mapToInt(Integer::parseInt).toArray();
  }

  /** The rows of a graph on a number of shards. */
  private record Rows(
      String name, DirectedGraph graph, int shards, double imbalance, TextTable table) {
    void add(int[] degrees) {
      WeightedGraph weighted = WeightedGraph.of(graph, false);
      DirectedGraph talking = graph.ofHearing();
      int[] all = Arrays.copyOf(degrees, degrees.length + 1);
      all[degrees.length] = Integer.MAX_VALUE;
      Arrays.sort(all);
      long ranges = 0;
      for (int i = all.length - 1; i >= 0; i--) {
        Nets nets = Nets.cut(graph, all[i]);
        WeightedGraph loaded = weighted.with(Nets.loads(graph, all[i]));
        Partitioner ways = new Partitioner(shards, imbalance);
        byte[] inRanges = ways.ranges(loaded);
        ranges = ranges == 0 ? HubMessages.of(nets, inRanges, shards).all() : ranges;
        add(all[i], nets, talking, "ranges", inRanges, ranges, 0);
        long start = System.nanoTime();
        byte[] placed = NeighbourPlacement.moved(nets, loaded, ways.levels(loaded), inRanges, ways);
        double seconds = (System.nanoTime() - start) / 1e9;
        add(all[i], nets, talking, "neighbours", placed, ranges, seconds);
      }
    }

    private void add(
        int degree,
        Nets nets,
        DirectedGraph talking,
        String placement,
        byte[] shard,
        long ranges,
        double seconds) {
      HubMessages sent = HubMessages.of(nets, shard, shards);
      long least = LeastCover.of(talking, shard, shards);
      double mean = Math.max(1, (double) sent.all() / shards);
      long[] load = Nets.loads(graph, degree);
      long[] walked = Arrays.stream(load).map(all -> all - 1).toArray();
      long[] one = new long[graph.vertices()];
      Arrays.fill(one, 1);
      int[] inDegrees = graph.inDegrees();
      table.add(
          List.of(
              name,
              String.valueOf(shards),
              degree == Integer.MAX_VALUE ? "none" : String.valueOf(degree),
              String.valueOf(nets.hubs()),
              number(
                  Arrays.stream(inDegrees).filter(d -> d > degree).asLongStream().sum()
                      / (double) graph.edges()),
              placement,
              String.valueOf(sent.values()),
              String.valueOf(sent.partials()),
              number((double) ranges / sent.all()),
              number((double) ranges / least),
              number(fullest(shard, load)),
              number(fullest(shard, walked)),
              number(fullest(shard, one)),
              number(sent.most() / mean),
              number(sent.mostInTree() / mean),
              number(seconds)));
    }

    /** How many times its share the fullest shard has. */
    private double fullest(byte[] shard, long[] load) {
      long[] loads = new long[shards];
      for (int v = 0; v < shard.length; v++) {
        loads[shard[v]] += load[v];
      }
      return (double) Arrays.stream(loads).max().orElseThrow()
          * shards
          / Arrays.stream(loads).sum();
    }

    private static String number(double value) {
      return String.format(Locale.ROOT, "%.2f", value);
    }
  }
}
