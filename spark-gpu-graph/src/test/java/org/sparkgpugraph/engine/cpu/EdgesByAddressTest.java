package org.sparkgpugraph.engine.cpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.KernelShape;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.cpu.frame.Interleaving;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.graphs.memory.DirectMemory;
import org.sparkgpugraph.graphs.memory.MappedMemory;
import org.sparkgpugraph.graphs.memory.OffHeapMemoryException;
import org.sparkgpugraph.graphs.memory.SmallChunks;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.ColumnType;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;

/** Loops that read edges by address against those over arrays of the heap. */
@Tag("any-spark")
class EdgesByAddressTest {
  private static final int SUPERSTEPS = 4;

  @TempDir private Path directory;

  private final List<CpuEngine> engines =
      List.of(
          new CpuEngine(),
          new CpuEngine(-1, false),
          new CpuEngine(24_000, true),
          new CpuEngine(24_000, false, Interleaving.ALWAYS));

  /** Where edges may be. */
  private List<Consumer<SimpleGraph>> homes() {
    return List.of(
        graph -> graph.movedTo(new DirectMemory(DirectMemory.Budget.of(1 << 30, "none"))),
        graph -> graph.movedTo(new MappedMemory(List.of(directory), null)),
        graph -> graph.movedTo(new SmallChunks()),
        graph -> graph.neighboursMovedTo(new SmallChunks()));
  }

  private static void fill(Random random, ColumnType type, Object column, int rows) {
    for (int i = 0; i < rows * type.width(); i++) {
      switch (type.kind()) {
        case BOOLEAN -> ((boolean[]) column)[i] = random.nextBoolean();
        case INT -> ((int[]) column)[i] = random.nextInt();
        case LONG -> ((long[]) column)[i] = random.nextLong();
        case FLOAT -> ((float[]) column)[i] = (float) 1e9 * random.nextFloat();
        case DOUBLE -> ((double[]) column)[i] = 1e18 * random.nextDouble();
      }
    }
  }

  /** With a hub in some, whose row is longer than a chunk. */
  private static SimpleGraph graph(Random random) {
    int vertices = 1 + random.nextInt(6000);
    int[] sources = random.ints(random.nextInt(3 * vertices), 0, vertices).toArray();
    int[] destinations = random.ints(sources.length, 0, vertices).toArray();
    if (random.nextBoolean()) {
      Arrays.fill(random.nextBoolean() ? sources : destinations, 0, sources.length / 2, 0);
    }
    Columns values = Columns.allocate(IrPrograms.EVERY_KIND, sources.length);
    for (int c = 0; c < values.width(); c++) {
      fill(random, IrPrograms.EVERY_KIND.get(c), values.array(c), sources.length);
    }
    int[] cuts = random.ints(random.nextInt(3), 0, vertices + 1).sorted().toArray();
    long[] ids = random.longs().distinct().limit(vertices).sorted().toArray();
    return new SimpleGraph(ids, null, sources, destinations, values, cuts);
  }

