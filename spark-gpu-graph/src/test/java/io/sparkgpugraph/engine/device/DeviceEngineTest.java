package io.sparkgpugraph.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparkgpugraph.engine.ActiveDirection;
import io.sparkgpugraph.engine.EngineRun;
import io.sparkgpugraph.engine.FunctionTraits;
import io.sparkgpugraph.engine.Gather;
import io.sparkgpugraph.engine.KernelChoice;
import io.sparkgpugraph.engine.RandomSimpleGraphs;
import io.sparkgpugraph.engine.RunSettings;
import io.sparkgpugraph.engine.SimpleGraph;
import io.sparkgpugraph.engine.SuperstepStats;
import io.sparkgpugraph.engine.TestPrograms;
import io.sparkgpugraph.engine.cpu.CpuEngine;
import io.sparkgpugraph.engine.emulator.EmulatedDevice;
import io.sparkgpugraph.engine.emulator.EmulatorSettings;
import io.sparkgpugraph.graph.BoundaryList;
import io.sparkgpugraph.graph.Columns;
import io.sparkgpugraph.program.Kind;
import io.sparkgpugraph.program.ProgramInstance;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The device engine on the emulated device, against the CPU engine, superstep by superstep. */
class DeviceEngineTest {
  private static final DeviceSettings SETTINGS = DeviceSettings.DEFAULT.withReserve(0);

  private final CpuEngine cpu = new CpuEngine();
  private EmulatedDevice device;
  private DeviceEngine engine;

  @BeforeEach
  void open() {
    assumeTrue(EmulatedDevice.isAvailable(), "skipped: the emulated device needs g++ on the PATH");
    device = new EmulatedDevice(EmulatorSettings.defaults());
    engine = new DeviceEngine("emulated", device, SETTINGS);
  }

  @AfterEach
  void nothingLeaks() {
    if (device != null) {
      engine.close();
      assertThat(device.allocations()).isEmpty();
      device.close();
    }
  }

  private static <T> T pick(Random random, T[] values) {
    return values[random.nextInt(values.length)];
  }

  private static Columns randomAttributes(Random random, int n) {
    Columns attributes = Columns.allocate(List.of(Kind.LONG, Kind.INT), n);
    for (int v = 0; v < n; v++) {
      attributes.longs(0)[v] = random.nextInt(100);
      attributes.ints(1)[v] = random.nextInt(100);
    }
    return attributes;
  }

  /**
   * Random programs in all directions, both gathers, everyVertex or not; each on several graphs
   * with random kernels, groupings, hubs and widths of virtual warps.
   */
  @Test
  void everySuperstepEqualsTheCpuEngine() {
    for (int seed = 0; seed < 24; seed++) {
      Random random = new Random(seed);
      TestPrograms.Options options = TestPrograms.Options.random(random);
      ProgramInstance program = TestPrograms.random(random, options);
      boolean every = random.nextInt(5) == 0;
      boolean holes = random.nextInt(3) == 0;
      boolean lanes = random.nextInt(3) == 0;
      // Direction and gather in turn: they decide the most.
      ActiveDirection direction = ActiveDirection.values()[seed % 4];
      Gather gather = Gather.values()[seed / 4 % 2];
      Object[] initial = every && random.nextBoolean() ? null : new Object[] {5L, 7};
      for (int graphs = 0; graphs < 8; graphs++) {
        int n = random.nextInt(3) == 0 ? 300 + random.nextInt(500) : 1 + random.nextInt(90);
        int partitions = seed % 2 == 0 ? 1 : 2 + random.nextInt(2);
        SimpleGraph graph =
            RandomSimpleGraphs.of(
                random, n, random.nextInt(4), random.nextBoolean(), holes, partitions);
        RunSettings settings =
            new RunSettings(
                initial,
                every ? new Object[] {-3L, 2} : null,
                direction,
                gather,
                Integer.MAX_VALUE,
                false,
                pick(random, KernelChoice.values()),
                1,
                null);
        DeviceSettings device =
            SETTINGS
                .withVirtualWarp(lanes ? 1 << random.nextInt(6) : 0)
                .withGrouping(pick(random, new Integer[] {0, 1, 2, 4, 32, 64}))
                .withHubs(1 + random.nextInt(40), 1 + random.nextInt(70));
        compare(
            "seed " + seed + "." + graphs + ", " + settings + ", " + options + ", " + device,
            graph,
            program,
            randomAttributes(random, n),
            settings,
            device);
      }
    }
  }

