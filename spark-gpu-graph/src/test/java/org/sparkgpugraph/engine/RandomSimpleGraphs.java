package org.sparkgpugraph.engine;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;

/** Random graphs for tests of engines: self-loops, parallel edges, holes and isolated vertices. */
public final class RandomSimpleGraphs {
  private RandomSimpleGraphs() {}

  /**
   * A graph with edge values (LONG, 0 … 9).
   *
   * @param vertices number of vertices, at least 1
   * @param edgesPerVertex on average
   * @param skewed few vertices have most of the edges
   * @param holes some ids that edges name do not exist
   * @param partitions number of partitions; some may be empty
   */
  public static SimpleGraph of(
      Random random,
      int vertices,
      int edgesPerVertex,
      boolean skewed,
      boolean holes,
      int partitions) {
    int n = vertices;
    int m = n * edgesPerVertex;
    long[] ids = random.longs().distinct().limit(n).sorted().toArray();
    if (random.nextBoolean()) {
      Arrays.setAll(ids, v -> v);
    }
    int[] sources = new int[m];
    int[] destinations = new int[m];
    Columns values = Columns.allocate(List.of(Kind.LONG), m);
    for (int e = 0; e < m; e++) {
      boolean turned = random.nextBoolean();
      int hub = skewed ? (int) (n * Math.pow(random.nextDouble(), 4)) : random.nextInt(n);
      int other = random.nextInt(n);
      sources[e] = turned ? hub : other;
      destinations[e] = turned ? other : hub;
      values.longs(0)[e] = random.nextInt(10);
    }
    boolean[] present = null;
    if (holes) {
      present = new boolean[n];
      for (int v = 0; v < n; v++) {
        present[v] = random.nextInt(5) > 0;
      }
    }
    int[] cuts = random.ints(partitions - 1, 0, n + 1).sorted().toArray();
    return new SimpleGraph(ids, present, sources, destinations, values, cuts);
  }

  /** A graph of one partition with its edges in the order of their sources, as rows have them. */
  public static SimpleGraph bySource(SimpleGraph graph) {
    int m = graph.sources.length;
    int[] order =
        IntStream.range(0, m)
            .boxed()
            .sorted(Comparator.comparingInt(e -> graph.sources[e]))
            .mapToInt(e -> e)
            .toArray();
    Columns values = Columns.allocate(List.of(Kind.LONG), m);
    Arrays.setAll(values.longs(0), e -> graph.edgeValues.longs(0)[order[e]]);
    return new SimpleGraph(
        graph.ids,
        graph.present,
        Arrays.stream(order).map(e -> graph.sources[e]).toArray(),
        Arrays.stream(order).map(e -> graph.destinations[e]).toArray(),
        values);
  }

  /**
   * Vertices with 0, 1, 31, 32, 33, 255, 256, 257 and some more out-edges, parallel ones and loops.
   *
   * @param most out-edges of the last of them
   * @param first the smallest id
   */
  public static SimpleGraph degrees(Random random, int most, long first) {
    int[] degrees = {0, 1, 31, 32, 33, 255, 256, 257, most};
    int n = 300;
    int m = Arrays.stream(degrees).sum();
    int[] sources = new int[m + n];
    int[] destinations = new int[m + n];
    int e = 0;
    for (int i = 0; i < degrees.length; i++) {
      for (int k = 0; k < degrees[i]; k++) {
        sources[e] = 30 * i;
        destinations[e++] = random.nextInt(n);
      }
    }
    for (int v = 0; v < n; v++) {
      // A path, so that there are many supersteps, and some loops.
      sources[e] = v;
      destinations[e++] = v % 17 == 0 ? v : (v + 1) % n;
    }
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 3L * v + first);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }

  /** Attributes of one kind: negative ones too, and some ends of floating point. */
  public static Columns attributes(Random random, Kind kind, int n) {
    Columns attributes = Columns.allocate(List.of(kind), n);
    for (int v = 0; v < n; v++) {
      int value = random.nextInt(1000) - 500;
      switch (kind) {
        case INT -> attributes.ints(0)[v] = value;
        case LONG -> attributes.longs(0)[v] = value * 10_000_000_000L;
        case FLOAT -> attributes.floats(0)[v] = value == 7 ? Float.NEGATIVE_INFINITY : value / 4f;
        default -> attributes.doubles(0)[v] = value == 7 ? Double.POSITIVE_INFINITY : value / 4.0;
      }
    }
    return attributes;
  }
}
