package org.sparkgpugraph.benchmarks.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.engine.EngineRun;
import org.sparkgpugraph.engine.RunSettings;
import org.sparkgpugraph.engine.SuperstepLoop;
import org.sparkgpugraph.engine.device.run.DeviceRun;
import org.sparkgpugraph.engine.device.run.RunTuning;
import org.sparkgpugraph.engine.device.settings.DeviceSettings;
import org.sparkgpugraph.engine.device.tuning.Trial;
import org.sparkgpugraph.engine.device.tuning.TunedPart;
import org.sparkgpugraph.graphs.model.ExecutorGraph;
import org.sparkgpugraph.program.ProgramInstance;
import org.sparkgpugraph.program.hoist.Hoisting;

/**
 * Runs a workload until it is decided which ways it takes, and tells what each of them took. What
 * was remembered before is taken at once.
 */
final class TuningRuns {
  private final BenchmarkEngine engine;
  private final ExecutorGraph graph;
  private final ProgramInstance program;
  private final RunSettings settings;
  private final DeviceSettings deviceSettings;
  private final Map<TunedPart, List<Trial.Row>> tried = new TreeMap<>();
  private List<String> notes = List.of();
  private double seconds;
  private int runs;

  /**
   * @param source original id of the vertex that searches start from
   */
  TuningRuns(
      BenchmarkEngine engine,
      ExecutorGraph graph,
      Workload workload,
      long source,
      RunSettings settings,
      DeviceSettings deviceSettings) {
    this.engine = engine;
    this.graph = graph;
    program = Hoisting.apply(workload.program(source), settings.inPlace());
    this.settings = settings;
    this.deviceSettings = deviceSettings.withTrials(true);
  }

  /**
   * Runs until nothing is tried any more.
   *
   * @param most runs
   */
  void run(int most) {
    long start = System.nanoTime();
    boolean tries = true;
    while (tries && runs < most) {
      runs++;
      try (EngineRun run =
          engine.open(graph, program, WorkloadRuns.noAttributes(graph), settings, deviceSettings)) {
        SuperstepLoop.run(
            engine.name(),
            run,
            settings,
            graph.vertexCount(),
            program.program().aggregates(),
            stats -> {});
        List<RunTuning> parts = ((DeviceRun) run).tuned();
        for (RunTuning part : parts) {
          if (!part.rows().isEmpty()) {
            tried.put(part.part(), part.rows());
          }
        }
        tries = parts.stream().anyMatch(RunTuning::tries);
        notes = run.notes();
      }
    }
    seconds = (System.nanoTime() - start) / 1e9;
  }

  /** A table of all ways of each part, and what was chosen. */
  String text() {
    StringBuilder text = new StringBuilder();
    tried.forEach(
        (part, rows) -> {
          TextTable table = new TextTable(part.title(), "launches", "ns/edge", "of default", "");
          rows.forEach(row -> table.add(cells(row)));
          text.append(table);
        });
    notes.forEach(note -> text.append(note).append('\n'));
    return text.append(String.format(Locale.ROOT, "%d runs, %.1f s%n", runs, seconds)).toString();
  }

  private static List<String> cells(Trial.Row row) {
    List<String> cells = new ArrayList<>(List.of(row.title(), String.valueOf(row.launches())));
    cells.add(number("%.3f", row.nanosPerEdge()));
    cells.add(number("%.2f", row.ratio()));
    cells.add(row.why());
    return cells;
  }

  private static String number(String format, double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, format, value);
  }
}