  private static <T> T pick(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  private static RunSettings settings(Random random) {
    boolean every = random.nextInt(4) == 0;
    return new RunSettings(
        every ? null : new Object[] {5L},
        every ? new Object[] {0L} : null,
        pick(random, ActiveDirection.values()),
        pick(random, Gather.values()),
        Integer.MAX_VALUE,
        false,
        pick(
            random,
            new KernelChoice[] {KernelChoice.AUTO, KernelChoice.DENSE, KernelChoice.SPARSE}),
        1 + random.nextInt(3),
        null);
  }

  /** The values after each superstep. */
  private static List<long[]> values(
      CpuEngine engine, SimpleGraph graph, ProgramInstance program, RunSettings settings) {
    Columns attributes = Columns.allocate(List.of(Kind.LONG), graph.ids.length);
    Arrays.setAll(attributes.longs(0), v -> v * 0x9E3779B97F4A7C15L);
    List<long[]> all = new ArrayList<>();
    try (EngineRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      run.initialise();
      for (int step = 0; step < SUPERSTEPS; step++) {
        run.step(new double[0]);
        all.add(
            graph.partitions().stream()
                .flatMapToLong(p -> Arrays.stream(run.values(p.index()).longs(0), 0, p.stored()))
                .toArray());
      }
    }
    return all;
  }

  @Test
  void edgesAreTheSameWhereverTheyAre() {
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = graph(random);
      RunSettings settings = settings(random);
      int reads = random.nextInt(1 << IrPrograms.EVERY_KIND.size());
      ProgramInstance program = IrPrograms.everyKind(reads);
      CpuEngine engine = engines.get(random.nextInt(engines.size()));
      List<long[]> wanted = values(engine, graph, program, settings);
      int home = random.nextInt(homes().size());
      homes().get(home).accept(graph);
      String what =
          "seed %s, home %s, columns %s, %s"
              .formatted(seed, home, Integer.toBinaryString(reads), settings);
      List<long[]> found = values(engine, graph, program, settings);
      for (int step = 0; step < SUPERSTEPS; step++) {
        assertThat(found.get(step))
            .as("%s, superstep %s", what, step + 1)
            .isEqualTo(wanted.get(step));
      }
    }
  }

  /**
   * A row that lies in several pieces and is copied: within what a graph may take, or not at all.
   */
  @Test
  void copiesOfLongRowsAreCounted() {
    int edges = 300_000;
    long[] ids = {0, 1};
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    Arrays.fill(destinations, 1);
    Columns values = Columns.allocate(IrPrograms.EVERY_KIND, edges);
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, values, new int[0]);
    ProgramInstance program = IrPrograms.everyKind(0);
    RunSettings settings =
        new RunSettings(
            new Object[] {5L},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            false,
            KernelChoice.AUTO,
            1,
            null);
    CpuEngine engine = engines.get(0);
    List<long[]> wanted = values(engine, graph, program, settings);
    // Of the two ends' rows.
    long room = 2 * 4L * edges;
    graph.movedTo(new SmallChunks(DirectMemory.Budget.of(room - 1, "raise the limit")));
    assertThatThrownBy(() -> values(engine, graph, program, settings))
        .isInstanceOf(OffHeapMemoryException.class)
        .hasMessageContaining("a copy of 1,200,000 bytes of a graph's edges")
        .hasMessageContaining("raise the limit");
    graph.movedTo(new SmallChunks(DirectMemory.Budget.of(room, "none")));
    List<long[]> found = values(engine, graph, program, settings);
    for (int step = 0; step < SUPERSTEPS; step++) {
      assertThat(found.get(step)).isEqualTo(wanted.get(step));
    }
  }

  @Test
  void whatIsOnTheHeapIsReadFromArrays() {
    SimpleGraph graph = graph(new Random(1));
    ProgramInstance program = IrPrograms.everyKind(1);
    for (boolean every : new boolean[] {true, false}) {
      RunSettings settings =
          new RunSettings(
              every ? null : new Object[] {5L},
              every ? new Object[] {0L} : null,
              ActiveDirection.OUT,
              Gather.ACTIVE,
              Integer.MAX_VALUE,
              false,
              KernelChoice.AUTO,
              1,
              null);
      ProgramInstance other = IrPrograms.everyKind(0);
      KernelShape shape = KernelShape.of(program.program(), settings, false, false);
      SimpleGraph moved = graph(new Random(1)).movedTo(new SmallChunks());
      assertThat(EdgeWindows.byAddress(graph, program.program(), shape)).isFalse();
      assertThat(EdgeWindows.byAddress(moved, program.program(), shape)).isTrue();
      // All neighbours, and nothing else: copies of many are faster.
      assertThat(EdgeWindows.byAddress(moved, other.program(), shape)).isEqualTo(!every);
    }
  }
}
