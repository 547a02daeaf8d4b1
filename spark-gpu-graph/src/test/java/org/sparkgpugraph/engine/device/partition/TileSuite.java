package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sparkgpugraph.run.KernelChoice.ASYNC;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.memory.DevicePlan;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.AsyncSettings;
import org.sparkgpugraph.engine.device.settings.TileSettings;
import org.sparkgpugraph.engine.device.settings.TileSettings.Form;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.RunSummary;
import org.sparkgpugraph.run.SuperstepStats;

/** Relaxation by blocks that own tiles, against a sequential Pregel, on any device. */
abstract class TileSuite {
  /** Three owners of two warps, hardly any room, the smallest tiles. */
  static final TileSettings SMALL =
      TileSettings.DEFAULT.withForm(Form.TILES).withBlocks(3, 64).withRoom(40, 40, 5).withTiles(32);

  /**
   * Opens a device, or skips the test with the reason.
   *
   * @param seed of the order in which an emulated one runs its lanes and blocks
   */
  abstract Device openDevice(int seed);

  static AsyncSettings async(TileSettings tiles) {
    return AsyncSettings.DEFAULT.withPatience(200_000).withTiles(tiles);
  }

  static DeviceEngine engine(Device device, TileSettings tiles) {
    return new DeviceEngine("tiles", device, AsyncSuite.device(async(tiles)));
  }

  /** Every kind and operation; degrees around the sizes of warps and groups, hubs, holes. */
  @Test
  void everyKindAndOperationReachesTheSameValues() {
    int seed = 0;
    for (Kind kind : List.of(Kind.INT, Kind.LONG, Kind.FLOAT, Kind.DOUBLE)) {
      for (MergeAlgebra merge : List.of(MergeAlgebra.MIN, MergeAlgebra.MAX)) {
        Random random = new Random(seed);
        // Half of them with hubs.
        boolean hubs = (merge == MergeAlgebra.MIN) == kind.isIntegral();
        SimpleGraph graph =
            hubs
                ? RandomSimpleGraphs.degrees(random, 1000, -400)
                : RandomSimpleGraphs.of(random, 1 + random.nextInt(400), 2, true, seed > 3, 1);
        Columns attributes = RandomSimpleGraphs.attributes(random, kind, graph.ids.length);
        try (Device device = openDevice(seed++);
            DeviceEngine engine = engine(device, SMALL)) {
          AsyncSuite.check(
              engine,
              IrPrograms.spreading(merge, kind),
              graph,
              attributes,
              AsyncSuite.settings(kind, merge, ASYNC));
        }
      }
    }
  }

  /** Paths from several ends, zero weights, in every width, with one owner and more than tiles. */
  @Test
  void pathsAreTheSameWhateverTheTiles() {
    for (int seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      int n = new int[] {1, 2, 33, 700}[seed % 4];
      SimpleGraph graph =
          AsyncSuite.weighted(RandomSimpleGraphs.of(random, n, 5, true, seed > 4, 1), random);
      TileSettings how =
          SMALL
              .withBlocks(new int[] {1, 2, 3, 7}[(seed + 1) % 4], 32 << seed % 3)
              .withRoom(32 << seed % 3, 32 << (seed + 1) % 3, 1 + seed)
              .withTiles(32 << seed % 2)
              .withWidth(Math.scalb(1.0, 3 * seed - 8));
      try (Device device = openDevice(seed);
          DeviceEngine engine = engine(device, how)) {
        RunSettings settings = AsyncSuite.settings(Kind.DOUBLE, MergeAlgebra.MIN, ASYNC);
        AsyncSuite.check(engine, IrPrograms.shortestPaths(), graph, AsyncSuite.starts(n), settings);
      }
    }
  }

