package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.ImprovingSearches;
import org.sparkgpugraph.engine.ImprovingSearches.Search;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SpreadingCase;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/**
 * The first superstep of programs whose messages depend on edge values leaves out who sends
 * nothing, where it is pushed, and nobody who sends something.
 */
@Tag("any-spark")
class CpuSendersTest {
  private static final int VERTICES = 600;

  /** Vertices with values from the start. */
  private static final int APART = 150;

  /** Small ones are done by one thread. */
  private final CpuEngine engine = new CpuEngine(-1, false);

  private static RunSettings settings(int threads) {
    return SpreadingCase.settings(null, threads);
  }

  /** Rows of hubs, which are not walked in order of priority, and of others. */
  private static SimpleGraph graph(Random random, Kind kind, Search search) {
    List<int[]> edges = new ArrayList<>();
    for (int v = 0; v < VERTICES; v++) {
      edges.add(new int[] {v, random.nextInt(VERTICES)});
      edges.add(new int[] {3, v});
      edges.add(new int[] {VERTICES / 2, v});
    }
    SimpleGraph shape = SpreadingCase.graph(VERTICES, edges);
    Columns values =
        ImprovingSearches.column(
            kind, edges.size(), e -> search.edge().applyAsDouble(random.nextDouble()));
    return new SimpleGraph(shape.ids, null, shape.sources, shape.destinations, values)
        .withTransposes();
  }

  private static Columns values(Random random, Search search) {
    return ImprovingSearches.column(
        search.kind(),
        VERTICES,
        v ->
            v % APART == 3
                ? search.reached().applyAsDouble(random.nextDouble())
                : search.unreached());
  }

  private static long edgesOfStarts(SimpleGraph graph) {
    long edges = 0;
    for (int source : graph.sources) {
      edges += source % APART == 3 ? 1 : 0;
    }
    return edges;
  }

  @Test
  void whoSendsNothingIsLeftOutAndValuesAreThoseOfPregel() {
    int seed = 0;
    int pushed = 0;
    for (Search search : ImprovingSearches.all()) {
      for (int threads = 1; threads <= 3; threads += 2) {
        Random random = new Random(++seed);
        SimpleGraph graph = graph(random, search.edgeKind(), search);
        Columns values = values(random, search);
        String what = search + ", seed " + seed;
        // The second time with what is known of the edges' values.
        for (int again = 0; again < 2; again++) {
          RunSettings settings = settings(threads);
          try (EngineRun run =
              engine.open(graph, search.program(), graph.split(values), settings)) {
            run.initialise();
            SuperstepStats first = run.step(new double[0]);
            if (first.kernel() == KernelChoice.PUSH) {
              pushed++;
              assertThat(first.edgesEvaluated())
                  .as(what)
                  .isEqualTo(search.sends() ? edgesOfStarts(graph) : graph.sources.length);
            }
            if (search.sends()) {
              while (run.step(new double[0]).activeVertices() > 0) {
                // Until nobody says anything.
              }
              IrPregelOracle.ended(graph, search.program(), values, settings).check(run, what);
            }
          }
        }
      }
    }
    // All but the one that sends to both ends.
    assertThat(pushed).isEqualTo(4 * (ImprovingSearches.all().size() - 1));
  }

  @Test
  void anOverflowBetweenTheBoundsIsNoticed() {
    Search search = ImprovingSearches.overflow();
    Random random = new Random(5);
    int[] between = {0, 16, Integer.MAX_VALUE};
    SimpleGraph shape = graph(random, Kind.INT, search);
    Columns edges = ImprovingSearches.column(Kind.INT, shape.sources.length, e -> between[e % 3]);
    SimpleGraph graph =
        new SimpleGraph(shape.ids, null, shape.sources, shape.destinations, edges).withTransposes();
    Columns values = ImprovingSearches.column(Kind.INT, VERTICES, v -> -20);
    try (EngineRun run = engine.open(graph, search.program(), graph.split(values), settings(1))) {
      run.initialise();
      SuperstepStats first = run.step(new double[0]);
      assertThat(first.kernel()).isEqualTo(KernelChoice.PUSH);
      assertThat(first.edgesEvaluated()).isEqualTo(graph.sources.length);
    }
  }
}
