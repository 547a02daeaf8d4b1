package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.FunctionTraits;
import org.sparkgpugraph.engine.HoistablePages;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.codegen.CompiledKernel;
import org.sparkgpugraph.engine.cpu.codegen.DenseKernels;
import org.sparkgpugraph.engine.cpu.codegen.KernelGenerator;
import org.sparkgpugraph.engine.cpu.components.CpuComponents;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.DirectMemory;
import org.sparkgpugraph.graphs.memory.EdgeMemory;
import org.sparkgpugraph.graphs.memory.MappedMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.memory.SmallChunks;
import org.sparkgpugraph.graphs.model.BoundaryList;
import org.sparkgpugraph.program.LiftedProgram;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ProgramTraits;
import org.sparkgpugraph.program.ir.BinaryOp;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.program.ir.Role;
import org.sparkgpugraph.program.ir.Side;
import org.sparkgpugraph.program.jvm.GeneratedClass;
import org.sparkgpugraph.program.jvm.IrBuilder;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.SuperstepStats;

/** The engine against sequential Pregel, superstep by superstep. */
@Tag("any-spark")
class CpuEngineTest {
  private final CpuEngine engine = new CpuEngine();

  /** Wakes all threads also for a superstep of a few edges. */
  private final CpuEngine alwaysTogether = new CpuEngine(-1, false);

  /** Calls the functions as it does for programs that are too large to be inlined. */
  private final CpuEngine outlined = new CpuEngine(24_000, true);

  private final EdgeMemory direct = new DirectMemory(DirectMemory.Budget.of(1 << 30, "none"));

  @TempDir private Path directory;

  /**
   * Has loops for each kind of superstep, and copies of what edges read, however small they are.
   */
  private final CpuEngine special = new CpuEngine(24_000, false, Interleaving.ALWAYS);

  /** The same, of copies in groups. */
  private final CpuEngine grouped = new CpuEngine(24_000, new SourceGroups.Cache(-1, -1));

  private static RunSettings settings(
      Object[] initial,
      Object[] empty,
      ActiveDirection direction,
      Gather gather,
      KernelChoice kernel,
      boolean inPlace,
      int threads) {
    return new RunSettings(
        initial, empty, direction, gather, Integer.MAX_VALUE, inPlace, kernel, threads, null);
  }

  /** Of {@link IrPrograms#shortestPaths}. */
  private static RunSettings searching(boolean inPlace, int threads) {
    return settings(
        new Object[] {Double.POSITIVE_INFINITY},
        null,
        ActiveDirection.OUT,
        Gather.ACTIVE,
        KernelChoice.AUTO,
        inPlace,
        threads);
  }

  /** The same, in whose supersteps all rows are walked. */
  private static RunSettings everyRow(int threads) {
    return settings(
        null,
        new Object[] {Double.POSITIVE_INFINITY},
        ActiveDirection.OUT,
        Gather.ACTIVE,
        KernelChoice.DENSE,
        false,
        threads);
  }

