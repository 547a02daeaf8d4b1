package org.sparkgpugraph.benchmarks;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that benchmarks with a command line have in common. */
public final class RunCounts {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "Iterations of PageRank in a run; default ${DEFAULT-VALUE}.")
  private int iterations;

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "Measured runs; default ${DEFAULT-VALUE}.")
  private int runs;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "Runs before, not measured; default ${DEFAULT-VALUE}.")
  private int warmUps;

  @Option(
      names = "--json",
      paramLabel = "FILE",
      description = "Where the measurements go as JSON, an object per line; a new file.")
  private Path json;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this and exits.")
  private boolean help;

  /** With its defaults. */
  public RunCounts(int iterations, int runs, int warmUps) {
    this.iterations = iterations;
    this.runs = runs;
    this.warmUps = warmUps;
  }

  /** Iterations of PageRank in a run. */
  public int iterations() {
    return iterations;
  }

  /** Measured runs. */
  public int runs() {
    return runs;
  }

  /** Runs before the measured ones. */
  public int warmUps() {
    return warmUps;
  }

  /**
   * The file that measurements go to, made and empty; null: not asked for.
   *
   * @throws ParameterException when it exists
   */
  public Path newJson() throws IOException {
    return newJson(json, spec);
  }

  /**
   * The same of a file that is an option of a command's own.
   *
   * @param json null: not asked for
   */
  public static Path newJson(Path json, CommandSpec spec) throws IOException {
    if (json != null) {
      try {
        Files.createFile(json);
      } catch (FileAlreadyExistsException e) {
        throw new ParameterException(
            spec.commandLine(),
            "--json " + json + " exists already: choose another file or remove it first");
      }
    }
    return json;
  }

  /** What is thrown for a wrong argument. */
  public ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Refuses numbers of runs that measure nothing. */
  public void check() {
    if (runs < 1 || iterations < 1 || warmUps < 0) {
      throw wrong("--runs and --iterations must be at least 1, --warm-up at least 0");
    }
  }

  /**
   * One of several things, by its name.
   *
   * @param what it is, for the message: {@code "an algorithm"}
   */
  public <T> T named(String what, String name, Collection<T> all, Function<T, String> title) {
    List<String> names = new ArrayList<>();
    for (T one : all) {
      if (title.apply(one).equals(name)) {
        return one;
      }
      names.add(title.apply(one));
    }
    throw wrong("'" + name + "' is not " + what + "; valid: " + String.join(", ", names));
  }
}
