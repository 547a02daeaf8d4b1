package org.sparkgpugraph.engine.louvain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.sparkgpugraph.engine.Engine;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.louvain.LouvainOperator.Limits;
import org.sparkgpugraph.engine.louvain.LouvainTrial.Found;
import org.sparkgpugraph.engine.operator.GraphOperator.Round;
import org.sparkgpugraph.engine.operator.OperatorInput;
import org.sparkgpugraph.engine.operator.OperatorRun;
import org.sparkgpugraph.testing.RandomGraphs;
import org.sparkgpugraph.testing.TestGraph;

/** Graphs whose communities a device finds, and what is right for them: what the CPU finds. */
final class DeviceLouvainCases {
  /** Kernels that cut short rows into many parts. */
  static final LouvainTuning SMALL = new LouvainTuning(32, 50, 60, 3);

  private static final Limits NEVER_IN_ORDER = new Limits(0, 0, 0);

  private DeviceLouvainCases() {}

  /** A graph, and what is looked for in it. */
  record Case(SimpleGraph graph, LouvainOperator operator) {
    /**
     * Has a device find it.
     *
     * @return whether it had room
     */
    boolean check(String name, Engine engine) {
      Found expected = LouvainTrial.run(List.of(graph), operator, 1);
      assertThat(expected.told()[LouvainOperator.MODULARITY])
          .as(name)
          .isEqualTo(LouvainTrial.modularity(graph, operator, expected.community()), within(1e-9));
      try (OperatorRun run = operator.open(new OperatorInput(graph, null, engine, 2, 0, 1))) {
        Round round;
        int number = 0;
        do {
          round = run.round(number++, List.of());
        } while (round.more());
        assertThat(round.aggregates()).as(name).isEqualTo(expected.told());
        long[] values = run.results().longs(0);
        expected
            .community()
            .forEach(
                (id, community) ->
                    assertThat(values[Arrays.binarySearch(graph.ids, id)])
                        .as(name + ", vertex " + id)
                        .isEqualTo(community));
        return !(run instanceof DeviceLouvain device) || device.isOnDevice();
      }
    }
  }

  /** Of every shape, directed or not, with and without weights, holes and partitions. */
  static Map<String, Case> shapes(LouvainTuning tuning) {
    Map<String, Case> all = new TreeMap<>();
    for (int trial = 0; trial < 42; trial += trial % 14 == 0 || trial % 14 > 3 ? 1 : 3) {
      RandomGraphs.Shape shape = RandomGraphs.Shape.values()[trial % 14];
      TestGraph<?, ?> edges = RandomGraphs.of(shape, trial);
      boolean weighted = trial % 2 == 0;
      Random random = new Random(trial);
      TestGraph<?, ?> drawn = trial / 14 % 3 == 1 ? edges : undirected(edges);
      boolean[] present = null;
      if (trial / 14 % 3 == 2) {
        present = new boolean[drawn.vertexCount()];
        for (int v = 0; v < present.length; v++) {
          present[v] = random.nextInt(6) > 0;
        }
      }
      int partitions = trial % 3 == 0 ? Math.max(1, Math.min(3, drawn.vertexCount())) : 1;
      double factor = trial % 4 == 0 ? 1e-30 : 3;
      all.put(
          "trial " + trial + ", " + drawn.name(),
          of(
              drawn,
              e -> e % 5 == 0 ? 0 : factor * (1 + e % 7),
              present,
              partitions,
              operator(
                  weighted,
                  trial % 5 == 0 ? 0.6 : 1,
                  trial % 7 == 0 ? 1 : 10,
                  trial % 3 > 0,
                  tuning)));
    }
    return all;
  }