  /** Runs a program on both engines and compares all that they tell. */
  private void compare(
      String what,
      SimpleGraph graph,
      ProgramInstance program,
      Columns attributes,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    try (EngineRun expected = cpu.open(graph, program, graph.split(attributes), settings);
        DeviceRun run =
            engine.open(graph, program, graph.split(attributes), settings, deviceSettings)) {
      SuperstepStats wanted = expected.initialise();
      SuperstepStats stats = run.initialise();
      // A group's other vertices are gathered too; without an edge filter their edges count.
      boolean exactEdges =
          run.plan().grouping() == 1
              || settings.kernel() == KernelChoice.DENSE
              || settings.everyVertex()
              || settings.activeDirection() != ActiveDirection.EITHER;
      for (int step = 0; step <= 6; step++) {
        String at = what + ", superstep " + step;
        assertThat(stats.superstep()).as(at).isEqualTo(step);
        assertThat(stats.kernel()).as(at).isEqualTo(wanted.kernel());
        assertThat(stats.verticesRun()).as(at).isEqualTo(wanted.verticesRun());
        assertThat(stats.activeVertices()).as(at).isEqualTo(wanted.activeVertices());
        assertThat(stats.aggregates()).as(at).isEqualTo(wanted.aggregates());
        assertThat(stats.boundaryUpdates()).as(at).isEqualTo(wanted.boundaryUpdates());
        assertThat(stats.boundaryBytes()).as(at).isEqualTo(wanted.boundaryBytes());
        if (exactEdges) {
          assertThat(stats.edgesEvaluated()).as(at).isEqualTo(wanted.edgesEvaluated());
        }
        List<Columns> before = values(graph, expected);
        assertSame(at, graph, run, before);
        if (wanted.activeVertices() == 0) {
          break;
        }
        wanted = expected.step(wanted.aggregates());
        stats = run.step(stats.aggregates());
        assertUpdates(at, graph, program, run, before, values(graph, expected));
      }
      double[] last = expected.finalAggregates();
      assertThat(run.finalAggregates()).as(what).isEqualTo(last);
      for (SimpleGraph.Partition p : graph.partitions()) {
        assertSame(
            what + ", result",
            graph,
            p,
            run.results(p.index(), last),
            expected.results(p.index(), last));
      }
    }
  }

  private static List<Columns> values(SimpleGraph graph, EngineRun run) {
    List<Columns> values = new ArrayList<>();
    for (SimpleGraph.Partition p : graph.partitions()) {
      Columns current = run.values(p.index());
      Columns copy = Columns.allocate(current.kinds(), current.length());
      copy.copyFrom(current, 0, 0, current.length());
      values.add(copy);
    }
    return values;
  }

  private static void assertSame(
      String what, SimpleGraph graph, EngineRun run, List<Columns> expected) {
    for (SimpleGraph.Partition p : graph.partitions()) {
      assertSame(what, graph, p, run.values(p.index()), expected.get(p.index()));
    }
  }

  private static void assertSame(
      String what, SimpleGraph graph, SimpleGraph.Partition p, Columns values, Columns expected) {
    for (int v = 0; v < p.stored(); v++) {
      if (graph.present != null && !graph.present[p.from + v]) {
        continue;
      }
      for (int c = 0; c < values.width(); c++) {
        assertThat(values.get(c, v))
            .as("%s: column %s of vertex %s (partition %s)", what, c, v, p.index())
            .isEqualTo(expected.get(c, v));
      }
    }
  }

  /** Each outbox: those of the list whose bits differ from before, ascending, each once. */
  private static void assertUpdates(
      String what,
      SimpleGraph graph,
      ProgramInstance program,
      DeviceRun run,
      List<Columns> before,
      List<Columns> after) {
    int[] shipped = FunctionTraits.shippedColumns(program.program());
    List<BoundaryList> lists =
        graph.boundaries().stream().sorted((a, b) -> Integer.compare(a.home(), b.home())).toList();
    List<DeviceOutbox.Updates> all = run.updates();
    assertThat(all).hasSameSizeAs(lists);
    for (int i = 0; i < all.size(); i++) {
      DeviceOutbox.Updates updates = all.get(i);
      BoundaryList list = lists.get(i);
      int[] positions = updates.positions();
      List<Integer> valued = new ArrayList<>();
      for (int u = 0; u < positions.length; u++) {
        assertThat(u == 0 || positions[u - 1] < positions[u]).as(what).isTrue();
        if ((updates.flags()[u] & DeviceOutbox.VALUED) != 0) {
          valued.add(positions[u]);
          for (int k = 0; k < shipped.length; k++) {
            assertThat(updates.values().get(k, u))
                .as(what)
                .isEqualTo(
                    after.get(list.home()).get(shipped[k], list.homeVertices()[positions[u]]));
          }
        }
      }
      List<Integer> expected = new ArrayList<>();
      for (int position = 0; position < list.size(); position++) {
        int vertex = list.homeVertices()[position];
        boolean differs = false;
        for (int c : shipped) {
          differs |=
              !before.get(list.home()).get(c, vertex).equals(after.get(list.home()).get(c, vertex));
        }
        if (differs) {
          expected.add(position);
        }
      }
      assertThat(valued).as(what).isEqualTo(expected);
    }
  }
}
