package org.sparkgpugraph.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;

/**
 * Small graphs with planted groups, each drawn by its seed: 8 to 500 vertices, groups that are easy
 * or hard to tell apart, edges in either direction, some of them loops or parallel to others. What
 * stands in {@code louvain-medians.txt} was found on these graphs: who changes how they are drawn
 * makes that file anew.
 */
public final class PlantedGroups {
  /** How many there are: seeds are 0 to this − 1. */
  public static final int COUNT = 200;

  private PlantedGroups() {}

  /** Whether the weights of a seed's graph differ from 1. */
  public static boolean isWeighted(int seed) {
    return seed % 5 != 0;
  }

  /** The graph of a seed. */
  public static TestGraph<Double, Double> of(int seed) {
    Random random = new Random(7919L * seed + 1);
    int n = (int) Math.round(8 * Math.pow(62.5, seed / (COUNT - 1.0)));
    int groups = 2 + random.nextInt((int) Math.sqrt(n));
    double mixing = 0.05 + 0.55 * random.nextDouble();
    int edges = n * (3 + random.nextInt(8)) / 2;
    List<long[]> ends = new ArrayList<>();
    List<Double> weights = new ArrayList<>();
    for (int e = 0; e < edges; e++) {
      int one = random.nextInt(n);
      int other = random.nextInt(n);
      boolean inside = random.nextDouble() >= mixing;
      if (inside) {
        // Vertices of a group have the same remainder.
        other = other / groups * groups + one % groups;
        other = other < n ? other : one % groups;
      }
      if (one == other && random.nextInt(4) > 0) {
        continue;
      }
      double weight = inside ? 1 + 4 * random.nextDouble() : 0.2 + 3 * random.nextDouble();
      int times = random.nextInt(12) == 0 ? 2 : 1;
      for (int i = 0; i < times; i++) {
        ends.add(i == 0 ? new long[] {one, other} : new long[] {other, one});
        weights.add(isWeighted(seed) ? Math.round(weight * 1000) / 1000.0 : 1.0);
      }
    }
    return new TestGraph<>(
        "planted groups " + seed,
        LongStream.range(0, n).toArray(),
        Collections.nCopies(n, 0.0),
        ends.stream().mapToLong(e -> e[0]).toArray(),
        ends.stream().mapToLong(e -> e[1]).toArray(),
        weights);
  }
}