  /** With rows of all kinds, and levels behind levels. */
  static Map<String, Case> larger(LouvainTuning tuning) {
    Map<String, Case> all = new TreeMap<>();
    int seed = 0;
    for (int degree : new int[] {8, 9, 31, 32, 33, 50, 51, 257, 1000}) {
      boolean weighted = seed++ % 2 == 0;
      all.put(
          (weighted ? "weighted wheel " : "wheel ") + degree,
          of(
              wheel(degree),
              e -> 1 + (e ^ 1) % 3,
              null,
              1,
              operator(weighted, 1, 10, degree > 40, tuning)));
    }
    TestGraph<?, ?> planted = undirected(RandomGraphs.planted(12, 30, 5, 1));
    all.put("planted", of(planted, e -> 1, null, 1, operator(false, 1, 10, false, tuning)));
    all.put("planted, fine", of(planted, e -> 1, null, 1, operator(false, 40, 10, true, tuning)));
    TestGraph<?, ?> directed = RandomGraphs.planted(20, 15, 3, 1);
    all.put(
        "weighted and directed",
        of(directed, e -> 0.25 + e % 3, null, 2, operator(true, 1, 10, true, tuning)));
    for (boolean refine : new boolean[] {false, true}) {
      all.put(
          "skewed, " + refine,
          of(undirected(skewed(300)), e -> 1, null, 1, operator(false, 1, 10, refine, tuning)));
    }
    for (int degree : new int[] {7, 8}) {
      // More vertices than edges, in several tiles of a scan.
      TestGraph<?, ?> alone = TestGraph.ofEdges("alone", 9000, wheelEdges(degree));
      all.put(
          "many alone, wheel " + degree,
          of(alone, e -> 1, null, 1, operator(false, 1, 10, false, tuning)));
    }
    all.put("in order at the end", inOrderAtTheEnd(false, tuning));
    all.put("refined, in order at the end", inOrderAtTheEnd(true, tuning));
    return all;
  }

  private static Case inOrderAtTheEnd(boolean refine, LouvainTuning tuning) {
    LouvainOperator operator =
        new LouvainOperator(false, 1, 10, 1e-6, refine, new Limits(200, 0, 0), tuning);
    return of(undirected(RandomGraphs.planted(40, 12, 4, 1)), e -> 1, null, 1, operator);
  }

  private static LouvainOperator operator(
      boolean weighted, double gamma, int levels, boolean refine, LouvainTuning tuning) {
    return new LouvainOperator(weighted, gamma, levels, 1e-6, refine, NEVER_IN_ORDER, tuning);
  }

  private static Case of(
      TestGraph<?, ?> edges,
      IntToDoubleFunction weight,
      boolean[] present,
      int partitions,
      LouvainOperator operator) {
    double[] weights = IntStream.range(0, edges.edgeCount()).mapToDouble(weight).toArray();
    return new Case(LouvainTrial.graph(edges, weights, present, partitions), operator);
  }

  /** Every edge in both directions, one behind the other; loops once. */
  private static TestGraph<?, ?> undirected(TestGraph<?, ?> edges) {
    List<int[]> both = new ArrayList<>();
    long[] ids = edges.ids().clone();
    Arrays.sort(ids);
    for (int e = 0; e < edges.edgeCount(); e++) {
      int one = Arrays.binarySearch(ids, edges.sources()[e]);
      int other = Arrays.binarySearch(ids, edges.destinations()[e]);
      both.add(new int[] {one, other});
      if (one != other) {
        both.add(new int[] {other, one});
      }
    }
    return TestGraph.ofEdges(edges.name() + ", undirected", ids.length, both);
  }

  /** A hub, and rims of four around it. */
  private static TestGraph<?, ?> wheel(int degree) {
    return TestGraph.ofEdges("wheel " + degree, degree + 1, wheelEdges(degree));
  }

  private static List<int[]> wheelEdges(int degree) {
    List<int[]> edges = new ArrayList<>();
    for (int v = 1; v <= degree; v++) {
      edges.add(new int[] {0, v});
      edges.add(new int[] {v, 0});
      if (v % 4 != 0 && v < degree) {
        edges.add(new int[] {v, v + 1});
        edges.add(new int[] {v + 1, v});
      }
    }
    return edges;
  }

  /** Few vertices have most of the edges; with loops and parallel edges. */
  private static TestGraph<?, ?> skewed(int n) {
    Random random = new Random(5);
    List<int[]> edges = new ArrayList<>();
    for (int e = 0; e < 6 * n; e++) {
      edges.add(new int[] {(int) (n * Math.pow(random.nextDouble(), 4)), random.nextInt(n)});
    }
    return TestGraph.ofEdges("skewed", n, edges);
  }
}
