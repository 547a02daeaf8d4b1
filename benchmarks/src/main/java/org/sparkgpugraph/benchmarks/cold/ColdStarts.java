package org.sparkgpugraph.benchmarks.cold;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.sparkgpugraph.benchmarks.Medians;
import org.sparkgpugraph.benchmarks.TextTable;
import org.sparkgpugraph.examples.command.CommonOptions;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.examples.command.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * What a job takes that is submitted once: starts a JVM for each run, in turns of all variants, and
 * prints medians of each phase. The graph is made once, by a JVM of its own.
 */
@Command(
    name = "ColdStarts",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Runs a job in JVMs that have run nothing before.",
    description = {
      "",
      "A job takes a GraphX graph in Spark's memory and ends with the vertices of another. Of each"
          + " phase the median in milliseconds is printed, of the job the least and the most, too."
          + " Phases that are indented are parts of the job, of tasks that ran side by side the sum,"
          + " with the milliseconds of the job at which they began first behind @.",
      "Each run has a folder of its own for compiled kernels, so that it compiles what is not"
          + " packaged, unless a variant names one.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  ColdStarts --variant now= --variant 'archive=-XX:SharedArchiveFile=cold.jsa' -- --rmat 20"
          + " --algorithm bfs --engine cpu"
    })
public final class ColdStarts implements Callable<Integer> {
  @Option(names = "--starts", paramLabel = "N", description = "JVMs of each variant; default 5.")
  private int starts = 5;

  @Option(
      names = "--variant",
      paramLabel = "NAME=OPTIONS",
      description =
          "Options of the JVM, with blanks between, behind those that this one was started with:"
              + " settings as -Dspark.…, another class path as -cp. Repeatable; default: none.")
  private Map<String, String> variants = new LinkedHashMap<>(Map.of("as it is", ""));

  @Option(
      names = "--archive",
      description =
          "Start each variant with an archive of its classes, too, which a run before makes (class"
              + " data sharing); its class path must be jars.")
  private boolean archive;

  @Option(
      names = "--keep",
      paramLabel = "FOLDER",
      description =
          "Folder for the graph; one that is there is taken as it is. Default: temporary.")
  private Path keep;

  @Parameters(
      paramLabel = "ARGUMENT",
      description =
          "Behind --, as of Comparison: graph, --edge-partitions, --algorithm, --iterations,"
              + " --engine; --warm N: runs in the same JVM afterwards.")
  private List<String> job = List.of();

  @Mixin private CommonOptions common;

  private final PrintStream out;
  private final PrintStream err;

