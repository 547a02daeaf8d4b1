package org.sparkgpugraph.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.testing.TestGraph;
import org.sparkgpugraph.testing.TestProgram;

/** Seeded programs that may tell hubs partial messages, and graphs that have hubs. */
public final class HubPrograms {
  private HubPrograms() {}

  /** What makes programs differ in how hubs are told. */
  public enum Kind {
    /** Every edge counts in every superstep. */
    EVERY_VERTEX,
    /** The same, with values of edges and two columns a message. */
    EVERY_VERTEX_EDGES,
    /** Updated in place, where it may read the value that a hub had; else hubs are not told. */
    LABELS,
    /** The same, where rows may stop early. */
    LEVELS,
    /** The same with values of edges, and no hubs where it goes on in order of priority. */
    PATHS,
    /** Only active sources speak. */
    LEAST,
    /** Edges with an active end: those of inactive sources say nothing. */
    LEAST_EITHER,
    /** Only active sources speak, and say something else each time. */
    ACTIVE_SUM,
    /** Who is active is the program's own business. */
    ACTIVE_WHEN,
    /** Messages of hubs come and go. */
    FADING,
  }

  /** A program of a kind. */
  public static TestProgram<?, ?, ?, ?, ?> of(Kind kind, Random random) {
    int limit = 1 + random.nextInt(6);
    return switch (kind) {
      case EVERY_VERTEX ->
          sums(kind)
              .everyVertex(0L)
              .vertex((id, value, message) -> value * 3 + message)
              .send(edge -> edge.sendToDst(edge.srcAttr()))
              .maxIterations(limit);
      case EVERY_VERTEX_EDGES ->
          new TestProgram<Long, Integer, Long, Pair, Long>(
                  kind.name(), Long.class, Integer.class, Pair.class, Long.class)
              .inputs(r -> (long) r.nextInt(50), r -> r.nextInt(7))
              .everyVertex(new Pair(1, -1))
              .vertex((id, value, message) -> value + message.sum() - 5L * message.most())
              .send(
                  edge -> {
                    if (edge.attr() > 1) {
                      edge.sendToDst(
                          new Pair(edge.srcAttr() * edge.attr(), (int) (edge.srcId() % 100)));
                    }
                  })
              .merge((a, b) -> new Pair(a.sum() + b.sum(), Math.max(a.most(), b.most())))
              .maxIterations(limit);
      case LABELS ->
          least(kind)
              .direction(random.nextBoolean() ? ActiveDirection.OUT : ActiveDirection.EITHER)
              .send(
                  edge -> {
                    if (edge.srcAttr() < edge.dstAttr()) {
                      edge.sendToDst(edge.srcAttr());
                    }
                  });
      case LEVELS -> levels();
      case PATHS ->
          PushedShardsTest.shortestPaths().inputs(HubPrograms::start, HubPrograms::length);
      case LEAST -> least(kind).direction(ActiveDirection.OUT).maxIterations(limit + 3);
      case LEAST_EITHER -> least(kind).direction(ActiveDirection.EITHER).maxIterations(limit + 3);
      case ACTIVE_SUM ->
          sums(kind)
              .initial(0L)
              .direction(ActiveDirection.OUT)
              .vertex((id, value, message) -> (value + message) % 1000)
              .send(
                  edge -> {
                    if (edge.srcAttr() % 4 != 0) {
                      edge.sendToDst(edge.srcAttr() + edge.attr());
                    }
                  })
              .maxIterations(limit);
      case ACTIVE_WHEN ->
          sums(kind)
              .initial(0L)
              .direction(ActiveDirection.OUT)
              .vertex((id, value, message) -> (value + message) % 1000)
              .activeWhen((id, before, after) -> after % 3 != 0)
              .send(edge -> edge.sendToDst(edge.srcAttr()))
              .maxIterations(limit + 3);
      case FADING ->
          sums(kind)
              .initial(0L)
              .direction(ActiveDirection.EITHER)
              .vertex((id, value, message) -> (value + message) % 10)
              .send(
                  edge -> {
                    if (edge.srcAttr() < 2) {
                      edge.sendToDst(edge.srcAttr() + 1);
                    }
                  })
              .maxIterations(limit + 3);
    };
  }