  /** Lanes read the first edge where they have none: without one nobody is to own anything. */
  @Test
  void aGraphWithoutEdgesHasNoOwners() {
    SimpleGraph graph = new SimpleGraph(new long[40], null, new int[0], new int[0], null);
    Arrays.setAll(graph.ids, v -> v);
    ProgramInstance program = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);
    Columns attributes = RandomSimpleGraphs.attributes(new Random(0), Kind.INT, 40);
    RunSettings settings = AsyncSuite.settings(Kind.INT, MergeAlgebra.MIN, ASYNC);
    try (Device device = openDevice(0);
        DeviceEngine engine = engine(device, SMALL)) {
      try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
        assertThat(run.plan().items().stream().map(DevicePlan.Item::member))
            .doesNotContain("tileInbox");
      }
      AsyncSuite.check(engine, program, graph, attributes, settings);
    }
  }

  /** What is no number stays so, whatever else is said at the same time, and is Java's. */
  @Test
  void whatIsNoNumberStays() {
    for (Kind kind : List.of(Kind.FLOAT, Kind.DOUBLE)) {
      for (MergeAlgebra merge : List.of(MergeAlgebra.MIN, MergeAlgebra.MAX)) {
        Random random = new Random(kind.ordinal());
        SimpleGraph graph = RandomSimpleGraphs.of(random, 400, 2, true, false, 1);
        Columns attributes = RandomSimpleGraphs.attributes(random, kind, graph.ids.length);
        for (int v = 3; v < 400; v += 101) {
          if (kind == Kind.FLOAT) {
            attributes.floats(0)[v] = Float.NaN;
          } else {
            attributes.doubles(0)[v] = Double.NaN;
          }
        }
        try (Device device = openDevice(kind.ordinal());
            DeviceEngine engine = engine(device, SMALL)) {
          RunSettings settings = AsyncSuite.settings(kind, merge, ASYNC);
          AsyncSuite.check(engine, IrPrograms.spreading(merge, kind), graph, attributes, settings);
        }
      }
    }
  }

  /** Labels go both ways, and a hub of 20 000 edges is walked by whole warps. */
  @Test
  void labelsGoBothWaysOverAHub() {
    int n = 500;
    int m = 20_000;
    Random random = new Random(3);
    int[] sources = new int[m + n];
    int[] destinations = new int[m + n];
    for (int e = 0; e < m; e++) {
      sources[e] = 77;
      destinations[e] = random.nextInt(n / 2);
    }
    for (int v = 0; v < n; v++) {
      sources[m + v] = v;
      destinations[m + v] = v / 2 * 2;
    }
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 5L * v - 1000);
    SimpleGraph graph = new SimpleGraph(ids, null, sources, destinations, null);
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.setAll(attributes.ints(0), v -> (v * 77 + 5) % n);
    RunSettings settings =
        new RunSettings(
            new Object[] {Integer.MAX_VALUE},
            null,
            ActiveDirection.EITHER,
            Gather.ACTIVE,
            Integer.MAX_VALUE,
            true,
            ASYNC,
            1,
            null);
    try (Device device = openDevice(0);
        DeviceEngine engine = engine(device, SMALL)) {
      AsyncSuite.check(engine, IrPrograms.spreadingBothWays(), graph, attributes, settings);
    }
  }

  /** A lattice has most edges inside of tiles, a random graph few. */
  @Test
  void ownersAreChosenByTheEdgesInsideOfTiles() {
    int side = 40;
    TileSettings how = SMALL.withForm(Form.AUTO).withTiles(1024);
    try (Device device = openDevice(0);
        DeviceEngine engine =
            new DeviceEngine("tiles", device, AsyncSuite.device(async(how).withBlocks(3)))) {
      assertThat(notes(engine, lattice(side, IntStream.range(0, side * side).boxed().toList())))
          .anyMatch(note -> note.startsWith("blocks that own tiles go on without supersteps: "));
      // The same with ids that say nothing.
      List<Integer> ids = new ArrayList<>(IntStream.range(0, side * side).boxed().toList());
      Collections.shuffle(ids, new Random(5));
      assertThat(notes(engine, lattice(side, ids)))
          .anyMatch(note -> note.startsWith("workers that a manager hands vertices to go on"));
    }
  }

  private static List<String> notes(DeviceEngine engine, SimpleGraph graph) {
    int n = graph.ids.length;
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.fill(attributes.ints(0), 9);
    attributes.ints(0)[graph.sources[0]] = 1;
    RunSettings settings = AsyncSuite.settings(Kind.INT, MergeAlgebra.MIN, ASYNC);
    try (DeviceRun run =
        engine.open(
            graph,
            IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT),
            graph.split(attributes),
            settings)) {
      RunSummary summary = SuperstepLoop.run("tiles", run, settings, n, List.of(), step -> {});
      assertThat(run.values(0).ints(0)).containsOnly(1);
      assertThat(summary.supersteps().stream().map(SuperstepStats::kernel)).contains(ASYNC);
      return run.notes();
    }
  }

  /** A lattice whose edges lead away from its first vertex: so its ways are long. */
  static SimpleGraph lattice(int side, List<Integer> ids) {
    int n = side * side;
    int[] sources = new int[2 * side * (side - 1)];
    int[] destinations = new int[sources.length];
    int e = 0;
    for (int row = 0; row < side; row++) {
      for (int column = 0; column < side; column++) {
        int v = row * side + column;
        if (column + 1 < side) {
          sources[e] = ids.get(v);
          destinations[e++] = ids.get(v + 1);
        }
        if (row + 1 < side) {
          sources[e] = ids.get(v);
          destinations[e++] = ids.get(v + side);
        }
      }
    }
    long[] originals = new long[n];
    Arrays.setAll(originals, v -> v);
    return new SimpleGraph(originals, null, sources, destinations, null);
  }
}