  private ColdStarts(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** Runs the benchmark and ends the JVM with its exit status. */
  public static void main(String[] args) {
    System.exit(run(args, System.out, System.err));
  }

  /**
   * Runs the benchmark.
   *
   * @return the exit status
   */
  static int run(String[] args, PrintStream out, PrintStream err) {
    return JobRunner.run(new ColdStarts(out, err), args, out, err);
  }

  @Override
  public Integer call() throws Exception {
    if (starts < 1) {
      throw new UsageException("--starts must be at least 1, not " + starts);
    }
    Path folder = Files.createTempDirectory("cold-starts");
    try {
      Path graph = keep == null ? folder.resolve("graph") : keep;
      if (!Files.exists(graph)) {
        run(List.of(), graph, folder.resolve("kernels"), "--save");
      }
      Map<String, List<String>> all = new LinkedHashMap<>();
      for (Map.Entry<String, String> variant : variants.entrySet()) {
        List<String> options =
            Stream.of(variant.getValue().split(" ")).filter(o -> !o.isEmpty()).toList();
        all.put(variant.getKey(), options);
        if (archive) {
          Path classes = folder.resolve("archive-" + all.size());
          all.put(variant.getKey() + ", archive", archived(options, graph, classes));
        }
      }
      measure(all, graph, folder);
    } finally {
      delete(folder);
    }
    return JobRunner.DONE;
  }

  /** The options with an archive of the classes that a run of them loads. */
  private List<String> archived(List<String> options, Path graph, Path folder)
      throws IOException, InterruptedException {
    Files.createDirectory(folder);
    Path list = folder.resolve("classes.lst");
    Path file = folder.resolve("classes.jsa");
    run(with(options, "-XX:DumpLoadedClassList=" + list), graph, folder.resolve("kernels"));
    List<String> dump =
        with(
            options,
            "-Xshare:dump",
            "-Xlog:cds*=error",
            "-XX:SharedClassListFile=" + list,
            "-XX:SharedArchiveFile=" + file);
    try {
      run(dump, graph, folder);
    } catch (IllegalStateException e) {
      // JVMs of version 17 crash on some lambdas.
      err.println("there is no archive with lambdas, one without is made: " + e.getMessage());
      Files.write(
          list,
          Files.readAllLines(list).stream()
              .filter(line -> !line.startsWith("@lambda-proxy"))
              .toList());
      run(dump, graph, folder);
    }
    err.printf("archive of classes: %,d bytes%n", Files.size(file));
    return with(options, "-XX:SharedArchiveFile=" + file);
  }

  private static List<String> with(List<String> options, String... more) {
    return Stream.concat(options.stream(), Stream.of(more)).toList();
  }

  private void measure(Map<String, List<String>> variants, Path graph, Path folder)
      throws IOException, InterruptedException {
    Map<String, Map<String, List<double[]>>> times = new LinkedHashMap<>();
    Set<String> results = new LinkedHashSet<>();
    for (int i = 0; i < starts; i++) {
      for (Map.Entry<String, List<String>> variant : variants.entrySet()) {
        Path kernels = folder.resolve("kernels-" + i + "-" + variant.getKey().hashCode());
        Map<String, List<String>> run = run(variant.getValue(), graph, kernels);
        results.addAll(run.remove(ColdStart.RESULT));
        err.printf("%d. start, %s: job %s ms%n", i + 1, variant.getKey(), run.get("job").get(0));
        run.forEach(
            (phase, told) ->
                times
                    .computeIfAbsent(phase, p -> new LinkedHashMap<>())
                    .computeIfAbsent(variant.getKey(), v -> new ArrayList<>())
                    .add(told.stream().mapToDouble(Double::valueOf).toArray()));
      }
    }
    out.print(table(times, variants.keySet()));
    out.println(results.size() == 1 ? "the same values in all runs" : "values differ: " + results);
  }

  /**
   * Medians in milliseconds.
   *
   * @param times by phase and variant, of each start how long it took and, if that is known, when
   *     it began
   */
  static TextTable table(
      Map<String, Map<String, List<double[]>>> times, Collection<String> variants) {
    TextTable table =
        new TextTable(Stream.concat(Stream.of("ms"), variants.stream()).toArray(String[]::new));
    times.forEach(
        (phase, byVariant) -> {
          List<String> row = new ArrayList<>(List.of(phase));
          for (String variant : variants) {
            List<double[]> found = byVariant.getOrDefault(variant, List.of());
            row.add(found.isEmpty() ? "-" : cell(found, phase.equals("job")));
          }
          table.add(row);
        });
    return table;
  }

  private static String cell(List<double[]> starts, boolean bounds) {
    List<Double> times = column(starts, 0);
    String median = whole(Medians.median(times));
    if (bounds) {
      return median
          + " ("
          + whole(Collections.min(times))
          + "-"
          + whole(Collections.max(times))
          + ")";
    }
    return starts.get(0).length == 1
        ? median
        : median + " @" + whole(Medians.median(column(starts, 1)));
  }

  private static List<Double> column(List<double[]> starts, int index) {
    return starts.stream().map(start -> start[index]).toList();
  }

  private static String whole(double millis) {
    return String.format(Locale.ROOT, "%.0f", millis);
  }

  /** What a run printed, by phase: how long it took, of its parts when they began, too. */
  private Map<String, List<String>> run(
      List<String> options, Path graph, Path kernels, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add("-Dspark.gpugraph.kernelCache.dir=" + kernels);
    command.addAll(options);
    command.add(ColdStart.class.getName());
    command.addAll(List.of("--graph", graph.toString()));
    command.addAll(List.of(arguments));
    command.addAll(job);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    // The driver keeps what it makes of PTX, too.
    builder.environment().put("CUDA_CACHE_PATH", kernels.toString());
    Process process = builder.start();
    Map<String, List<String>> phases = new LinkedHashMap<>();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        List<String> cells = List.of(line.split("\t"));
        if (cells.size() >= 3 && cells.get(0).equals(ColdStart.MARK)) {
          phases.put(cells.get(1), cells.subList(2, cells.size()));
        } else {
          err.println(line);
        }
      }
    } finally {
      process.destroy();
    }
    int status = process.waitFor();
    if (status != 0) {
      throw new IllegalStateException("a run ended with status " + status);
    }
    return phases;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      files.map(Path::toFile).sorted(Collections.reverseOrder()).forEach(File::delete);
    }
  }
}
