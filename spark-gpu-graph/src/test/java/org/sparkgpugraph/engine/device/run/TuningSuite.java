package org.sparkgpugraph.engine.device.run;

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
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.settings.OutlineSettings;
import org.sparkgpugraph.engine.device.tuning.Trial;
import org.sparkgpugraph.graphs.memory.Columns;
import org.sparkgpugraph.program.MergeAlgebra;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.ir.Kind;
import org.sparkgpugraph.run.KernelChoice;

/** Runs that try the ways that they may take, on any device. */
abstract class TuningSuite {
  /** Supersteps in launches of their own: what is outlined has no ways to try. */
  static final DeviceSettings TUNED =
      DeviceSettings.DEFAULT
          .withReserve(0)
          .withTrials(true)
          .withOutline(OutlineSettings.DEFAULT.with(OutlineSettings.Choice.OFF));

  static final ProgramInstance LEAST = IrPrograms.spreading(MergeAlgebra.MIN, Kind.INT);

  /** Opens a device, or skips the test with the reason. */
  abstract Device openDevice(int seed);

  /** The vertex of the last id tells the one before it, and so on. */
  static SimpleGraph path(int n) {
    long[] ids = new long[n];
    Arrays.setAll(ids, v -> v);
    int[] sources = new int[n - 1];
    int[] destinations = new int[n - 1];
    Arrays.setAll(sources, e -> e + 1);
    Arrays.setAll(destinations, e -> e);
    return new SimpleGraph(ids, null, sources, destinations, null);
  }

  /** The last vertex has the least value. */
  static Columns lastIsLeast(int n) {
    Columns attributes = Columns.allocate(List.of(Kind.INT), n);
    Arrays.fill(attributes.ints(0), 9);
    attributes.ints(0)[n - 1] = 1;
    return attributes;
  }

  /**
   * Runs to the end, with the values of a sequential Pregel.
   *
   * @return what the run says of its choices
   */
  static List<String> run(
      DeviceEngine engine, SimpleGraph graph, Columns attributes, KernelChoice kernel) {
    return run(engine, graph, attributes, kernel, new ArrayList<>());
  }

  static List<String> run(
      DeviceEngine engine,
      SimpleGraph graph,
      Columns attributes,
      KernelChoice kernel,
      List<Trial.Row> tried) {
    int n = graph.ids.length;
    RunSettings settings = IrPrograms.settings(Integer.MAX_VALUE, kernel);
    IrPregelOracle oracle = IrPregelOracle.ended(graph, LEAST, attributes, settings);
    try (DeviceRun run = engine.open(graph, LEAST, graph.split(attributes), settings)) {
      SuperstepLoop.run("emulated", run, settings, n, List.of(), step -> {});
      int[] found = run.values(0).ints(0);
      for (int v = 0; v < n; v++) {
        assertThat(found[v]).as("vertex %s", v).isEqualTo(oracle.values[v][0]);
      }
      tried.clear();
      run.tuned().forEach(part -> tried.addAll(part.rows()));
      return run.notes();
    }
  }

  static boolean isDecided(List<String> notes, String part) {
    return notes.stream()
        .anyMatch(
            note ->
                note.startsWith(part + ": ")
                    && (note.contains(": tuned, ") || note.contains(": remembered, ")));
  }

  /** Some runs over random graphs until both parts are decided, by whatever times there are. */
  @Test
  void resultsAreThoseOfPregelWhileWaysAreTried() {
    try (Device device = openDevice(0);
        DeviceEngine engine = new DeviceEngine("emulated", device, TUNED)) {
      Random random = new Random(7);
      SimpleGraph graph = RandomSimpleGraphs.of(random, 700, 3, true, false, 1);
      Columns attributes = RandomSimpleGraphs.attributes(random, Kind.INT, 700);
      SimpleGraph path = path(500);
      boolean rows = false;
      boolean pushes = false;
      for (int run = 0; run < 30 && !(rows && pushes); run++) {
        rows = isDecided(run(engine, graph, attributes, KernelChoice.DENSE), "rows");
        pushes = isDecided(run(engine, path, lastIsLeast(500), KernelChoice.OUTLINED), "pushes");
      }
      assertThat(rows && pushes).isTrue();
      // Each remembers its own, and takes it from the start.
      assertThat(run(engine, graph, attributes, KernelChoice.AUTO))
          .anyMatch(note -> note.startsWith("rows: ") && note.contains("rows of about"));
    }
  }
}
