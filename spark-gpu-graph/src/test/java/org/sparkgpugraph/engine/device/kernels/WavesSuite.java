package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.plan.GroupWidth;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.LaneUse;
import org.sparkgpugraph.run.SuperstepStats;

/** Rows in waves, and what kernels say of the use of their lanes, on any device. */
abstract class WavesSuite {
  static final DeviceSettings SETTINGS =
      DeviceSettings.DEFAULT.withReserve(0).withHubs(1 << 30, 2048);

  static final ProgramInstance LEAST = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);

  /** A row that is only taken by a group. */
  private static final DenseTuning GROUPS =
      DenseTuning.WAVES.withConstants(0, Integer.MAX_VALUE, 0);

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice(int seed);

  static RunSettings settings(KernelChoice kernel) {
    return IrPrograms.settings(Integer.MAX_VALUE, kernel);
  }

  /** Rows of so many in-edges, from anywhere, of a length in turn. */
  static SimpleGraph rows(Random random, int rows, int... degrees) {
    int[] offsets = new int[rows + 1];
    for (int v = 0; v < rows; v++) {
      offsets[v + 1] = offsets[v] + degrees[v % degrees.length];
    }
    int[] destinations = new int[offsets[rows]];
    int[] sources = new int[offsets[rows]];
    for (int v = 0; v < rows; v++) {
      Arrays.fill(destinations, offsets[v], offsets[v + 1], v);
    }
    Arrays.setAll(sources, e -> random.nextInt(rows));
    long[] ids = new long[rows];
    Arrays.setAll(ids, v -> 2L * v);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }

  /** Every width, rows of all lengths, numbers of rows around those of warps. */
  @Test
  void everyWidthFindsTheSameAndCountsItsLanes() {
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      int seed = 0;
      for (int n : new int[] {1, 31, 32, 33, 200}) {
        Random random = new Random(seed++);
        SimpleGraph graph =
            rows(random, n, 0, 1, 3, 4, 5, 0, 7, 8, 9, 15, 16, 17, 31, 32, 33, 64, 65, 300);
        Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, n);
        for (int width : new int[] {0, 4, 8, 16, 32}) {
          for (DenseTuning tuning : List.of(DenseTuning.WAVES, GROUPS)) {
            DeviceSettings how = SETTINGS.withTuning(tuning.withGroups(width));
            String what = "seed " + (seed - 1) + ", " + n + " rows, " + tuning + ", " + width;
            GroupWidth widths =
                new GroupWidth(
                    List.of(graph.partitions().get(0).inEdges().offsets()),
                    how.hubDegree(),
                    tuning.longRow());
            int taken = width == 0 ? widths.best() : width;
            SuperstepStats stats = check(what, engine.with(how), graph, attributes);
            assertThat(stats.lanes())
                .as(what)
                .isEqualTo(
                    new LaneUse(graph.edgeCount(), widths.lanes(taken), n, (n + 31) / 32 * 32L));
          }
        }
      }
    }
  }

  /** Hubs are taken by warps of a launch of their own, whose lanes count, too. */
  @Test
  void hubsCountBesideTheWaves() {
    Random random = new Random(7);
    SimpleGraph graph = rows(random, 64, 100, 4, 4, 4);
    Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, 64);
    try (Device device = openDevice(1);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      DeviceSettings how = SETTINGS.withHubs(50, 40).withTuning(DenseTuning.WAVES.withGroups(4));
      SuperstepStats stats = check("hubs", engine.with(how), graph, attributes);
      // 16 hubs of chunks of 40, 40 and 20 edges: two rounds, two rounds, one; the others' groups
      // have a row of four edges in three steps of four.
      assertThat(stats.lanes())
          .isEqualTo(new LaneUse(16 * 100 + 48 * 4, 16 * 5 * 32 + 2 * 3 * 32, 48, 64));
    }
  }

  /** 96 rows of three edges each, by every kernel: figures that one can find by hand. */
  @Test
  void knownGraphsHaveKnownFigures() {
    Random random = new Random(3);
    int n = 96;
    SimpleGraph graph = rows(random, n, 3);
    Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, n);
    try (Device device = openDevice(2);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      // A lane of four has no edge; one of eight: five have none.
      expect(engine, graph, attributes, DenseTuning.WAVES.withGroups(4), 0, 3 / 4.0, 1);
      expect(engine, graph, attributes, DenseTuning.WAVES.withGroups(8), 0, 3 / 8.0, 1);
      expect(engine, graph, attributes, DenseTuning.WAVES.withGroups(32), 0, 3 / 32.0, 1);
      // By degrees that is four lanes.
      expect(engine, graph, attributes, DenseTuning.WAVES, 0, 3 / 4.0, 1);
      // Virtual warps look at a row in every lane.
      expect(engine, graph, attributes, DenseTuning.DEFAULT, 1, 1, 1);
      expect(engine, graph, attributes, DenseTuning.DEFAULT, 8, 3 / 8.0, 1 / 8.0);
      expect(engine, graph, attributes, DenseTuning.DEFAULT, 32, 3 / 32.0, 1 / 32.0);
      // 96 edges of a warp are three rounds of 32, or of three for each lane.
      expect(engine, graph, attributes, DenseTuning.SEGMENTATION, 0, 1, 1);
      expect(engine, graph, attributes, DenseTuning.DEFAULT, 0, 1, 1);
    }
  }

  /** A row of 40 among short ones, streamed: the lanes of the others wait twice for it. */
  @Test
  void aLongRowIsSeenInTheFigures() {
    Random random = new Random(5);
    int[] degrees = new int[32];
    Arrays.fill(degrees, 1);
    degrees[9] = 40;
    SimpleGraph graph = rows(random, 32, degrees);
    Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, 32);
    try (Device device = openDevice(3);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      expect(engine, graph, attributes, DenseTuning.DEFAULT, 0, 71.0 / (3 * 32), 1);
      expect(engine, graph, attributes, DenseTuning.DEFAULT, 1, 71.0 / (40 * 32), 1);
    }
  }

  private static void expect(
      DeviceEngine engine,
      SimpleGraph graph,
      Columns attributes,
      DenseTuning tuning,
      int virtualWarp,
      double efficiency,
      double packing) {
    DeviceSettings how = SETTINGS.withTuning(tuning).withVirtualWarp(virtualWarp);
    String what = tuning + ", virtual warps of " + virtualWarp;
    LaneUse lanes = check(what, engine.with(how), graph, attributes).lanes();
    assertThat(lanes.efficiency()).as(what).isEqualTo(efficiency);
    assertThat(lanes.packing()).as(what).isEqualTo(packing);
  }

  /** Rounds of a lane for all rows of a word. */
  private static final int EACH = 0;

  /** Rounds of a list of all rows of a word. */
  private static final int LIST = -1;

  /** Rows of 40 edges by every schedule; of 300, which are a block's where others take the rest. */
  @Test
  void rowsTellWhoGatheredThem() {
    // Of a row of 40 a warp takes two rounds, the eight warps of a block one each.
    int[] shorter = {EACH, 8, 2, 2, LIST, LIST, 2, 2};
    int[] longer = {EACH, 8 * 2, 10, 8 * 2, LIST, 8 * 2, 10, 8 * 2};
    List<WalkSchedule> all = WalkSchedule.all();
    for (int s = 0; s < all.size(); s++) {
      try (Device device = openDevice(s);
          DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
        gathered(engine, all.get(s), 40, shorter[s]);
        gathered(engine, all.get(s), 300, longer[s]);
      }
    }
  }

  private static void gathered(
      DeviceEngine engine, WalkSchedule schedule, int degree, int roundsOfRow) {
    int n = 70;
    Random random = new Random(degree);
    SimpleGraph graph = rows(random, n, degree);
    Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, n);
    DeviceSettings how = SETTINGS.withTuning(DenseTuning.nested(schedule));
    String what = schedule.title() + ", rows of " + degree;
    // Two words of 32 rows, and one of 6.
    long rounds =
        switch (roundsOfRow) {
          case EACH -> 3L * degree;
          case LIST -> 2L * degree + (6L * degree + 31) / 32;
          default -> (long) n * roundsOfRow;
        };
    assertThat(check(what, engine.with(how), graph, attributes).lanes())
        .as(what)
        .isEqualTo(new LaneUse((long) n * degree, 32 * rounds, n, 96));
  }

  /** What is pushed and what is sparse: a path wakes one vertex at a time, with one edge. */
  @Test
  void oneActiveVertexUsesOneLane() {
    int n = 40;
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> v + 1);
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    SimpleGraph path = new SimpleGraph(ids, null, sources, destinations, null);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.fill(attributes.ints(0), 9);
    attributes.ints(0)[0] = 1;
    try (Device device = openDevice(4);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS.withGrouping(1))) {
      for (KernelChoice kernel :
          List.of(KernelChoice.PUSH, KernelChoice.OUTLINED, KernelChoice.SPARSE)) {
        try (DeviceRun run = engine.open(path, LEAST, path.split(attributes), settings(kernel))) {
          if (kernel == KernelChoice.OUTLINED) {
            run.runAhead();
          }
          run.initialise();
          run.step(new double[0]);
          SuperstepStats third = run.step(new double[0]);
          assertThat(third.kernel()).isEqualTo(kernel);
          assertThat(third.lanes()).as("%s", kernel).isEqualTo(new LaneUse(1, 32, 1, 32));
        }
      }
    }
  }

  /** The first superstep that evaluates every edge; its values are compared with the oracle's. */
  static SuperstepStats check(
      String what, DeviceEngine engine, SimpleGraph graph, Columns attributes) {
    RunSettings settings = settings(KernelChoice.DENSE);
    IrPregelOracle oracle = new IrPregelOracle(graph, LEAST, attributes, settings);
    oracle.initialise();
    oracle.step();
    try (DeviceRun run = engine.open(graph, LEAST, graph.split(attributes), settings)) {
      run.initialise();
      SuperstepStats first = run.step(new double[0]);
      assertThat(first.edgesEvaluated()).as(what).isEqualTo(graph.edgeCount());
      // In place later values are seen sooner: to the end both find the same.
      for (int step = 0; step < 40 && oracle.activeCount > 0; step++) {
        oracle.step();
      }
      SuperstepStats next = first;
      for (int step = 0; step < 40 && next.activeVertices() > 0; step++) {
        next = run.step(new double[0]);
      }
      int[] found = run.values(0).ints(0);
      for (int v = 0; v < found.length; v++) {
        assertThat(found[v]).as("%s: vertex %s", what, v).isEqualTo(oracle.values[v][0]);
      }
      return first;
    }
  }
}
