package org.sparkgpugraph.benchmarks.comparison;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.sparkgpugraph.examples.algorithms.Algorithm;
import org.sparkgpugraph.examples.algorithms.InputOptions;
import org.sparkgpugraph.examples.command.CommonOptions;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.examples.command.UsageException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Times every algorithm of the library, and GraphX's own beside it where there is one. Each gets a
 * JVM of its own with the options of this one, in which both sides run on the same cached graph: so
 * a run of GraphX that does not end, or that runs out of memory, costs a line its figure and
 * nothing else.
 */
@Command(
    name = "SpeedTable",
    sortOptions = false,
    usageHelpAutoWidth = true,
    header = "Times every algorithm, and GraphX's own beside it, on one graph.",
    description = {
      "",
      "Prints a table in Markdown. Times are medians of warm runs, from a cached GraphX"
          + " graph to the materialised vertices of a GraphX graph; in brackets the first, cold"
          + " run. Warm runs are compared with warm ones; where a side had no time for them, cold"
          + " with cold.",
      "Heap is the most that a garbage collection left, with the graph; in brackets with"
          + " garbage.",
      "An algorithm runs in a JVM of its own, with the heap of this one.",
      ""
    },
    footer = {"", "Example:", "  SpeedTable --rmat 20 --runs 3 --engine cpu"})
public final class SpeedTable implements Callable<Integer> {
  @Mixin private InputOptions input;

  @Option(
      names = "--algorithms",
      paramLabel = "NAME",
      split = ",",
      description = "Some algorithms, in this order; default: all.")
  private List<String> algorithms;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Warm runs of each side, after a cold one; default 3.")
  private int runs = 3;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Iterations of algorithms that take a number of them; default 10.")
  private int iterations = 10;

  @Option(
      names = "--sources",
      paramLabel = "N",
      description = "Sources, or landmarks, of algorithms that take several; default 4.")
  private int sources = 4;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description =
          "A run that takes longer is ended, as are a start and a comparison; default 600.")
  private double timeout = 600;

  @Option(
      names = "--repeat-for",
      paramLabel = "SECONDS",
      description =
          "No further run of a side begins when its runs have taken this long; default: the"
              + " timeout.")
  private Double repeatFor;

  @Mixin private SidesOptions sides;

  @Option(
      names = "--trial",
      hidden = true,
      description =
          "Runs one algorithm in this JVM, for another SpeedTable that reads what it says.")
  private String trial;

  @Mixin private CommonOptions common;

  private final String[] arguments;
  private final PrintStream out;
  private final PrintStream err;

  private SpeedTable(String[] arguments, PrintStream out, PrintStream err) {
    this.arguments = arguments;
    this.out = out;
    this.err = err;
  }

  /** Runs the trials and ends the JVM with its exit status. */
  public static void main(String[] args) {
    EmbeddedSpark.end(run(args, System.out, System.err));
  }

  /**
   * Runs from this JVM.
   *
   * @return the exit status
   */
  static int run(String[] args, PrintStream out, PrintStream err) {
    return JobRunner.run(new SpeedTable(args, out, err), args, out, err);
  }

  @Override
  public Integer call() throws InterruptedException {
    input.check(Algorithm.of("sssp"));
    atLeastOne("--runs", runs);
    atLeastOne("--iterations", iterations);
    atLeastOne("--sources", sources);
    sides.check();
    if (!(timeout > 0)) {
      throw new UsageException("--timeout must be more than 0 seconds, not " + timeout);
    }
    if (repeatFor != null && !(repeatFor >= 0)) {
      throw new UsageException("--repeat-for must be 0 seconds or more, not " + repeatFor);
    }
    if (input.isWeighted()) {
      throw new UsageException("algorithms that read weights get them: leave --weighted out");
    }
    List<Contest> contests =
        algorithms == null ? Contest.ALL : algorithms.stream().map(Contest::of).toList();
    if (trial != null) {
      new SpeedTrial(
              Contest.of(trial),
              input,
              sides.edgePartitions,
              runs,
              sources,
              iterations,
              repeatFor == null ? timeout : repeatFor,
              sides.ours(),
              out)
          .run();
      return JobRunner.DONE;
    }
    out.printf(
        Locale.ROOT,
        "%s; %d edge partitions, %d processors, heap of %,d MB, medians of %d warm runs%n%n",
        input.describe(),
        sides.edgePartitions,
        Runtime.getRuntime().availableProcessors(),
        Runtime.getRuntime().maxMemory() >> 20,
        runs);
    out.println(SpeedRow.HEADER);
    boolean failed = false;
    for (Contest contest : contests) {
      SpeedRow row = new SpeedRow(contest);
      tried(contest, row);
      out.println(row.markdown());
      out.flush();
      failed |= row.oursFailed();
    }
    return failed ? JobRunner.FAILED : JobRunner.DONE;
  }

  private static void atLeastOne(String option, int value) {
    if (value < 1) {
      throw new UsageException(option + " must be at least 1, not " + value);
    }
  }

  /** A trial in a JVM of its own. */
  private void tried(Contest contest, SpeedRow row) throws InterruptedException {
    err.println("SpeedTable: " + contest.name());
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(
        List.of(
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            SpeedTable.class.getName(),
            "--trial",
            contest.name()));
    command.addAll(List.of(arguments));
    try {
      Process process = new ProcessBuilder(command).start();
      Thread reader = new Thread(() -> read(process, row), "trial-output");
      reader.start();
      Thread errors = new Thread(() -> passOnErrors(process), "trial-errors");
      errors.start();
      try {
        while (!process.waitFor(1, TimeUnit.SECONDS)) {
          if (row.secondsOfSilence() > timeout) {
            row.timedOut(timeout);
            process.destroyForcibly();
          }
        }
      } finally {
        process.destroyForcibly();
      }
      reader.join();
      errors.join();
      row.ended(process.exitValue());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void passOnErrors(Process process) {
    try {
      process.getErrorStream().transferTo(err);
    } catch (IOException e) {
      // The trial was ended while it spoke: the row says so.
    }
  }

  private static void read(Process process, SpeedRow row) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith(SpeedTrial.MARK)) {
          row.hear(line.substring(SpeedTrial.MARK.length()));
        }
      }
    } catch (IOException e) {
      // The trial was ended while it spoke: the row says so.
      row.cutOff();
    }
  }
}
