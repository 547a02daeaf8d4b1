package org.sparkgpugraph.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.sparkgpugraph.function.MergeMessage;
import org.sparkgpugraph.function.SendMessage;
import org.sparkgpugraph.function.VertexProgram;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ValueType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.lift.ProgramLifter;
import org.sparkgpugraph.program.lift.SourceBuilder;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/**
 * A program that spreads the least or the largest value, and graphs to run it on.
 *
 * @param worst the value of vertices that have not heard anything
 * @param stops whether rows may stop early
 */
public record SpreadingCase(
    String name, Kind kind, ProgramInstance program, Object worst, boolean stops) {
  /** Kinds of {@link #graph}. */
  public static final int GRAPHS = 5;

  /**
   * A program whose values and messages are of one kind.
   *
   * @param edge kind of the edge values
   */
  public static <V, E> ProgramInstance lift(
      Class<V> value,
      Class<E> edge,
      VertexProgram<V, V> vertexProgram,
      SendMessage<V, E, V> send,
      MergeMessage<V> merge) {
    return ProgramLifter.lift(
        new SourceBuilder()
            .attribute(ValueType.of(value))
            .edge(ValueType.of(edge))
            .message(ValueType.of(value))
            .vertexProgram(vertexProgram)
            .send(send)
            .merge(merge)
            .build());
  }

  /** Steps along an edge count one, backwards nine. */
  private static ProgramInstance furtherBackwards() {
    VertexProgram<Integer, Integer> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Integer, Double, Integer> send =
        e -> {
          if (e.srcAttr() < Integer.MAX_VALUE - 1 && e.srcAttr() + 1 < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + 1);
          }
          if (e.dstAttr() < Integer.MAX_VALUE - 9 && e.dstAttr() + 9 < e.srcAttr()) {
            e.sendToSrc(e.dstAttr() + 9);
          }
        };
    return lift(Integer.class, Double.class, nearer, send, Math::min);
  }

  /** A case by its name. */
  public static SpreadingCase of(String name) {
    return programs().stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  /** Levels, labels and paths of each kind of number. */
  public static List<SpreadingCase> programs() {
    VertexProgram<Integer, Integer> nearer = (id, own, message) -> Math.min(own, message);
    SendMessage<Integer, Double, Integer> levels =
        e -> {
          if (e.srcAttr() != Integer.MAX_VALUE && e.srcAttr() + 1 < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + 1);
          }
        };
    SendMessage<Integer, Double, Integer> bothEnds =
        e -> {
          if (e.srcAttr() < Integer.MAX_VALUE && e.srcAttr() + 1 < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + 1);
          }
          if (e.dstAttr() < Integer.MAX_VALUE && e.dstAttr() + 1 < e.srcAttr()) {
            e.sendToSrc(e.dstAttr() + 1);
          }
        };
    VertexProgram<Long, Long> larger = (id, own, message) -> Math.max(own, message);
    SendMessage<Long, Double, Long> backwards =
        e -> {
          if (e.dstAttr() > e.srcAttr()) {
            e.sendToSrc(e.dstAttr());
          }
        };
    VertexProgram<Float, Float> fewer = (id, own, message) -> Math.min(own, message);
    SendMessage<Float, Double, Float> halves =
        e -> {
          if (e.srcAttr() * 0.5f < e.dstAttr()) {
            e.sendToDst(e.srcAttr() * 0.5f);
          }
        };
    VertexProgram<Double, Double> more = (id, own, message) -> Math.max(own, message);
    SendMessage<Double, Double, Double> fades =
        e -> {
          if (e.srcAttr() - 1 > e.dstAttr()) {
            e.sendToDst(e.srcAttr() - 1);
          }
        };
    VertexProgram<Double, Double> shorter = (id, own, message) -> Math.min(own, message);
    SendMessage<Double, Double, Double> paths =
        e -> {
          if (e.srcAttr() + e.attr() < e.dstAttr()) {
            e.sendToDst(e.srcAttr() + e.attr());
          }
        };
    Integer far = Integer.MAX_VALUE;
    Double below = Double.NEGATIVE_INFINITY;
    return List.of(
        new SpreadingCase(
            "levels",
            Kind.INT,
            lift(Integer.class, Double.class, nearer, levels, Math::min),
            far,
            true),
        new SpreadingCase(
            "levels both ways",
            Kind.INT,
            lift(Integer.class, Double.class, nearer, bothEnds, Math::min),
            far,
            true),
        new SpreadingCase("further backwards", Kind.INT, furtherBackwards(), far, true),
        new SpreadingCase(
            "levels by a branch",
            Kind.INT,
            lift(Integer.class, Double.class, nearer, levels, (a, b) -> a < b ? a : b),
            far,
            true),
        new SpreadingCase(
            "largest of all behind",
            Kind.LONG,
            lift(Long.class, Double.class, larger, backwards, Math::max),
            Long.MIN_VALUE,
            true),
        new SpreadingCase(
            "halves of negative numbers",
            Kind.FLOAT,
            lift(Float.class, Double.class, fewer, halves, Math::min),
            Float.POSITIVE_INFINITY,
            true),
        new SpreadingCase(
            "what fades",
            Kind.DOUBLE,
            lift(Double.class, Double.class, more, fades, Math::max),
            below,
            true),
        new SpreadingCase(
            "paths",
            Kind.DOUBLE,
            lift(Double.class, Double.class, shorter, paths, Math::min),
            Double.POSITIVE_INFINITY,
            false));
  }

  /** Sources where nothing was heard yet have values of a few levels; the others the worst. */
  public Columns values(SimpleGraph graph, Random random) {
    int every = 1 + graph.ids.length / 3;
    int from = random.nextInt(every);
    int least = kind == Kind.FLOAT ? -8 : 3;
    return column(
        kind,
        graph.ids.length,
        worst,
        v -> v % every == from ? least + random.nextInt(2) : Double.NaN);
  }

  /**
   * A column of numbers.
   *
   * @param none what stands where there is no number
   */
  public static Columns column(Kind kind, int rows, Object none, IntToDoubleFunction value) {
    Columns columns = Columns.allocate(List.of(kind), rows);
    for (int v = 0; v < rows; v++) {
      double x = value.applyAsDouble(v);
      boolean is = !Double.isNaN(x);
      switch (kind) {
        case INT -> columns.ints(0)[v] = is ? (int) x : (Integer) none;
        case LONG -> columns.longs(0)[v] = is ? (long) x : (Long) none;
        case FLOAT -> columns.floats(0)[v] = is ? (float) x : (Float) none;
        default -> columns.doubles(0)[v] = is ? x : (Double) none;
      }
    }
    return columns;
  }

  /** Hubs of which most in-neighbours are of a late level, so that warps walk far. */
  private static SimpleGraph hubs(Random random) {
    List<int[]> edges = new ArrayList<>();
    int n = 3000;
    for (int hub = 0; hub < 3; hub++) {
      for (int v = 10; v < n; v++) {
        edges.add(new int[] {v, hub});
      }
    }
    for (int v = 3; v < n - 1; v++) {
      if (random.nextInt(40) != 0) {
        edges.add(new int[] {v, v + 1 + random.nextInt(Math.min(60, n - 1 - v))});
      }
    }
    for (int v = 20; v < n; v += 1 + random.nextInt(30)) {
      edges.add(new int[] {random.nextInt(3), v});
    }
    return graph(n, edges);
  }

  /** A graph of vertices 0 … n − 1. */
  public static SimpleGraph graph(int n, List<int[]> edges) {
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = edges.stream().mapToInt(e -> e[0]).toArray();
    int[] destinations = edges.stream().mapToInt(e -> e[1]).toArray();
    Columns values = column(Kind.DOUBLE, sources.length, 1.0, e -> 1 + e % 7);
    return new SimpleGraph(ids, null, sources, destinations, values);
  }

  private static SimpleGraph valued(SimpleGraph graph, Random random) {
    Columns values = column(Kind.DOUBLE, graph.sources.length, 1.0, e -> 1 + random.nextInt(9));
    return new SimpleGraph(graph.ids, graph.present, graph.sources, graph.destinations, values);
  }

  /**
   * A graph around the sizes of warps and of what lanes walk themselves; with holes; of several
   * partitions; with hubs.
   *
   * @param which below {@link #GRAPHS}
   */
  public static SimpleGraph graph(int which, Random random) {
    return switch (which) {
      case 0 -> valued(RandomSimpleGraphs.degrees(random, 1000, 0), random);
      case 1 -> valued(RandomSimpleGraphs.of(random, 700, 4, false, false, 1), random);
      case 2 -> valued(RandomSimpleGraphs.of(random, 300, 3, true, true, 1), random);
      case 3 -> parts(RandomSimpleGraphs.of(random, 900, 4, true, false, 3), random);
      default -> hubs(random);
    };
  }

  private static SimpleGraph parts(SimpleGraph graph, Random random) {
    Columns values = column(Kind.DOUBLE, graph.sources.length, 1.0, e -> 1 + random.nextInt(9));
    int third = graph.ids.length / 3;
    return new SimpleGraph(
        graph.ids, graph.present, graph.sources, graph.destinations, values, third, 2 * third);
  }

  /** Until nothing changes. */
  public RunSettings settings(int threads) {
    return settings(new Object[] {worst}, threads);
  }

  /**
   * The same of programs in place that begin with another message.
   *
   * @param initial null: with none
   */
  public static RunSettings settings(Object[] initial, int threads) {
    return new RunSettings(
        initial,
        null,
        ActiveDirection.EITHER,
        Gather.ACTIVE,
        Integer.MAX_VALUE,
        true,
        KernelChoice.AUTO,
        threads,
        null);
  }
}
