package org.sparkgpugraph.engine.device.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.sparkgpugraph.engine.device.CountedRun.everyVertex;
import static org.sparkgpugraph.engine.device.CountedRun.same;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkgpugraph.engine.IrPrograms;
import org.sparkgpugraph.engine.RandomSimpleGraphs;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SimpleGraph;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.CompilerUnavailableException;
import org.sparkgpugraph.engine.device.CountedRun;
import org.sparkgpugraph.engine.device.Device;
import org.sparkgpugraph.engine.device.DeviceException;
import org.sparkgpugraph.engine.device.DeviceProperties;
import org.sparkgpugraph.engine.device.DeviceProxies;
import org.sparkgpugraph.engine.device.KernelCompilationException;
import org.sparkgpugraph.engine.device.run.DeviceEngine;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings.Choice;
import org.sparkgpugraph.engine.emulator.EmulatedDevice;
import org.sparkgpugraph.engine.emulator.EmulatorSettings;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.ActiveDirection;
import org.sparkgpugraph.run.AggregateAtMost;
import org.sparkgpugraph.run.Gather;
import org.sparkgpugraph.run.KernelChoice;
import org.sparkgpugraph.runtime.DeviceTrial;
import org.sparkgpugraph.testing.RandomPrograms;
import org.sparkgpugraph.testing.TestProgram;

/** Outlined supersteps that walk rows on the emulated device, and mistakes planted in them. */
@Tag("any-spark")
@Timeout(300)
class OutlineTest extends OutlineSuite {
  @Override
  Device openDevice(int seed) {
    assumeTrue(EmulatedDevice.isAvailable(), "no C++ compiler: nothing is emulated");
    return new EmulatedDevice(EmulatorSettings.defaults().withSeed(seed));
  }

  /**
   * In every way, against a sequential Pregel and the CPU engine: filters, activity that the
   * program says, rows that gather all, labels, aggregates that functions read and that end the
   * run.
   */
  @Test
  void randomProgramsDoWhatTheyDoOneByOne() {
    TestProgram<?, ?, ?, ?, ?> ends = RandomPrograms.extended(6);
    ends.stopWhen = new AggregateAtMost(ends.aggregates.get(0).name(), 3, 2, 2);
    List<TestProgram<?, ?, ?, ?, ?>> programs =
        List.of(
            ends, RandomPrograms.extended(19), RandomPrograms.mode(30), RandomPrograms.mode(31));
    Set<String> launched = new HashSet<>();
    try (Device device = openDevice(4);
        DeviceEngine engine =
            new DeviceEngine(
                "emulated",
                DeviceProxies.launching(device, (kernel, blocks) -> launched.add(kernel)),
                DeviceSettings.DEFAULT.withReserve(0))) {
      for (int i = 0; i < programs.size(); i++) {
        programs.get(i).maxIterations = 11;
        for (int graph = 0; graph < 2; graph++) {
          int supersteps = graph == 0 ? 64 : 2 + i;
          DeviceTrial.checkOutlined(engine, programs.get(i), supersteps, 10 * i + graph);
        }
      }
    }
    assertThat(launched).contains("outline_all", "outline_dense", "outline_sparse");
  }

  // ---- when
  // --------------------------------------------------------------------------------------

  private static DeviceProperties real(DeviceProperties of, boolean cooperative) {
    return new DeviceProperties(
        of.name(),
        of.ordinal(),
        of.major(),
        of.minor(),
        of.multiprocessors(),
        of.threadsPerMultiprocessor(),
        of.sharedBytes(),
        of.totalMemory(),
        cooperative,
        false);
  }

