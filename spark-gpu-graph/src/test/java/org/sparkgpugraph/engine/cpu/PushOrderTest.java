package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;

/** Vertices that push in the order of their in-degrees find what they find in their own. */
@Tag("any-spark")
class PushOrderTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private static final List<Kind> KINDS = List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE);

  /** Of every graph, from the first run on. */
  private static PushOrder.Cache always() {
    return new PushOrder.Cache(-1, -1, 0);
  }

  private static RunSettings settings(Object initial, int threads) {
    return IrPrograms.settings(initial, KernelChoice.PUSH, threads);
  }

  /** Rows of all lengths, few vertices at which most edges end; some have none. */
  private static SimpleGraph skewed(Random random, int n, Kind edge) {
    int edges = n * 8;
    int[] sources = random.ints(edges, 0, n).toArray();
    int[] destinations =
        IntStream.generate(() -> (int) (n * Math.pow(random.nextDouble(), 5)) * 7 % n)
            .limit(edges)
            .toArray();
    long[] ids = random.longs().distinct().limit(n).sorted().toArray();
    Columns values = Columns.allocate(List.of(edge), edges);
    for (int e = 0; e < edges; e++) {
      int value = 1 + random.nextInt(50);
      values.set(0, e, edge == Kind.LONG ? (Object) (long) value : (double) value);
    }
    return new SimpleGraph(ids, null, sources, destinations, values).withTransposes();
  }

  private static List<Object> values(EngineRun run, int n) {
    Columns values = run.values(0);
    List<Object> all = new ArrayList<>();
    for (int v = 0; v < n; v++) {
      all.add(values.get(0, v));
    }
    return all;
  }

  private static List<Object> run(
      CpuEngine engine,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings,
      boolean ordered) {
    int n = graph.ids.length;
    try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      assertThat(run.notes())
          .allMatch(note -> note.startsWith("pushes"))
          .allMatch(note -> note.endsWith(PushOrder.NOTE) == ordered);
      SuperstepLoop.run("cpu", run, settings, n, List.of(), stats -> {});
      return values(run, n);
    }
  }

  private static void same(
      String what, ProgramInstance program, SimpleGraph graph, Columns attributes, Object initial) {
    List<Object> wanted =
        run(new CpuEngine(-1, false), program, graph, attributes, settings(initial, 1), false);
    for (int threads = 1; threads <= 4; threads += 3) {
      for (long oneThread : new long[] {-1, 1 << 30}) {
        CpuEngine engine = new CpuEngine(oneThread, always());
        assertThat(run(engine, program, graph, attributes, settings(initial, threads), true))
            .as("%s, %s threads", what, threads)
            .isEqualTo(wanted);
      }
    }
  }

  @Test
  void everyKindAndOperationReachesTheSameValues() {
    int seed = 0;
    for (Kind kind : KINDS) {
      for (MergeAlgebra merge :
          List.of(MergeAlgebra.MIN, MergeAlgebra.MAX, MergeAlgebra.OR, MergeAlgebra.AND)) {
        if (merge.identity(kind) != null) {
          Random random = new Random(seed);
          int n = new int[] {1, 70, 4096, 9001}[seed % 4];
          SimpleGraph graph = skewed(random, n, Kind.LONG);
          Columns attributes = RandomSimpleGraphs.attributes(random, kind, n);
          ProgramInstance program = IrPrograms.spreading(merge, kind);
          String what = "seed " + seed++ + ", " + kind + ", " + merge;
          same(what, program, graph, attributes, merge.identity(kind));
        }
      }
    }
  }

  /** The values of edges go with them. */
  @Test
  void pathsAreTheSame() {
    for (int seed = 0; seed < 4; seed++) {
      Random random = new Random(seed);
      int n = 3000;
      SimpleGraph graph = skewed(random, n, Kind.DOUBLE);
      Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
      int source = random.nextInt(n);
      Arrays.setAll(attributes.doubles(0), v -> v == source ? 0 : INFINITY);
      same("seed " + seed, IrPrograms.shortestPaths(), graph, attributes, INFINITY);
    }
  }

  /** Who looks at values and activity between supersteps gets them by vertex, and may go on. */
  @Test
  void snapshotsAreByVertex() {
    Random random = new Random(9);
    int n = 5000;
    SimpleGraph graph = skewed(random, n, Kind.DOUBLE);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
    Arrays.setAll(attributes.doubles(0), v -> v == 77 ? 0 : INFINITY);
    ProgramInstance program = IrPrograms.shortestPaths();
    RunSettings settings = settings(INFINITY, 3);
    List<Object> wanted =
        run(new CpuEngine(-1, false), program, graph, attributes, settings, false);
    CpuEngine engine = new CpuEngine(-1, always());
    for (int looks = 1; looks < 4; looks++) {
      try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings);
          EngineRun other = engine.open(graph, program, graph.split(attributes), settings)) {
        run.initialise();
        for (int step = 0; step < looks; step++) {
          run.step(new double[0]);
          for (int v = 0; v < n; v++) {
            double value = (double) run.values(0).get(0, v);
            assertThat(value).isGreaterThanOrEqualTo((double) wanted.get(v));
          }
          assertThat(run.values(0).get(0, 77)).isEqualTo(0.0);
          assertThat(run.activity(0)).hasSize((n + 63) / 64);
        }
        Columns copy = Columns.allocate(List.of(Kind.DOUBLE), n);
        copy.copyFrom(run.values(0), 0, 0, n);
        other.initialise();
        other.step(new double[0]);
        other.restore(looks, List.of(copy), List.of(run.activity(0)));
        for (EngineRun each : List.of(run, other)) {
          while (each.step(new double[0]).activeVertices() > 0) {
            // until nobody has anything to say
          }
          assertThat(values(each, n)).as("%s looks", looks).isEqualTo(wanted);
        }
      }
    }
  }

  @Test
  void itIsMadeAfterSomeRunsWhereMostEdgesEndAtFew() {
    Random random = new Random(3);
    int n = 3000;
    ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
    RunSettings settings = settings(Integer.MAX_VALUE, 2);
    Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, n);
    CpuEngine engine = new CpuEngine(-1, new PushOrder.Cache(n - 1, 0.15, 2));
    SimpleGraph hubs = skewed(random, n, Kind.LONG);
    long before = engine.estimate(hubs, program, settings);
    run(engine, program, hubs, attributes, settings, false);
    run(engine, program, hubs, attributes, settings, false);
    // Values in another order; places and rows without values count with the graph.
    assertThat(engine.estimate(hubs, program, settings) - before).isEqualTo(4L * n);
    assertThat(hubs.bytes()).isZero();
    run(engine, program, hubs, attributes, settings, true);
    assertThat(hubs.bytes()).isEqualTo(4L * (2 * n + 1) + 4 * hubs.edgeCount());
    run(engine, program, hubs, attributes, settings, true);
    int[] sources = random.ints(4 * n, 0, n).toArray();
    int[] even = IntStream.range(0, 4 * n).map(e -> e % n).toArray();
    SimpleGraph alike = new SimpleGraph(hubs.ids, null, sources, even, null).withTransposes();
    long plain = engine.estimate(alike, program, settings);
    for (int i = 0; i < 4; i++) {
      run(engine, program, alike, attributes, settings, false);
    }
    assertThat(engine.estimate(alike, program, settings)).isEqualTo(plain);
    CpuEngine few = new CpuEngine(-1, new PushOrder.Cache(n, 0.15, 0));
    run(few, program, hubs, attributes, settings, false);
    CpuEngine users = new CpuEngine();
    run(users, program, hubs, attributes, settings, false);
  }

  @Test
  void whereCopiesHaveNoRoomRunsGoWithout() {
    Random random = new Random(12);
    int n = 3000;
    SimpleGraph graph = skewed(random, n, Kind.DOUBLE);
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), n);
    Arrays.setAll(attributes.doubles(0), v -> v == 7 ? 0 : INFINITY);
    RunSettings settings = settings(INFINITY, 2);
    ProgramInstance paths = IrPrograms.shortestPaths();
    ProgramInstance labels = IrPrograms.spreading(MergeAlgebra.MIN, Kind.DOUBLE);
    CpuEngine engine = new CpuEngine(-1, always());
    long rows = 4L * (2 * n + 1) + 4 * graph.edgeCount();
    graph.room = rows - 1;
    List<Object> wanted = run(engine, paths, graph, attributes, settings, false);
    assertThat(graph.bytes()).isZero();
    // For rows, but not for edges' values.
    graph.room = rows + 8 * graph.edgeCount() - 1;
    assertThat(run(engine, paths, graph, attributes, settings, false)).isEqualTo(wanted);
    assertThat(graph.bytes()).isEqualTo(rows);
    run(engine, labels, graph, attributes, settings, true);
    graph.room++;
    assertThat(run(engine, paths, graph, attributes, settings, true)).isEqualTo(wanted);
    assertThat(graph.bytes()).isEqualTo(graph.room);
    run(engine, paths, graph, attributes, settings, true);
    assertThat(graph.bytes()).isEqualTo(graph.room);
  }
}
