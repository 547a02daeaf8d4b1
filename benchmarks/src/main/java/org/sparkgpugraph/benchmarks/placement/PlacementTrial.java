package org.sparkgpugraph.benchmarks.placement;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.sparkgpugraph.benchmarks.GraphSpec;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.graphs.model.EdgeBlock;
import org.sparkgpugraph.graphs.placement.DirectedGraph;
import org.sparkgpugraph.graphs.placement.Nets;
import org.sparkgpugraph.graphs.placement.Partitioner;
import org.sparkgpugraph.graphs.placement.WeightedGraph;

/**
 * Counts boundary updates of a superstep that changes every vertex, for ranges of ids and for other
 * placements: those of all vertices, and those of vertices that an edge points at, which alone have
 * something new to say in most supersteps.
 *
 * <pre>
 * PlacementTrial [shards = 2,4,8] [imbalance = 1.15] [GRAPH…]
 * </pre>
 *
 * A graph is one of {@link GraphSpec} (rmat20, lattice1024, holes1024: roads), {@code web20} (2^20
 * pages, 12 links each) or a text file of edges; with {@code ~} in front its ids are shuffled.
 */
public final class PlacementTrial {
  private static final long SEED = 42;

  /** Over all vertices, to spare updates. */
  private static final int PASSES = 4;

  private PlacementTrial() {}

  /** Runs it and prints a table. */
  public static void main(String[] args) {
    int[] shards =
        Arrays.stream((args.length > 0 ? args[0] : "2,4,8").split(","))
            .mapToInt(Integer::parseInt)
            .toArray();
    double imbalance = args.length > 1 ? Double.parseDouble(args[1]) : 1.15;
    List<String> graphs =
        args.length > 2
            ? List.of(args).subList(2, args.length)
            : List.of("rmat20", "lattice1024", "~lattice1024", "~holes1024", "web20", "~web20");
    TextTable table =
        new TextTable(
            "graph",
            "shards",
            "placement",
            "updates",
            "a vertex",
            "fewer",
            "of hearing",
            "fewer",
            "fullest",
            "seconds");
    for (String name : graphs) {
      DirectedGraph graph = graph(name);
      WeightedGraph weighted = WeightedGraph.of(graph, false);
      for (int count : shards) {
        measure(name, graph, weighted, new Partitioner(count, imbalance), count, table);
      }
    }
    System.out.print(table);
  }

  private static void measure(
      String name,
      DirectedGraph graph,
      WeightedGraph weighted,
      Partitioner ways,
      int shards,
      TextTable table) {
    Nets nets = Nets.of(graph, graph.reversed());
    DirectedGraph talking = graph.ofHearing();
    Map<String, Supplier<byte[]>> placements = new LinkedHashMap<>();
    byte[][] levels = new byte[1][];
    placements.put("ranges", () -> ways.ranges(weighted));
    placements.put(
        "ranges, updates", () -> ways.spareUpdates(nets, weighted, ways.ranges(weighted), PASSES));
    placements.put("greedy", () -> ways.greedy(weighted, 1));
    placements.put("greedy x 10", () -> ways.greedy(weighted, 10));
    placements.put("breadth-first", () -> ways.breadthFirst(weighted));
    placements.put("levels", () -> levels[0] = ways.levels(weighted));
    placements.put("levels, updates", () -> ways.spareUpdates(nets, weighted, levels[0], PASSES));
    long ranges = 0;
    long rangesTalking = 0;
    for (Map.Entry<String, Supplier<byte[]>> one : placements.entrySet()) {
      long start = System.nanoTime();
      byte[] shard = one.getValue().get();
      double seconds = (System.nanoTime() - start) / 1e9;
      long updates = graph.boundary(shard);
      long told = talking.boundary(shard);
      ranges = ranges == 0 ? updates : ranges;
      rangesTalking = rangesTalking == 0 ? told : rangesTalking;
      long fullest = LongStream.of(ways.held(weighted, shard)).max().orElseThrow();
      table.add(
          List.of(
              name,
              String.valueOf(shards),
              one.getKey(),
              String.valueOf(updates),
              String.format(Locale.ROOT, "%.3f", (double) updates / graph.vertices()),
              String.format(Locale.ROOT, "%.2f", (double) ranges / updates),
              String.valueOf(told),
              String.format(Locale.ROOT, "%.2f", (double) rangesTalking / told),
              String.format(Locale.ROOT, "%.2f", (double) fullest * shards / weighted.totalLoad()),
              String.format(Locale.ROOT, "%.1f", seconds)));
    }
  }

  // ---- graphs -----------------------------------------------------------------------------------

  static DirectedGraph graph(String name) {
    if (name.startsWith("~")) {
      return shuffled(graph(name.substring(1)), SEED);
    } else if (name.startsWith("web")) {
      return WebGraph.of(1 << Integer.parseInt(name.substring(3)), 12, SEED);
    } else if (Files.exists(Path.of(name))) {
      return file(Path.of(name));
    }
    List<EdgeBlock> blocks = GraphSpec.of(name, 1).edges(null);
    int edges = blocks.stream().mapToInt(EdgeBlock::size).sum();
    long[] sources = new long[edges];
    long[] destinations = new long[edges];
    int at = 0;
    for (EdgeBlock block : blocks) {
      for (int e = 0; e < block.size(); e++) {
        sources[at] = block.source(e);
        destinations[at++] = block.destination(e);
      }
    }
    return dense(sources, destinations);
  }

  /** The same graph with ids that tell nothing. */
  static DirectedGraph shuffled(DirectedGraph graph, long seed) {
    Random random = new Random(seed);
    int vertices = graph.vertices();
    int[] id = new int[vertices];
    for (int v = 0; v < vertices; v++) {
      int other = random.nextInt(v + 1);
      id[v] = id[other];
      id[other] = v;
    }
    int[] sources = new int[graph.edges()];
    int[] destinations = new int[graph.edges()];
    for (int v = 0; v < vertices; v++) {
      for (int e = graph.offsets()[v]; e < graph.offsets()[v + 1]; e++) {
        sources[e] = id[v];
        destinations[e] = id[graph.targets()[e]];
      }
    }
    return DirectedGraph.of(vertices, sources, destinations);
  }

  private static DirectedGraph file(Path path) {
    try {
      List<String[]> lines =
          Files.readAllLines(path).stream()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.trim().split("[\\s,]+"))
              .toList();
      return dense(
          lines.stream().mapToLong(line -> Long.parseLong(line[0])).toArray(),
          lines.stream().mapToLong(line -> Long.parseLong(line[1])).toArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends of edges as vertices, in ascending order; ids without an edge are none. */
  private static DirectedGraph dense(long[] sources, long[] destinations) {
    int most = (int) Math.max(max(sources), max(destinations)) + 1;
    int[] vertex = new int[most];
    for (int e = 0; e < sources.length; e++) {
      vertex[(int) sources[e]] = 1;
      vertex[(int) destinations[e]] = 1;
    }
    int vertices = 0;
    for (int id = 0; id < most; id++) {
      int isVertex = vertex[id];
      vertex[id] = vertices;
      vertices += isVertex;
    }
    return DirectedGraph.of(
        vertices,
        LongStream.of(sources).mapToInt(id -> vertex[(int) id]).toArray(),
        LongStream.of(destinations).mapToInt(id -> vertex[(int) id]).toArray());
  }

  private static long max(long[] ids) {
    return LongStream.of(ids).max().orElseThrow();
  }
}
