package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.PushSettings;
import org.sparkgpugraph.engine.device.settings.WalkSchedule;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.LaneUse;
import org.sparkgpugraph.run.SuperstepStats;

/** Who walks the edges of active vertices, in all combinations, on any device. */
abstract class NestedSuite {
  private static final ProgramInstance LEAST = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);

  /** Most work of one block, of which some runs stay below it and some do not. */
  private static final int BLOCK_WORK = 4000;

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice(int seed);

  static DeviceSettings settings(WalkSchedule schedule) {
    return DeviceSettings.DEFAULT
        .withReserve(0)
        .withPush(new PushSettings(1, BLOCK_WORK, 1, 0, 7).withSchedule(schedule));
  }

  /** The eight combinations, half of them with a shelf, and all together the other way too. */
  private static List<WalkSchedule> schedules() {
    List<WalkSchedule> all = new ArrayList<>();
    for (WalkSchedule schedule : WalkSchedule.all()) {
      all.add(schedule.withShelf(all.size() % 2 == 1));
    }
    all.add(new WalkSchedule(true, true, true, false));
    return all;
  }

  /** Sums, so that an edge that is lost or walked twice shows; and values in place. */
  @Test
  void everyScheduleWalksEachEdgeOnce() {
    int seed = 0;
    for (WalkSchedule schedule : schedules()) {
      Random random = new Random(seed);
      SimpleGraph graph = RandomSimpleGraphs.degrees(random, 3000, -400);
      try (Device device = openDevice(seed++);
          DeviceEngine engine = new DeviceEngine("emulated", device, settings(schedule))) {
        sums(schedule.title(), engine, graph, LoopPrograms.attributes(random, graph.ids.length));
        Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, graph.ids.length);
        least(schedule.title(), engine, graph, attributes, KernelChoice.OUTLINED);
      }
    }
  }

  private static void sums(
      String what, DeviceEngine engine, SimpleGraph graph, Columns attributes) {
    ProgramInstance program = LoopPrograms.sums();
    RunSettings settings = TasksSuite.settings(KernelChoice.PUSH);
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
    oracle.initialise();
    try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      SuperstepStats stats = run.initialise();
      for (int step = 0; step < 3 && stats.activeVertices() > 0; step++) {
        oracle.step();
        stats = run.step(new double[0]);
        int[] found = run.values(0).ints(2);
        for (int v = 0; v < found.length; v++) {
          assertThat(found[v])
              .as("%s, superstep %s: vertex %s", what, step + 1, v)
              .isEqualTo(oracle.values[v][2]);
        }
      }
      assertThat(stats.kernel()).isEqualTo(KernelChoice.PUSH);
    }
  }

  static List<SuperstepStats> least(
      String what,
      DeviceEngine engine,
      SimpleGraph graph,
      Columns attributes,
      KernelChoice kernel) {
    int n = graph.ids.length;
    RunSettings settings = IrPrograms.settings(Integer.MAX_VALUE, kernel);
    IrPregelOracle oracle = IrPregelOracle.ended(graph, LEAST, attributes, settings);
    try (DeviceRun run = engine.open(graph, LEAST, graph.split(attributes), settings)) {
      List<SuperstepStats> steps = new ArrayList<>();
      SuperstepLoop.run("emulated", run, settings, n, List.of(), steps::add);
      int[] found = run.values(0).ints(0);
      for (int v = 0; v < n; v++) {
        assertThat(found[v]).as("%s: vertex %s", what, v).isEqualTo(oracle.values[v][0]);
      }
      return steps;
    }
  }

  /**
   * Vertex 3 wakes vertex 2, that vertex 1, and that all leaves in superstep 3: rows of one word
   * see each other's new values no sooner than in the next superstep.
   */
  static SimpleGraph star(int leaves) {
    int[] sources = new int[leaves + 2];
    int[] destinations = new int[leaves + 2];
    Arrays.fill(sources, 1);
    Arrays.setAll(destinations, e -> e + 2);
    sources[0] = 3;
    destinations[0] = 2;
    sources[1] = 2;
    destinations[1] = 1;
    long[] ids = new long[leaves + 4];
    Arrays.setAll(ids, v -> v);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }

  static Columns onlyOneIsLeast(int n) {
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.fill(attributes.ints(0), 9);
    attributes.ints(0)[3] = 1;
    return attributes;
  }

  /** A vertex with 40 edges, and one with 300, whose item of 256 is long enough for a block. */
  @Test
  void lanesTellWhoWalked() {
    // Of 40 edges a lane takes 40 rounds, a warp two, the eight warps of a block one each.
    expect("serial", 40, 40 * 32);
    expect("warp", 40, 2 * 32);
    expect("fine", 40, 2 * 32);
    expect("block", 40, 8 * 32);
    expect("block+warp", 40, 2 * 32);
    // Items of 256 and 44 edges are two warps': of one by one, of a list, of a block and a list.
    expect("serial", 300, (256 + 44) * 32);
    expect("warp+fine", 300, (8 + 2) * 32);
    expect("block", 300, (8 + 8) * 32);
    expect("block+warp+fine/shelf", 300, (8 + 2) * 32);
  }

  private void expect(String title, int leaves, int lanes) {
    try (Device device = openDevice(leaves);
        DeviceEngine engine =
            new DeviceEngine("emulated", device, settings(WalkSchedule.of(title)))) {
      SimpleGraph star = star(leaves);
      List<SuperstepStats> steps =
          least(title, engine, star, onlyOneIsLeast(leaves + 4), KernelChoice.PUSH);
      int items = (leaves + 255) / 256;
      assertThat(steps.get(3).lanes())
          .as(title)
          .isEqualTo(new LaneUse(leaves, lanes, items, 32L * items));
    }
  }

  /** What one block finds is more than its shelf holds. */
  @Test
  void aShelfThatIsFullLeavesTheRestToTheQueue() {
    int leaves = 3000;
    try (Device device = openDevice(5);
        DeviceEngine engine =
            new DeviceEngine("emulated", device, settings(WalkSchedule.DEFAULT.withShelf(true)))) {
      List<SuperstepStats> steps =
          least("shelf", engine, star(leaves), onlyOneIsLeast(leaves + 4), KernelChoice.OUTLINED);
      assertThat(steps.get(3).activeVertices()).isEqualTo(leaves);
    }
  }
}