  /** By the number of edges, and not where blocks cannot wait for each other. */
  @Test
  void launchesAreTakenOneByOneWhereTheyDoNotBoundOrMust() {
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    RunSettings settings = everyVertex(5, 0.0);
    SimpleGraph graph = RandomSimpleGraphs.degrees(new Random(1), 40, 0);
    Columns attributes = ranks(graph);
    try (Device device = openDevice(1)) {
      Device gpu = DeviceProxies.being(device, of -> real(of, true));
      Device old = DeviceProxies.being(device, of -> real(of, false));
      DeviceSettings auto = settings(Choice.AUTO, 64);
      int edges = graph.sources.length;
      DeviceSettings small = auto.withOutline(auto.outline().within(edges, 64));
      DeviceSettings large = auto.withOutline(auto.outline().within(edges - 1, 64));
      assertThat(outlined(gpu, small, program, graph, attributes, settings)).isEqualTo(1);
      assertThat(outlined(gpu, large, program, graph, attributes, settings)).isZero();
      assertThat(outlined(device, small, program, graph, attributes, settings)).isZero();
      assertThat(outlined(old, small, program, graph, attributes, settings)).isZero();
      DeviceSettings on = settings(Choice.ON, 64);
      assertThat(outlined(old, on, program, graph, attributes, settings)).isZero();
      assertThat(outlined(device, on, program, graph, attributes, settings)).isEqualTo(1);
      assertThat(described(gpu, small, program, settings))
          .contains("up to 64 supersteps that walk rows a launch where a graph of one partition")
          .contains("at most " + edges + " edges");
      assertThat(described(old, small, program, settings))
          .contains("launched one by one (the device has no cooperative launch)");
      assertThat(described(device, small, program, settings))
          .contains("launched one by one (launches of an emulated device take no time)");
      assertThat(described(gpu, settings(Choice.OFF, 64), program, settings))
          .contains("launched one by one (switched off)");
      RunSettings stops =
          new RunSettings(
              null,
              new Object[] {0.0},
              ActiveDirection.OUT,
              Gather.ACTIVE,
              5,
              false,
              KernelChoice.AUTO,
              1,
              run -> run.superstep() == 3);
      assertThat(described(gpu, on, program, stops))
          .contains("launched one by one (stopWhen is a function that the host asks behind each)");
      assertThat(outlined(gpu, on, program, graph, attributes, stops)).isZero();
      ProgramInstance paths = IrPrograms.shortestPaths();
      RunSettings whole = IrPrograms.settings(Double.POSITIVE_INFINITY, KernelChoice.AUTO);
      assertThat(described(gpu, small, paths, whole))
          .contains("launched one by one (few come beside those that push)");
    }
  }

  /** What was compiled ahead runs without a compiler: outlined supersteps may not be among it. */
  @Test
  void withoutACompilerForThemSuperstepsAreLaunchedOneByOne() {
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    RunSettings settings = everyVertex(5, 0.0);
    SimpleGraph graph = RandomSimpleGraphs.degrees(new Random(1), 40, 0);
    try (Device device = openDevice(1)) {
      Device without =
          DeviceProxies.editing(
              device,
              text -> {
                if (text.contains("sgg/outline.cuh")) {
                  throw new CompilerUnavailableException("no compiler was found");
                }
                return text;
              });
      DeviceSettings on = settings(Choice.ON, 64);
      assertThat(outlined(without, on, program, graph, ranks(graph), settings)).isZero();
    }
  }

  private static long outlined(
      Device device,
      DeviceSettings how,
      ProgramInstance program,
      SimpleGraph graph,
      Columns attributes,
      RunSettings settings) {
    return run(device, how, program, graph, attributes, settings).launches().stream()
        .filter(kernel -> kernel.startsWith("outline"))
        .count();
  }

  private static String described(
      Device device, DeviceSettings how, ProgramInstance program, RunSettings settings) {
    try (DeviceEngine engine = new DeviceEngine("told", device, how)) {
      return engine.describe(program.program(), settings);
    }
  }