  private static <T> T pick(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  /** A random graph: skewed, with self-loops, parallel edges, holes and isolated vertices. */
  private static SimpleGraph randomGraph(Random random, int maxVertices) {
    int n = random.nextInt(4) == 0 ? random.nextInt(3) : 1 + random.nextInt(maxVertices);
    int m = n == 0 ? 0 : random.nextInt(4 * n);
    long[] ids = random.longs().distinct().limit(n).sorted().toArray();
    if (random.nextBoolean()) {
      for (int v = 0; v < n; v++) {
        ids[v] = v;
      }
    }
    int[] sources = new int[m];
    int[] destinations = new int[m];
    Columns values = Columns.allocate(List.of(Kind.LONG), m);
    boolean skewed = random.nextBoolean();
    for (int e = 0; e < m; e++) {
      sources[e] = random.nextInt(n);
      destinations[e] = skewed ? (int) (n * Math.pow(random.nextDouble(), 4)) : random.nextInt(n);
      values.longs(0)[e] = random.nextInt(10);
    }
    boolean[] present = null;
    if (random.nextInt(4) == 0) {
      present = new boolean[n];
      for (int v = 0; v < n; v++) {
        present[v] = random.nextInt(5) > 0;
      }
    }
    int[] cuts = new int[random.nextInt(4)];
    for (int c = 0; c < cuts.length; c++) {
      cuts[c] = random.nextInt(n + 1);
    }
    Arrays.sort(cuts);
    return new SimpleGraph(ids, present, sources, destinations, values, cuts);
  }

  private static Columns randomAttributes(Random random, int n) {
    Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), n);
    for (int v = 0; v < n; v++) {
      attributes.longs(0)[v] = random.nextInt(100);
      attributes.ints(1)[v] = random.nextInt(100);
    }
    return attributes;
  }

  private static void assertSame(
      String what, SimpleGraph graph, EngineRun run, IrPregelOracle oracle, boolean result) {
    for (SimpleGraph.Partition p : graph.partitions()) {
      Columns values =
          result ? run.results(p.index(), run.finalAggregates()) : run.values(p.index());
      for (int v = 0; v < p.stored(); v++) {
        if (graph.present != null && !graph.present[p.from + v]) {
          continue;
        }
        Object[] row = new Object[values.width()];
        for (int c = 0; c < row.length; c++) {
          row[c] = values.get(c, v);
        }
        assertThat(row)
            .as("%s: vertex %s (partition %s, local %s)", what, p.originalId(v), p.index(), v)
            .isEqualTo(result ? oracle.result(p.from + v) : oracle.values[p.from + v]);
      }
    }
  }

  /** The system's way to reach an open file without a name. */
  private void cutMappedFiles() throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      for (Path file : open.toList()) {
        if (Files.isSymbolicLink(file) && Files.readSymbolicLink(file).startsWith(directory)) {
          try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
          }
        }
      }
    }
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aMappedFileThatIsGoneIsAnErrorOfTheRun() throws IOException {
    Random random = new Random(3);
    SimpleGraph graph = randomGraph(random, 6000);
    while (graph.edgeCount() < 5000 || graph.partitions().size() > 1) {
      graph = randomGraph(random, 6000);
    }
    ProgramInstance program = IrPrograms.shortestPaths();
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), graph.ids.length);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    attributes.doubles(0)[0] = 0;
    // What is compiled reads on after it has met a page that is not there.
    for (int before : new int[] {0, 400}) {
      graph.movedTo(new MappedMemory(List.of(directory), null));
      List<Columns> parts = graph.split(attributes);
      try (EngineRun run = alwaysTogether.open(graph, program, parts, everyRow(2))) {
        run.initialise();
        for (int step = 0; step < before; step++) {
          run.step(new double[0]);
        }
        cutMappedFiles();
        assertThatThrownBy(() -> run.step(new double[0]))
            .isInstanceOf(OffHeapMemoryException.class)
            .hasMessageContaining("cannot be read")
            .hasMessageContaining("spark.local.dir");
        assertThatThrownBy(() -> run.step(new double[0])).isInstanceOf(IllegalStateException.class);
      }
    }
    SimpleGraph gone = graph;
    assertThatThrownBy(() -> CpuComponents.of(gone, 2, CpuEngine.NAME))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageContaining("cannot be read");
  }

  @Test
  void everySuperstepEqualsSequentialPregel() {
    EdgeMemory mapped = new MappedMemory(List.of(directory), null);
    for (int seed = 0; seed < 450; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = randomGraph(random, seed % 10 == 0 ? 6000 : 150);
      boolean offHeap = seed % 4 == 1 || seed % 20 == 10;
      if (offHeap) {
        graph.movedTo(seed % 8 == 1 ? mapped : seed % 20 == 5 ? new SmallChunks() : direct);
      }
      if (seed % 3 > 0) {
        graph.withTransposes();
      }
      IrPrograms.Options options = IrPrograms.Options.random(random);
      ProgramInstance program = IrPrograms.random(random, options);
      boolean every = random.nextInt(4) == 0;
      RunSettings settings =
          settings(
              every && random.nextBoolean() ? null : new Object[] {5L, 7},
              every ? new Object[] {-3L, 2} : null,
              pick(random, ActiveDirection.values()),
              pick(random, Gather.values()),
              pick(random, KernelChoice.values()),
              false,
              1 + random.nextInt(3));
      String what =
          "seed " + seed + (offHeap ? " off the heap, " : ", ") + settings + ", " + options;
      Columns attributes = randomAttributes(random, graph.ids.length);
      IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
      CpuEngine any =
          pick(random, new CpuEngine[] {engine, alwaysTogether, outlined, special, grouped});
      try (EngineRun run = any.open(graph, program, graph.split(attributes), settings)) {
        SuperstepStats stats = run.initialise();
        oracle.initialise();
        for (int step = 0; step <= 5; step++) {
          String at = what + ", superstep " + step;
          assertThat(stats.superstep()).as(at).isEqualTo(step);
          assertThat(stats.verticesRun()).as(at).isEqualTo(oracle.ran);
          assertThat(stats.activeVertices()).as(at).isEqualTo(oracle.activeCount);
          assertThat(stats.aggregates()).as(at).isEqualTo(oracle.aggregates);
          assertSame(at, graph, run, oracle, false);
          if (stats.activeVertices() == 0) {
            break;
          }
          Object[][] before = oracle.values.clone();
          stats = run.step(stats.aggregates());
          oracle.step();
          if (every) {
            assertThat(stats.boundaryUpdates())
                .as(at)
                .isEqualTo(expectedUpdates(graph, program, before, oracle.values));
          }
        }
        oracle.finish();
        assertThat(run.finalAggregates()).as(what).isEqualTo(oracle.aggregates);
        assertSame(what + ", result", graph, run, oracle, true);
      }
    }
  }

  /** Goes on in another run from where one is, and closes that one. */
  private static EngineRun restored(EngineRun from, EngineRun to, SimpleGraph graph) {
    try (from) {
      List<Columns> values = new ArrayList<>();
      List<long[]> activity = new ArrayList<>();
      for (SimpleGraph.Partition partition : graph.partitions()) {
        values.add(from.values(partition.index()));
        activity.add(from.activity(partition.index()));
      }
      to.restore(2, values, activity);
    }
    return to;
  }

  @Test
  void hiddenColumnsChangeNoResult() {
    int missing = 0;
    for (int seed = 0; seed < 120; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = randomGraph(random, 150);
      missing += graph.present == null ? 0 : 1;
      double shift = random.nextInt(3);
      Object[] message = {(double) random.nextInt(5)};
      boolean every = random.nextInt(4) == 0;
      RunSettings settings =
          settings(
              every && random.nextBoolean() ? null : message,
              every ? message : null,
              pick(random, ActiveDirection.values()),
              pick(random, Gather.values()),
              pick(random, KernelChoice.values()),
              false,
              1 + random.nextInt(3));
      String what = "seed " + seed + ", " + settings;
      Columns attributes = HoistablePages.attributes(random, graph.ids.length);
      IrPregelOracle oracle =
          new IrPregelOracle(graph, HoistablePages.plain(shift), attributes, settings);
      CpuEngine any =
          pick(random, new CpuEngine[] {engine, alwaysTogether, outlined, special, grouped});
      ProgramInstance program = HoistablePages.hoisted(shift);
      EngineRun run = any.open(graph, program, graph.split(attributes), settings);
      try {
        SuperstepStats stats = run.initialise();
        oracle.initialise();
        for (int step = 0; step <= 5; step++) {
          String at = what + ", superstep " + step;
          assertThat(stats.verticesRun()).as(at).isEqualTo(oracle.ran);
          assertThat(stats.activeVertices()).as(at).isEqualTo(oracle.activeCount);
          assertSame(at, graph, run, oracle, true);
          if (stats.activeVertices() == 0) {
            break;
          }
          if (step == 2 && seed % 2 == 0) {
            run = restored(run, any.open(graph, program, graph.split(attributes), settings), graph);
          }
          stats = run.step(stats.aggregates());
          oracle.step();
        }
      } finally {
        run.close();
      }
    }
    assertThat(missing).isGreaterThan(10);
  }

  /** Vertices of the boundary lists whose columns that travel have other bits than before. */
  private static long expectedUpdates(
      SimpleGraph graph, ProgramInstance program, Object[][] before, Object[][] after) {
    long updates = 0;
    for (BoundaryList list : graph.boundaries()) {
      for (int vertex : list.homeVertices()) {
        int v = graph.partitions().get(list.home()).from + vertex;
        boolean differs = false;
        for (int c : FunctionTraits.shippedColumns(program.program())) {
          differs |= !before[v][c].equals(after[v][c]);
        }
        updates += differs ? 1 : 0;
      }
    }
    return updates;
  }

  /** A program of some thousand instructions, beyond what the JVM compiles in one method. */
  @Test
  void aHugeProgramIsSplit() {
    IrBuilder send = new IrBuilder("send");
    int x = send.parameter(Role.SOURCE, 0, Kind.INT);
    int y = send.parameter(Role.DESTINATION, 0, Kind.INT);
    for (int i = 0; i < 300; i++) {
      x = send.binary(BinaryOp.ADD, send.binary(BinaryOp.XOR, x, y), x);
    }
    send.emit(Side.DESTINATION, x).returns();
    LiftedProgram p = IrPrograms.faulty(Integer.MAX_VALUE).program();
    IrBuilder apply = new IrBuilder("vertexProgram");
    apply.returns(apply.parameter(Role.MESSAGE, 0, Kind.INT));
    // Twice the send function in one loop is too much; one alone is not.
    ProgramTraits bothSides = new ProgramTraits(p.traits().merge(), true, true, false, List.of());
    ProgramInstance program =
        new ProgramInstance(
            LiftedProgram.builder()
                .attribute(p.attribute())
                .edge(p.edge())
                .state(p.state())
                .message(p.message())
                .result(p.result())
                .vertexProgram(apply.build(Kind.INT))
                .send(send.build())
                .merge(p.merge())
                .traits(bothSides)
                .build(),
            List.of());
    SimpleGraph graph = randomGraph(new Random(1), 2000);
    Columns attributes = Columns.allocate(List.of(Kind.INT), graph.ids.length);
    Arrays.setAll(attributes.ints(0), v -> v);
    RunSettings settings =
        settings(
            new Object[] {3},
            null,
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            KernelChoice.AUTO,
            false,
            2);
    KernelShape shape =
        KernelShape.of(program.program(), settings, false, !graph.boundaries().isEmpty());
    assertThat(KernelGenerator.generateInlined(program.program(), shape).largestMethod())
        .isGreaterThan(GeneratedClass.HUGE_METHOD);
    assertThat(engine.describeMemory(graph, program, settings)).doesNotContain("interprets");
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
    try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      run.initialise();
      oracle.initialise();
      for (int step = 1; step < 3; step++) {
        run.step(new double[0]);
        oracle.step();
        assertSame("superstep " + step, graph, run, oracle, false);
      }
    }
  }

  @Test
  void monotoneProgramsInPlaceReachTheSameValues() {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      SimpleGraph plain = randomGraph(random, seed % 10 == 0 ? 9000 : 300);
      boolean paths = random.nextBoolean();
      ProgramInstance program = paths ? IrPrograms.shortestPaths() : IrPrograms.components();
      int n = plain.ids.length;
      Columns weights = Columns.allocate(List.of(Kind.DOUBLE), plain.sources.length);
      for (int e = 0; e < weights.length(); e++) {
        weights.doubles(0)[e] = random.nextInt(20);
      }
      SimpleGraph graph =
          new SimpleGraph(
              plain.ids,
              plain.present,
              plain.sources,
              plain.destinations,
              weights,
              cuts(random, n));
      if (seed % 3 > 0) {
        graph.withTransposes();
      }
      Columns attributes = Columns.allocate(List.of(paths ? Kind.DOUBLE : Kind.INT), n);
      if (paths) {
        Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
        if (n > 0) {
          attributes.doubles(0)[random.nextInt(n)] = 0;
        }
      }
      Object[] initial = {paths ? (Object) Double.POSITIVE_INFINITY : (Object) Long.MAX_VALUE};
      RunSettings settings =
          settings(
              initial,
              null,
              paths ? ActiveDirection.OUT : ActiveDirection.EITHER,
              pick(random, Gather.values()),
              pick(random, KernelChoice.values()),
              random.nextInt(3) > 0,
              1 + random.nextInt(3));
      String what = "seed " + seed + ", paths " + paths + ", " + settings;
      IrPregelOracle oracle = IrPregelOracle.ended(graph, program, attributes, settings);
      CpuEngine any =
          pick(random, new CpuEngine[] {engine, alwaysTogether, outlined, special, grouped});
      try (EngineRun run = any.open(graph, program, graph.split(attributes), settings)) {
        SuperstepStats stats = run.initialise();
        while (stats.activeVertices() > 0) {
          assertThat(stats.superstep()).as(what).isLessThan(n + 3);
          stats = run.step(stats.aggregates());
        }
        assertSame(what, graph, run, oracle, false);
      }
    }
  }

  private static int[] cuts(Random random, int n) {
    int[] cuts = new int[random.nextInt(4)];
    for (int c = 0; c < cuts.length; c++) {
      cuts[c] = random.nextInt(n + 1);
    }
    Arrays.sort(cuts);
    return cuts;
  }

  @Test
  void rowsOfAllLengthsAreGatheredWhole() {
    int[] degrees = {0, 1, 31, 32, 33, 63, 64, 65, 1000, 100_000};
    int n = 128;
    int m = Arrays.stream(degrees).sum();
    int[] sources = new int[m];
    int[] destinations = new int[m];
    int e = 0;
    for (int v = 0; v < degrees.length; v++) {
      for (int i = 0; i < degrees[v]; i++) {
        sources[e] = i % n;
        destinations[e++] = 5 * v;
      }
    }
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    ProgramInstance program = IrPrograms.pageRank(true, 0.5);
    Columns attributes = Columns.allocate(program.program().state().columns(), n);
    Arrays.fill(attributes.doubles(1), 1.0);
    for (int threads = 1; threads <= 2; threads++) {
      SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null, 20);
      RunSettings settings =
          settings(
              null,
              new Object[] {0.0},
              ActiveDirection.OUT,
              Gather.ACTIVE,
              KernelChoice.AUTO,
              false,
              threads);
      try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        run.initialise();
        SuperstepStats stats = run.step(new double[0]);
        assertThat(stats.edgesEvaluated()).isEqualTo(m);
        for (int v = 0; v < degrees.length; v++) {
          int p = 5 * v < 20 ? 0 : 1;
          assertThat(run.values(p).doubles(0)[5 * v - 20 * p])
              .as("degree %s", degrees[v])
              .isEqualTo(0.5 + 0.5 * degrees[v]);
        }
      }
    }
  }

  @Test
  void floatingSumsDoNotDependOnThreadsOrPartitions() {
    Random random = new Random(3);
    int n = 3000;
    int m = 40_000;
    int[] sources = random.ints(m, 0, n).toArray();
    int[] destinations = random.ints(m, 0, n).toArray();
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    Columns attributes = Columns.allocate(program.program().state().columns(), n);
    for (int v = 0; v < n; v++) {
      attributes.doubles(0)[v] = 1;
      attributes.doubles(1)[v] = random.nextDouble();
    }
    double[] expected = null;
    for (int[] cuts : new int[][] {{}, {1000, 2000}, {64, 64, 2999}}) {
      for (int threads = 1; threads <= 3; threads++) {
        SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null, cuts);
        RunSettings settings =
            settings(
                null,
                new Object[] {0.0},
                ActiveDirection.OUT,
                Gather.ACTIVE,
                KernelChoice.AUTO,
                false,
                threads);
        double[] ranks = new double[n];
        try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
          run.initialise();
          for (int i = 0; i < 10; i++) {
            run.step(new double[0]);
          }
          for (SimpleGraph.Partition p : graph.partitions()) {
            System.arraycopy(run.values(p.index()).doubles(0), 0, ranks, p.from, p.stored());
          }
        }
        if (expected == null) {
          expected = ranks;
        }
        assertThat(ranks).as("%s threads, cuts %s", threads, cuts).isEqualTo(expected);
      }
    }
  }

  private static SimpleGraph path(int n, int... cuts) {
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 10L * v);
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> v + 1);
    return new SimpleGraph(ids, null, sources, destinations, null, cuts);
  }

  @Test
  void edgesEvaluatedAreTheEdgesThatActiveVerticesSelect() {
    SimpleGraph graph = path(1000, 300, 600);
    ProgramInstance program = IrPrograms.faulty(Integer.MAX_VALUE);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 1000);
    for (KernelChoice kernel : KernelChoice.values()) {
      RunSettings settings =
          settings(new Object[] {0}, null, ActiveDirection.OUT, Gather.ACTIVE, kernel, false, 2);
      try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        assertThat(run.initialise().activeVertices()).isEqualTo(1000);
        long expected = 999;
        for (int step = 1; step < 20; step++) {
          SuperstepStats stats = run.step(new double[0]);
          assertThat(stats.edgesEvaluated()).as("%s %s", kernel, step).isEqualTo(expected);
          assertThat(stats.verticesRun()).isEqualTo(expected--);
        }
      }
    }
  }

  @Test
  void aFaultNamesTheVertexAndLeavesNothingBehind() {
    SimpleGraph graph = path(5000, 2000);
    ProgramInstance program = IrPrograms.faulty(7);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 5000);
    RunSettings settings =
        settings(
            new Object[] {0},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            KernelChoice.AUTO,
            false,
            2);
    for (int again = 0; again < 2; again++) {
      try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        run.initialise();
        for (int step = 1; step < 7; step++) {
          run.step(new double[0]);
        }
        assertThatThrownBy(() -> run.step(new double[0]))
            .isInstanceOf(ProgramFault.class)
            .hasMessageContaining("too far")
            .hasMessageContaining("in vertexProgram at Test.vertexProgram:")
            .hasMessageMatching("(?s).*vertex [0-9]+0");
        assertThatThrownBy(() -> run.step(new double[0])).isInstanceOf(IllegalStateException.class);
      }
    }
    assertThat(threads()).isEmpty();
  }

  /** Kernels for odd and for even supersteps, and copies of what edges read. */
  @Test
  void loopsForEachKindOfSuperstepChangeNoResult() {
    int inGroups = 0;
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed / 2);
      CpuEngine any = seed % 2 == 0 ? special : grouped;
      SimpleGraph graph = randomGraph(random, 200);
      int n = graph.ids.length;
      Columns attributes = Columns.allocate(Collections.nCopies(4, Kind.DOUBLE), n);
      for (int c = 0; c < 4; c++) {
        Arrays.setAll(attributes.doubles(c), v -> random.nextInt(100));
      }
      Object[] least = {-1.0, -2.0, -3.0, -4.0};
      RunSettings settings =
          settings(
              null,
              least,
              ActiveDirection.OUT,
              Gather.ACTIVE,
              KernelChoice.AUTO,
              false,
              1 + seed % 3);
      ProgramInstance program = IrPrograms.phased(7);
      IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
      oracle.initialise();
      EngineRun run = any.open(graph, program, graph.split(attributes), settings);
      inGroups += run.notes().contains(SourceGroups.NOTE) ? 1 : 0;
      try {
        run.initialise();
        for (int step = 1; step < 7; step++) {
          if (step == 3) {
            EngineRun next = any.open(graph, program, graph.split(attributes), settings);
            run = restored(run, next, graph);
          }
          run.step(new double[0]);
          oracle.step();
          assertSame("seed " + seed + ", superstep " + step, graph, run, oracle, false);
        }
        if (graph.present == null && n > 0) {
          EngineRun last = run;
          assertThatThrownBy(() -> last.step(new double[0]))
              .isInstanceOf(ProgramFault.class)
              .hasMessageContaining("too late")
              .hasMessageContaining("in vertexProgram");
        }
      } finally {
        run.close();
      }
    }
    assertThat(inGroups).isPositive();
  }

  @Test
  void kernelsOfOneProgramAreDividedAndBounded() {
    ProgramInstance program = IrPrograms.phased(7);
    RunSettings settings =
        settings(
            null,
            new Object[] {0.0, 0.0, 0.0, 0.0},
            ActiveDirection.OUT,
            Gather.ACTIVE,
            KernelChoice.AUTO,
            false,
            1);
    KernelShape shape = KernelShape.of(program.program(), settings, false, false);
    CompiledKernel whole = KernelGenerator.generate(program.program(), shape);
    DenseKernels kernels = new DenseKernels(program.program(), shape, false);
    Object[] captures = {7};
    CompiledKernel even = kernels.of(whole, 2, captures, Interleaving.ALWAYS);
    CompiledKernel odd = kernels.of(whole, 3, captures, Interleaving.ALWAYS);
    assertThat(even).isNotSameAs(whole).isNotSameAs(odd);
    assertThat(even.columns().inWide()).hasSize(4);
    assertThat(even.columns().outWide()).isEmpty();
    assertThat(kernels.of(whole, 4, captures, Interleaving.ALWAYS)).isSameAs(even);
    assertThat(kernels.of(whole, 7, captures, Interleaving.ALWAYS)).isNotSameAs(odd);
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("gpugraph-cpu-"))
        .toList();
  }

  @Test
  void anInterruptEndsTheSuperstep() {
    SimpleGraph graph = path(100_000);
    ProgramInstance program = IrPrograms.faulty(Integer.MAX_VALUE);
    Columns attributes = Columns.allocate(List.of(Kind.INT), 100_000);
    RunSettings settings =
        settings(
            new Object[] {0},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            KernelChoice.AUTO,
            false,
            2);
    try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      run.initialise();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> run.step(new double[0])).isInstanceOf(CancellationException.class);
      assertThat(Thread.interrupted()).isTrue();
    }
    assertThat(threads()).isEmpty();
  }

  @Test
  void aSmallFrontierIsGatheredSparsely() {
    SimpleGraph plain = path(5000, 1234);
    Columns weights = Columns.allocate(List.of(Kind.DOUBLE), 4999);
    Arrays.fill(weights.doubles(0), 2);
    SimpleGraph graph =
        new SimpleGraph(plain.ids, null, plain.sources, plain.destinations, weights, 1234)
            .withTransposes();
    Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), 5000);
    Arrays.fill(attributes.doubles(0), Double.POSITIVE_INFINITY);
    attributes.doubles(0)[0] = 0;
    RunSettings settings = searching(false, 2);
    try (EngineRun run =
        engine.open(graph, IrPrograms.shortestPaths(), graph.split(attributes), settings)) {
      run.initialise();
      SuperstepStats stats = run.step(new double[0]);
      assertThat(stats.kernel()).isEqualTo(KernelChoice.DENSE);
      assertThat(stats.edgesEvaluated()).isEqualTo(4999);
      while (stats.activeVertices() > 0) {
        stats = run.step(new double[0]);
        assertThat(stats.kernel()).isEqualTo(KernelChoice.SPARSE);
        assertThat(stats.edgesEvaluated()).isEqualTo(stats.superstep() < 5000 ? 1 : 0);
        // Each end of the edge between the partitions is a ghost of the other: said once, when
        // reached.
        assertThat(stats.boundaryUpdates())
            .as("superstep %s", stats.superstep())
            .isEqualTo(stats.superstep() == 1233 || stats.superstep() == 1234 ? 1 : 0);
      }
      assertThat(run.values(1).doubles(0)[5000 - 1234 - 1]).isEqualTo(2.0 * 4999);
    }
  }

  @Test
  void transposesAreMadeOnceTheyPay() {
    for (boolean inPlace : new boolean[] {false, true}) {
      SimpleGraph forth = path(200);
      Columns weights = Columns.allocate(List.of(Kind.DOUBLE), 199);
      // Back, so that a superstep in place does not walk the whole path.
      SimpleGraph graph =
          new SimpleGraph(forth.ids, null, forth.destinations, forth.sources, weights);
      Columns attributes = Columns.allocate(List.of(Kind.DOUBLE), 200);
      Arrays.fill(attributes.doubles(0), 0, 199, Double.POSITIVE_INFINITY);
      RunSettings settings = searching(inPlace, 1);
      // What one run lacked counts for the next one, too: five supersteps, then three.
      for (int round = 0; round < 2; round++) {
        try (EngineRun run =
            engine.open(graph, IrPrograms.shortestPaths(), graph.split(attributes), settings)) {
          run.initialise();
          for (int superstep = 1; superstep <= (round == 0 ? 6 : 40); superstep++) {
            SuperstepStats stats = run.step(new double[0]);
            boolean early = superstep <= (round == 0 ? 6 : 4);
            String at = "round " + round + ", " + superstep + (inPlace ? ", in place" : "");
            assertThat(stats.kernel())
                .as(at)
                .isEqualTo(early ? KernelChoice.DENSE : KernelChoice.SPARSE);
            assertThat(stats.edgesEvaluated()).as(at).isEqualTo(superstep == 1 ? 199 : 1);
            assertThat(graph.partitions().get(0).hasTranspose(true)).as(at).isEqualTo(!early);
          }
          assertThat(run.values(0).doubles(0)).startsWith(Double.POSITIVE_INFINITY).endsWith(0.0);
        }
      }
    }
  }

  @Test
  void runsThatDifferInCapturedValuesShareAKernel() {
    CompiledKernels cache = new CompiledKernels();
    LiftedProgram one = IrPrograms.pageRank(true, 0.5).program();
    LiftedProgram two = IrPrograms.pageRank(true, 0.85).program();
    RunSettings settings =
        settings(
            null,
            new Object[] {0.0},
            ActiveDirection.OUT,
            Gather.ACTIVE,
            KernelChoice.AUTO,
            false,
            1);
    KernelShape shape = KernelShape.of(one, settings, false, false);
    assertThat(cache.get(one, shape)).isSameAs(cache.get(two, shape));
    KernelShape exchanging = KernelShape.of(one, settings, false, true);
    assertThat(cache.get(one, exchanging)).isNotSameAs(cache.get(one, shape));
    // The second column is returned as it was: it has one buffer.
    LiftedProgram weights = IrPrograms.pageRank(false, 0.5).program();
    assertThat(cache.get(weights, shape).columns().stable()).containsExactly(false, true);
    assertThat(cache.get(weights, shape).columns().shipped()).containsExactly(0, 1);
    assertThat(cache.size()).isEqualTo(3);
  }

  @Test
  void describesItself() {
    SimpleGraph graph = path(100, 50);
    RunSettings settings =
        settings(
            new Object[] {0},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            KernelChoice.AUTO,
            false,
            2);
    ProgramInstance program = IrPrograms.faulty(7);
    // Values: 2 buffers of 4 bytes for 100 held and 2 ghosts. Bitmaps: per partition 4 of 51 bits
    // and the changes, each a word and a summary word.
    assertThat(engine.estimate(graph, program, settings)).isEqualTo(2 * 4 * 102 + 2 * 5 * 16);
    assertThat(engine.describeMemory(graph, program, settings))
        .isEqualTo("about 976 bytes beside the graph");
    assertThat(engine.describe(program.program(), settings))
        .isEqualTo(
            "2 threads, pulls over in-edges, dense or sparse by active edges, two value buffers");
  }
}
