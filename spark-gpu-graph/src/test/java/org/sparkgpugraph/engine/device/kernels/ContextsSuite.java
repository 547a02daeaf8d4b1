package org.sparkgpugraph.engine.device.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.sparkgpugraph.engine.IrPregelOracle;
import org.sparkgpugraph.engine.ProgramFault;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DenseTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.tuning.ChoicePolicy;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.run.LaneUse;

/** Contexts that warps collect, against a sequential Pregel, on any device. */
abstract class ContextsSuite {
  static final DenseTuning COLLECTED = DenseTuning.SEGMENTATION.withContexts(32);

  static final DeviceSettings SETTINGS =
      DeviceSettings.DEFAULT.withReserve(0).withHubs(40, 33).withTuning(COLLECTED);

  /** One of so many edges takes the costly branch; 0: none does. */
  static final int[] EVERY = {0, 1, 2, 32};

  /** In-degrees; the rows between them have a few edges. */
  private static final int[] DEGREES = {0, 1, 31, 32, 33, 1000};

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice(int seed);

  static DeviceSettings of(int together) {
    return SETTINGS.withTuning(DenseTuning.SEGMENTATION.withContexts(together));
  }

  /** Every program and every share of edges, by every kernel that evaluates edges side by side. */
  @Test
  void collectedBranchesFindWhatBranchesFind() {
    int seed = 0;
    for (IntFunction<ProgramInstance> program :
        List.<IntFunction<ProgramInstance>>of(
            ContextPrograms::sums, ContextPrograms::composed, ContextPrograms::bothWays)) {
      try (Device device = openDevice(seed);
          DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
        RunSettings settings = TasksSuite.settings(KernelChoice.AUTO);
        assertThat(engine.describe(program.apply(2).program(), settings))
            .contains("collected by warps");
        for (int every : EVERY) {
          for (KernelChoice kernel :
              every == 2
                  ? List.of(KernelChoice.DENSE, KernelChoice.SPARSE, KernelChoice.PUSH)
                  : List.of(KernelChoice.DENSE)) {
            check("1 of " + every, engine, program.apply(every), seed++, kernel);
          }
        }
      }
    }
  }

  /** Fewer than a warp's that run together, and no hubs: all rows are gathered by one warp. */
  @Test
  void anyNumberMayRunTogether() {
    int seed = 100;
    try (Device device = openDevice(seed)) {
      for (int together : new int[] {1, 17}) {
        DeviceSettings how = of(together).withHubs(Integer.MAX_VALUE, 33);
        try (DeviceEngine engine = new DeviceEngine("emulated", device, how)) {
          for (int every : new int[] {1, 2}) {
            String what = together + " together, 1 of " + every;
            check(what, engine, ContextPrograms.composed(every), seed++, KernelChoice.DENSE);
          }
        }
      }
    }
  }

  /** Several partitions, one of them without vertices, which tell each other what they changed. */
  @Test
  void partitionsCollectTheirOwn() {
    Random random = new Random(8);
    SimpleGraph one = RandomSimpleGraphs.of(random, 150, 4, true, false, 1);
    SimpleGraph parts =
        new SimpleGraph(one.ids, null, one.sources, one.destinations, one.edgeValues, 70, 70);
    try (Device device = openDevice(8);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      ProgramInstance program = ContextPrograms.bothWays(2);
      TasksSuite.check("parts", engine, program, parts, random, KernelChoice.AUTO);
    }
  }

  @Test
  void rowsOfEveryDegreeGetTheirMessages() {
    Random random = new Random(5);
    try (Device device = openDevice(5);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      SimpleGraph graph = degrees(random, DEGREES);
      for (int every : EVERY) {
        for (DeviceSettings how : List.of(SETTINGS, SETTINGS.withHubs(Integer.MAX_VALUE, 33))) {
          superstep("1 of " + every, engine.with(how), ContextPrograms.composed(every), graph);
        }
      }
      superstep(
          "a hub",
          engine.with(SETTINGS.withHubs(5000, 4096)),
          ContextPrograms.composed(2),
          degrees(random, 33, 100_000, 0));
    }
  }