  /** Who is interrupted does not ask for more, whatever was done ahead. */
  @Test
  void anInterruptEndsTheRun() {
    SimpleGraph graph = path(100);
    RunSettings settings = everyVertex(1000, 0.0);
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, settings(Choice.ON, 16));
        DeviceRun run =
            engine.open(
                graph, IrPrograms.pageRank(false, 0.85), graph.split(ranks(graph)), settings)) {
      assertThatThrownBy(
              () ->
                  SuperstepLoop.run(
                      "emulated",
                      run,
                      settings,
                      100,
                      List.of(),
                      stats -> {
                        if (stats.superstep() == 20) {
                          Thread.currentThread().interrupt();
                        }
                      }))
          .isInstanceOf(CancellationException.class)
          .hasMessageContaining("interrupted in superstep 20");
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  // ---- mistakes --------------------------------------------------------------------------------

  @Test
  void aMissingBarrierIsFound() {
    ranksFind(
        "    sgg_outline_sync(own, target);\n    if (sgg_outline_ends", "    if (sgg_outline_ends");
    labelsFind(
        KernelChoice.SPARSE,
        "sgg_phase_activate(own);\n    sgg_outline_sync(own, target);",
        "sgg_phase_activate(own);");
  }

  @Test
  void aWrongBufferIsFound() {
    ranksFind("    sgg_outline_swap(own);\n", "    if (done != 1) sgg_outline_swap(own);\n");
    labelsFind(KernelChoice.SPARSE, "sgg_phase_commit(own);", "(void)own;");
  }

  @Test
  void aSuperstepTooFewOrTooManyIsFound() {
    ranksFind("done == (int)f.outlineSupersteps", "done == (int)f.outlineSupersteps + 1");
    labelsFind(KernelChoice.DENSE, "active == 0ull ||", "");
    labelsFind(KernelChoice.DENSE, "active == 0ull ||", "active <= 300ull ||");
  }

  @Test
  void whatIsNotEmptiedIsFound() {
    labelsFind(KernelChoice.SPARSE, "sgg_clear(own.candidates, sgg_bitmap_words(groups));", "");
    ranksFind("f.status += SGG_OUTLINE_ENTRY;", "");
  }

  /** Edges go from a layer to the next ones, so that activity ends behind the last. */
  private static SimpleGraph layers(Random random) {
    int n = 1500;
    int[] sources = random.ints(3 * n, 0, n - 200).toArray();
    int[] destinations = Arrays.stream(sources).map(s -> s + 100 + random.nextInt(100)).toArray();
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }

  private void ranksFind(String... edits) {
    ProgramInstance program = IrPrograms.pageRank(false, 0.85);
    isFound(program, 1, everyVertex(7, 0.0), edits);
  }

  private void labelsFind(KernelChoice kernel, String... edits) {
    RunSettings settings =
        new RunSettings(
            new Object[] {Integer.MAX_VALUE},
            null,
            ActiveDirection.OUT,
            Gather.ACTIVE,
            60,
            false,
            kernel,
            1,
            null);
    isFound(IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT), 2, settings, edits);
  }

  /** Expects that one of some runs fails, gives other values or takes more launches. */
  private void isFound(
      ProgramInstance program, int launches, RunSettings settings, String... edits) {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      SimpleGraph graph = layers(random);
      Columns attributes =
          settings.everyVertex()
              ? ranks(graph)
              : RandomSimpleGraphs.attributes(random, Kind.INT, graph.ids.length);
      try (Device device = openDevice(seed)) {
        CountedRun one =
            run(device, settings(Choice.OFF, 64), program, graph, attributes, settings);
        Device mistaken =
            DeviceProxies.editing(
                device,
                text ->
                    text.contains("sgg/outline.cuh") ? DeviceProxies.edited(text, edits) : text);
        CountedRun found =
            run(mistaken, settings(Choice.ON, 64), program, graph, attributes, settings);
        same(one, found, "seed " + seed);
        assertThat(found.launches().stream().filter(k -> k.matches("outline.*|gather.*")))
            .hasSize(launches);
      } catch (KernelCompilationException e) {
        throw new IllegalArgumentException("a mistake that does not compile", e);
      } catch (AssertionError | DeviceException | IllegalStateException noticed) {
        return;
      }
    }
    throw new AssertionError("nobody noticed: " + String.join(" ", edits));
  }
}
