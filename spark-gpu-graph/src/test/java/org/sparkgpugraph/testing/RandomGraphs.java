package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Seeded small graphs of every shape that has ever broken a graph engine. */
public final class RandomGraphs {
  private RandomGraphs() {}

  /** The shapes. */
  public enum Shape {
    EMPTY,
    ONE_VERTEX,
    ONE_VERTEX_WITH_LOOPS,
    NO_EDGES,
    PATH,
    CYCLE,
    STAR_IN,
    STAR_OUT,
    LATTICE,
    UNIFORM,
    SKEWED,
    DISCONNECTED,
    PARALLEL,
    BIPARTITE_HUBS
  }

  /** How dense indexes become vertex ids. */
  private enum Naming {
    DENSE,
    OFFSET,
    SPARSE,
    NEGATIVE,
    HUGE
  }

  /** Groups of vertices with some edges inside of them and some anywhere. */
  public static TestGraph<Double, Double> planted(int groups, int size, int inside, int between) {
    Random random = new Random(9);
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < groups * size; v++) {
      for (int i = 0; i < inside; i++) {
        edges.add(new int[] {v, v / size * size + random.nextInt(size)});
      }
      for (int i = 0; i < between; i++) {
        edges.add(new int[] {v, random.nextInt(groups * size)});
      }
    }
    return TestGraph.ofEdges("planted", groups * size, edges);
  }

  /** A graph of a random shape, without attributes (null). */
  public static TestGraph<Object, Object> any(long seed) {
    Shape[] shapes = Shape.values();
    return of(shapes[new Random(seed).nextInt(shapes.length)], seed);
  }

  /** A graph of one shape, without attributes (null). */
  public static TestGraph<Object, Object> of(Shape shape, long seed) {
    Random random = new Random(seed * 31 + shape.ordinal());
    List<int[]> edges = new ArrayList<>();
    int n = 2 + random.nextInt(random.nextInt(4) == 0 ? 150 : 24);
    switch (shape) {
      case EMPTY -> n = 0;
      case ONE_VERTEX -> n = 1;
      case ONE_VERTEX_WITH_LOOPS -> {
        n = 1;
        add(edges, 1 + random.nextInt(3), 0, 0);
      }
      case NO_EDGES -> {}
      case PATH -> {
        for (int i = 0; i + 1 < n; i++) {
          add(edges, 1, i, i + 1);
        }
      }
      case CYCLE -> {
        for (int i = 0; i < n; i++) {
          add(edges, 1, i, (i + 1) % n);
        }
      }
      case STAR_IN -> {
        for (int i = 1; i < n; i++) {
          add(edges, 1, i, 0);
        }
      }
      case STAR_OUT -> {
        for (int i = 0; i + 1 < n; i++) {
          add(edges, 1, n - 1, i);
        }
      }
      case LATTICE -> {
        int side = (int) Math.sqrt(n);
        for (int i = 0; i < side * side; i++) {
          if (i % side + 1 < side) {
            add(edges, 1, i, i + 1);
            add(edges, 1, i + 1, i);
          }
          if (i + side < side * side) {
            add(edges, 1, i, i + side);
          }
        }
      }
      case UNIFORM -> random(edges, random, 0, n, n * (1 + random.nextInt(4)));
      case SKEWED -> {
        for (int i = 0; i < 3 * n; i++) {
          int a = (int) (n * Math.pow(random.nextDouble(), 4));
          int b = (int) (n * Math.pow(random.nextDouble(), 2));
          add(edges, 1, random.nextBoolean() ? a : b, random.nextBoolean() ? b : a);
        }
      }
      case DISCONNECTED -> {
        int cut = 1 + random.nextInt(n - 1);
        random(edges, random, 0, cut, 2 * cut);
        random(edges, random, cut, n - cut, n);
      }
      case PARALLEL -> {
        for (int i = 0; i < n; i++) {
          add(edges, 1 + random.nextInt(4), random.nextInt(n), random.nextInt(n));
        }
        add(edges, 2, 0, 0);
      }
      case BIPARTITE_HUBS -> {
        for (int i = 2; i < n; i++) {
          add(edges, 1, i, i % 2);
          if (random.nextBoolean()) {
            add(edges, 1, i % 2, i);
          }
        }
      }
    }
    // A few isolated vertices, at random places of the order of ids.
    int vertices = shape == Shape.EMPTY ? 0 : n + random.nextInt(4);
    long[] ids = names(random, vertices);
    Collections.shuffle(edges, random);
    long[] sources = edges.stream().mapToLong(edge -> ids[edge[0]]).toArray();
    long[] destinations = edges.stream().mapToLong(edge -> ids[edge[1]]).toArray();
    return new TestGraph<>(
        shape + " seed " + seed,
        ids,
        Collections.nCopies(vertices, null),
        sources,
        destinations,
        Collections.nCopies(edges.size(), null));
  }

  private static void add(List<int[]> edges, int times, int source, int destination) {
    for (int i = 0; i < times; i++) {
      edges.add(new int[] {source, destination});
    }
  }

  private static void random(List<int[]> edges, Random random, int first, int n, int count) {
    for (int i = 0; i < count; i++) {
      add(edges, 1, first + random.nextInt(n), first + random.nextInt(n));
    }
  }

  private static long[] names(Random random, int n) {
    Naming naming = Naming.values()[random.nextInt(Naming.values().length)];
    Set<Long> taken = new HashSet<>();
    long[] ids = new long[n];
    for (int i = 0; i < n; i++) {
      do {
        ids[i] =
            switch (naming) {
              case DENSE -> i;
              case OFFSET -> 1_000_000L + i;
              case SPARSE -> random.nextInt(20 * n + 1);
              case NEGATIVE -> random.nextInt(4 * n + 1) - 2L * n;
              case HUGE -> extreme(random);
            };
      } while (!taken.add(ids[i]));
    }
    if (random.nextBoolean()) {
      List<Long> shuffled = new ArrayList<>(Arrays.stream(ids).boxed().toList());
      Collections.shuffle(shuffled, random);
      return shuffled.stream().mapToLong(Long::longValue).toArray();
    }
    return ids;
  }

  private static long extreme(Random random) {
    return switch (random.nextInt(20)) {
      case 0 -> Long.MIN_VALUE;
      case 1 -> Long.MAX_VALUE;
      case 2 -> 1L << 32;
      case 3 -> -1;
      default -> random.nextLong();
    };
  }
}
