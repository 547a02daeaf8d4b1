package org.sparkgpugraph.benchmarks.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.sparkgpugraph.ResidentGraph;
import org.sparkgpugraph.benchmarks.JsonLine;
import org.sparkgpugraph.benchmarks.TextTable;

/**
 * What {@link ClusterBenchmark} has measured: each row is printed and appended to the file as soon
 * as it is known, since a machine with GPUs may be taken away at any time; tables follow at the
 * end.
 */
final class ClusterReport {
  private static final String[] RUN = {
    "layout",
    "algorithm",
    "supersteps",
    "median ms",
    "mean ms",
    "kernels",
    "hub",
    "codec",
    "staging",
    "host",
    "Spark",
    "run s",
    "updates",
    "exchanged MB",
    "shuffled MB",
    "M edges/s"
  };

  private static final String[] LOAD = {
    "layout", "vertices", "edges", "load s", "M edges/s", "graph MB"
  };

  private final PrintStream out;
  private final Path json;
  private final int scale;
  private final TextTable loads = new TextTable(LOAD);
  private final TextTable runs = new TextTable(RUN);

  /**
   * @param json file that takes an object per line; null: none wanted
   * @param scale of the graph
   */
  ClusterReport(PrintStream out, Path json, int scale) {
    this.out = out;
    this.json = json;
    this.scale = scale;
  }

  private Map<String, Object> fields(String measurement, String layout) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("measurement", measurement);
    fields.put("layout", layout);
    fields.put("scale", scale);
    return fields;
  }

  private void append(Map<String, Object> fields) {
    if (json == null) {
      return;
    }
    try {
      Files.write(json, List.of(JsonLine.of(fields)), StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException("writing " + json, e);
    }
  }

  private void row(TextTable table, String[] head, List<String> row) {
    table.add(row);
    List<String> cells = new ArrayList<>();
    for (int c = 1; c < head.length; c++) {
      cells.add(head[c] + " " + row.get(c));
    }
    out.println(row.get(0) + ": " + String.join(", ", cells));
    out.flush();
  }

  /**
   * A graph has been loaded.
   *
   * @param stages of Spark, what each took
   */
  void loaded(
      BenchmarkCluster.Layout layout,
      ResidentGraph<?, ?> graph,
      double seconds,
      List<String> stages) {
    Map<String, Object> fields = fields("load", layout.toString());
    fields.put("vertices", graph.vertexCount());
    fields.put("edges", graph.edgeCount());
    fields.put("loadSeconds", seconds);
    fields.put("graphBytes", graph.bytes());
    fields.put("stages", String.join(", ", stages));
    append(fields);
    out.println(layout + ", load: stages of " + String.join(", ", stages));
    row(
        loads,
        LOAD,
        List.of(
            layout.toString(),
            String.valueOf(graph.vertexCount()),
            String.valueOf(graph.edgeCount()),
            number(seconds, 2),
            number(graph.edgeCount() / seconds / 1e6, 1),
            number(graph.bytes() / 1e6, 1)));
  }

  /** An algorithm has been measured. */
  void measured(BenchmarkCluster.Layout layout, ClusterWorkload workload, ClusterRuns measured) {
    Map<String, Object> fields = fields("run", layout.toString());
    fields.put("algorithm", workload.title());
    fields.put("engine", measured.engine());
    fields.put("supersteps", measured.supersteps());
    fields.put("medianStepMs", measured.medianStepMillis());
    fields.put("stepMs", measured.stepMillis());
    fields.put("kernelMs", measured.kernelMillis());
    fields.put("hubMs", measured.hubMillis());
    fields.put("codecMs", measured.codecMillis());
    fields.put("stagingMs", measured.stagingMillis());
    fields.put("hostMs", measured.hostMillis());
    fields.put("sparkMs", measured.sparkMillis());
    fields.put("runSeconds", measured.runSeconds());
    fields.put("updates", (long) measured.updates());
    fields.put("exchangedBytes", (long) measured.exchangedBytes());
    fields.put("shuffledBytes", (long) measured.shuffledBytes());
    fields.put("edgesPerSecond", measured.edgesPerSecond());
    fields.put("loadHeapPeakBytes", measured.most(memory -> memory.heap().loadPeak()));
    fields.put("runHeapPeakBytes", measured.most(memory -> memory.heap().runPeak()));
    fields.put("heapEdgeBytes", measured.most(memory -> memory.edges().onHeap()));
    fields.put("offHeapEdgeBytes", measured.most(memory -> memory.edges().offHeap()));
    fields.put("mappedEdgeBytes", measured.most(memory -> memory.edges().mapped()));
    append(fields);
    row(
        runs,
        RUN,
        List.of(
            layout.toString(),
            workload.title(),
            String.valueOf(measured.supersteps()),
            number(measured.medianStepMillis(), 2),
            number(measured.stepMillis(), 2),
            number(measured.kernelMillis(), 2),
            number(measured.hubMillis(), 2),
            number(measured.codecMillis(), 2),
            number(measured.stagingMillis(), 2),
            number(measured.hostMillis(), 2),
            number(measured.sparkMillis(), 2),
            number(measured.runSeconds(), 3),
            String.valueOf((long) measured.updates()),
            number(measured.exchangedBytes() / 1e6, 2),
            number(measured.shuffledBytes() / 1e6, 2),
            number(measured.edgesPerSecond() / 1e6, 1)));
    out.println(layout + ", " + workload.title() + ", " + measured.engine());
  }

  /**
   * A result of an algorithm has been compared.
   *
   * @param where it was found: the layout, and what happened there
   * @param difference from the sequential algorithm's; null: none
   */
  void checked(String where, ClusterWorkload workload, String difference) {
    Map<String, Object> fields = fields("check", where);
    fields.put("algorithm", workload.title());
    fields.put("check", difference == null ? "ok" : difference);
    append(fields);
    String verdict = difference == null ? " is right" : " is wrong: " + difference;
    out.println(workload.title() + " on " + where + verdict);
  }

  /**
   * An executor was killed in the middle of a run, which went on to its end.
   *
   * @param superstep behind which it was killed
   * @param seconds of the run, with the loading of what was lost
   */
  void survived(
      BenchmarkCluster.Layout layout, ClusterWorkload workload, int superstep, double seconds) {
    Map<String, Object> fields = fields("kill", layout.toString());
    fields.put("algorithm", workload.title());
    fields.put("superstep", superstep);
    fields.put("runSeconds", seconds);
    append(fields);
    out.printf(
        Locale.ROOT,
        "%s, %s, an executor killed behind superstep %d: %.2f s%n",
        layout,
        workload.title(),
        superstep,
        seconds);
  }

  /** All rows once more, as tables. */
  void print() {
    out.println();
    out.print(loads);
    out.println();
    out.print(runs);
  }

  private static String number(double value, int digits) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