  /** What evaluates contexts counts as evaluations, of as many lanes as took part. */
  @Test
  void lanesAreUsedBetterTogether() {
    Random random = new Random(6);
    int[] degrees = new int[64];
    Arrays.fill(degrees, 40);
    SimpleGraph graph = degrees(random, degrees);
    try (Device device = openDevice(6);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      ProgramInstance program = ContextPrograms.sums(8);
      DeviceSettings one = of(1).withHubs(Integer.MAX_VALUE, 33);
      LaneUse apart = superstep("apart", engine.with(one), program, graph);
      DeviceSettings all = of(32).withHubs(Integer.MAX_VALUE, 33);
      LaneUse together = superstep("together", engine.with(all), program, graph);
      assertThat(together.evaluations()).isEqualTo(apart.evaluations());
      assertThat(together.evaluations()).isGreaterThan(graph.edgeCount());
      assertThat(together.efficiency()).isGreaterThan(1.5 * apart.efficiency());
    }
  }

  /** A costly side that another lane runs stops the run in the name of the row of its edge. */
  @Test
  void aFaultIsThatOfTheOwnersRow() {
    ProgramInstance program = ContextPrograms.lookups(new int[30]);
    int n = 70;
    int[] sources = new int[n];
    int[] destinations = new int[n];
    Arrays.setAll(sources, v -> v);
    Arrays.setAll(destinations, v -> (v + 1) % n);
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> 1000L + v);
    SimpleGraph ring = new SimpleGraph(ids, null, sources, destinations, null);
    Columns attributes = LoopPrograms.attributes(new Random(1), n);
    // After superstep 0 the end is (5 · end + 1) & 63.
    Arrays.fill(attributes.ints(1), 3);
    Arrays.setAll(attributes.ints(2), v -> n - v);
    attributes.ints(1)[41] = 7;
    try (Device device = openDevice(7);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS);
        DeviceRun run =
            engine.open(
                ring, program, ring.split(attributes), TasksSuite.settings(KernelChoice.DENSE))) {
      run.initialise();
      assertThatThrownBy(() -> run.step(new double[0]))
          .isInstanceOfSatisfying(
              ProgramFault.class, fault -> assertThat(fault.getMessage()).contains("1042"));
    }
  }

  /** Which branch is cut, or why none is, is told before a run. */
  @Test
  void explainSaysWhichBranchIsCut() {
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, SETTINGS)) {
      RunSettings settings = TasksSuite.settings(KernelChoice.AUTO);
      assertThat(engine.describe(ContextPrograms.composed(2).program(), settings))
          .containsPattern(
              "contexts of a costly branch \\(\\S+ContextPrograms\\.\\S+:\\d+\\) collected by warps,"
                  + " \\d+ bytes each: estimated to save \\d+ of \\d+ instructions for \\d+");
      assertThat(engine.describe(ContextPrograms.ordered(2).program(), settings))
          .contains(
              "contexts not collected: sendMessage sends messages beside its costly branch, too,"
                  + " whose order may matter");
      DeviceEngine other = engine.with(SETTINGS.withTuning(DenseTuning.DEFAULT));
      assertThat(other.describe(ContextPrograms.ordered(2).program(), settings))
          .doesNotContain("contexts");
      // Where nobody asks for it, what it might gain is told.
      assertThat(other.describe(ContextPrograms.bothWays(2).program(), settings))
          .contains("not collected: from 1000 saved instructions on, though estimated to save");
      assertThat(engine.describe(ContextPrograms.inALoop().program(), settings))
          .contains("contexts not collected: sendMessage has its costly branch in a loop (");
    }
  }

  /** Where a rule has warps collect contexts: from an estimate on, and not from the next one on. */
  @Test
  void fromAnEstimateOnContextsAreCollected() {
    ProgramInstance program = ContextPrograms.bothWays(8);
    long saved = ChoicePolicy.contexts(program.program()).orElseThrow().estimate().saved();
    int[] degrees = new int[64];
    Arrays.fill(degrees, 40);
    SimpleGraph graph = degrees(new Random(6), degrees);
    RunSettings settings = TasksSuite.settings(KernelChoice.AUTO);
    DeviceSettings forced = of(32).withHubs(Integer.MAX_VALUE, 33);
    DeviceSettings taken = forced.withTuning(DenseTuning.DEFAULT.withContextsFrom(saved));
    DeviceSettings left = forced.withTuning(DenseTuning.DEFAULT.withContextsFrom(saved + 1));
    try (Device device = openDevice(6);
        DeviceEngine engine = new DeviceEngine("emulated", device, forced)) {
      assertThat(engine.with(taken).describe(program.program(), settings))
          .contains("warp segmentation", "collected by warps");
      assertThat(engine.with(left).describe(program.program(), settings))
          .contains(
              "streamed rows",
              "not collected: from " + (saved + 1) + " saved instructions on, though estimated to");
      assertThat(engine.with(taken).describeChoices(graph, program.program(), settings))
          .isEqualTo(engine.describeChoices(graph, program.program(), settings));
      LaneUse collected = superstep("forced", engine, program, graph);
      assertThat(superstep("by the rule", engine.with(taken), program, graph)).isEqualTo(collected);
      assertThat(superstep("below it", engine.with(left), program, graph)).isNotEqualTo(collected);
    }
  }

  /** On a random graph whose rows have the order of its edges. */
  static void check(
      String what, DeviceEngine engine, ProgramInstance program, int seed, KernelChoice kernel) {
    Random random = new Random(seed);
    int n = 1 + random.nextInt(120);
    SimpleGraph graph =
        RandomSimpleGraphs.bySource(RandomSimpleGraphs.of(random, n, 4, true, seed % 3 == 1, 1));
    String all = "seed " + seed + ", " + kernel + ", " + what;
    TasksSuite.check(all, engine, program, graph, random, kernel);
  }

  /** Runs superstep 1 and checks it; how lanes were used. */
  static LaneUse superstep(
      String what, DeviceEngine engine, ProgramInstance program, SimpleGraph graph) {
    int n = graph.ids.length;
    Columns attributes = LoopPrograms.attributes(new Random(n), n);
    RunSettings settings = TasksSuite.settings(KernelChoice.DENSE);
    IrPregelOracle oracle = new IrPregelOracle(graph, program, attributes, settings);
    oracle.initialise();
    oracle.step();
    try (DeviceRun run = engine.open(graph, program, graph.split(attributes), settings)) {
      run.initialise();
      LaneUse lanes = run.step(new double[0]).lanes();
      TasksSuite.assertSame(what, run, graph, oracle);
      return lanes;
    }
  }

  /** A vertex of each in-degree, and 64 more of two edges; sources and edge values are random. */
  static SimpleGraph degrees(Random random, int... degrees) {
    int n = degrees.length + 64;
    int m = Arrays.stream(degrees).sum() + 2 * 64;
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = new int[m];
    int[] destinations = new int[m];
    Columns values = Columns.allocate(List.of(Kind.LONG), m);
    int e = 0;
    for (int v = 0; v < n; v++) {
      int degree = v < 32 || v >= 32 + degrees.length ? 2 : degrees[v - 32];
      for (int k = 0; k < degree; k++) {
        sources[e] = random.nextInt(n);
        values.longs(0)[e] = random.nextInt(10);
        destinations[e++] = v;
      }
    }
    return RandomSimpleGraphs.bySource(new SimpleGraph(ids, null, sources, destinations, values));
  }
}