  /** Hops from the starts. */
  public static TestProgram<Long, Integer, Long, Long, Long> levels() {
    return least(Kind.LEVELS)
        .inputs(r -> r.nextInt(9) == 0 ? 3L * r.nextInt(2) : Long.MAX_VALUE, r -> 1)
        .direction(ActiveDirection.OUT)
        .send(
            edge -> {
              if (edge.srcAttr() != Long.MAX_VALUE && edge.srcAttr() + 1 < edge.dstAttr()) {
                edge.sendToDst(edge.srcAttr() + 1);
              }
            });
  }

  private static Double start(Random random) {
    return random.nextInt(9) == 0 ? random.nextInt(50) : Double.POSITIVE_INFINITY;
  }

  private static Double length(Random random) {
    return (double) random.nextInt(9);
  }

  /** A message of two columns. */
  public record Pair(long sum, int most) {}

  private static TestProgram<Long, Integer, Long, Long, Long> sums(Kind kind) {
    return new TestProgram<Long, Integer, Long, Long, Long>(
            kind.name(), Long.class, Integer.class, Long.class, Long.class)
        .inputs(r -> (long) r.nextInt(50), r -> r.nextInt(7))
        .merge(Long::sum);
  }

  private static TestProgram<Long, Integer, Long, Long, Long> least(Kind kind) {
    return new TestProgram<Long, Integer, Long, Long, Long>(
            kind.name(), Long.class, Integer.class, Long.class, Long.class)
        .inputs(r -> r.nextInt(9) == 0 ? (long) r.nextInt(50) : Long.MAX_VALUE, r -> r.nextInt(7))
        .initial(Long.MAX_VALUE)
        .vertex((id, value, message) -> Math.min(value, message))
        .send(
            edge -> {
              if (edge.srcAttr() < Long.MAX_VALUE) {
                edge.sendToDst(edge.srcAttr() + edge.attr());
              }
            })
        .merge(Math::min);
  }

  /**
   * Some vertices at which most edges point, from anywhere; ends that are alone, loops, parallels.
   */
  public static TestGraph<Object, Object> graph(Random random) {
    int n = 2 + random.nextInt(120);
    int hubs = 1 + random.nextInt(5);
    List<int[]> edges = new ArrayList<>();
    for (int e = random.nextInt(8 * n); e > 0; e--) {
      int to = random.nextInt(3) == 0 ? random.nextInt(n) : random.nextInt(hubs) * n / hubs;
      edges.add(new int[] {random.nextInt(n), to});
    }
    return named("hubs", n, edges, random);
  }

  /** Layers of vertices, most of whose edges go from one to the next; other ends are anywhere. */
  public static TestGraph<Object, Object> layers(Random random) {
    int layers = 3 + random.nextInt(6);
    int width = 10 + random.nextInt(20);
    List<int[]> edges = new ArrayList<>();
    for (int v = width; v < layers * width; v++) {
      for (int e = random.nextInt(12); e > 0; e--) {
        edges.add(new int[] {(v / width - 1) * width + random.nextInt(width), v});
      }
      if (random.nextInt(9) == 0) {
        edges.add(new int[] {random.nextInt(layers * width), v});
      }
    }
    return named("layers", layers * width, edges, random);
  }

  private static TestGraph<Object, Object> named(
      String name, int n, List<int[]> edges, Random random) {
    long step = 1 + random.nextInt(1000);
    long first = random.nextInt(2000) - 1000;
    return new TestGraph<>(
        name,
        LongStream.range(0, n).map(v -> first + v * step).toArray(),
        null,
        edges.stream().mapToLong(edge -> first + edge[0] * step).toArray(),
        edges.stream().mapToLong(edge -> first + edge[1] * step).toArray(),
        null);
  }
}
