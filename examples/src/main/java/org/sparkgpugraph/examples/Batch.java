package org.sparkgpugraph.examples;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.sparkgpugraph.examples.command.EmbeddedSpark;
import org.sparkgpugraph.examples.command.JobRunner;
import org.sparkgpugraph.examples.command.UsageException;
import org.sparkgpugraph.files.input.BadInputException;
import org.sparkgpugraph.files.input.Printable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Jobs from the lines of a file, one after another in one Spark session. Blank lines and lines that
 * begin with # are none. Arguments are separated by blanks; quotes, single or double, keep blanks.
 */
final class Batch {
  private final String file;
  private final boolean stacktrace;
  private final PrintStream out;
  private final PrintStream err;

  /**
   * @param file a Hadoop path
   * @param stacktrace whether each failure is told with its stack trace
   */
  Batch(String file, boolean stacktrace, PrintStream out, PrintStream err) {
    this.file = file;
    this.stacktrace = stacktrace;
    this.out = out;
    this.err = err;
  }

  /**
   * Runs all jobs.
   *
   * @param spec of the command line that asks for the batch, which says nothing else
   * @return the exit status: 0 when every job has ended well
   */
  int run(CommandSpec spec) {
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      if (!List.of("--batch", "--stacktrace").contains(option.longestName())) {
        throw new UsageException(
            "--batch takes what jobs need from the file's lines: move "
                + option.longestName()
                + " there");
      }
    }
    if (!spec.commandLine().getParseResult().matchedPositionals().isEmpty()) {
      throw new UsageException("--batch takes the algorithms from the file's lines: name none");
    }
    SparkSession spark = EmbeddedSpark.session("GraphJob " + file);
    List<String> lines = read(spark);
    List<Integer> failed = new ArrayList<>();
    int jobs = 0;
    for (int number = 1; number <= lines.size(); number++) {
      String line = lines.get(number - 1).strip();
      if (line.isEmpty() || line.startsWith("#")) {
        continue;
      }
      if (spark.sparkContext().isStopped()) {
        throw new BadInputException(
            file + ", line " + number + ": Spark was stopped: the jobs from here on did not run");
      }
      jobs++;
      if (job(number, line) != JobRunner.DONE) {
        failed.add(number);
      }
    }
    if (jobs == 0) {
      throw new BadInputException(
          file
              + " holds no jobs: "
              + (lines.isEmpty()
                  ? "it is empty"
                  : "all of its lines (" + lines.size() + ") are blank or comments"));
    }
    out.println(
        Printable.of(file)
            + ": "
            + jobs
            + " jobs, "
            + (failed.isEmpty() ? "all done" : failed.size() + " failed: lines " + failed));
    return failed.isEmpty() ? JobRunner.DONE : JobRunner.FAILED;
  }

  private int job(int number, String line) {
    String where = file + ", line " + number;
    List<String> arguments;
    try {
      arguments = arguments(line);
    } catch (UsageException e) {
      JobRunner.print(err, "GraphJob: " + where, e.getMessage());
      return JobRunner.USAGE;
    }
    if (arguments.stream().anyMatch(a -> a.equals("--batch") || a.startsWith("--batch="))) {
      JobRunner.print(err, "GraphJob: " + where, "a job of a batch cannot be a batch");
      return JobRunner.USAGE;
    }
    if (stacktrace && !arguments.contains("--stacktrace")) {
      arguments.add("--stacktrace");
    }
    return JobRunner.run(new GraphJob(out, err), where, arguments.toArray(new String[0]), out, err);
  }

  private List<String> read(SparkSession spark) {
    try (BufferedReader reader = open(spark)) {
      return reader.lines().toList();
    } catch (IOException | RuntimeException | FSError e) {
      throw new BadInputException(
          "cannot read the jobs in '" + file + "': " + e.getMessage() + "; check the path", e);
    }
  }

  private BufferedReader open(SparkSession spark) throws IOException {
    Path path = new Path(file);
    return new BufferedReader(
        new InputStreamReader(
            path.getFileSystem(spark.sparkContext().hadoopConfiguration()).open(path),
            StandardCharsets.UTF_8));
  }

  /** The arguments of a line. */
  static List<String> arguments(String line) {
    List<String> arguments = new ArrayList<>();
    StringBuilder argument = null;
    char quote = 0;
    for (char c : line.toCharArray()) {
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          argument.append(c);
        }
      } else if (Character.isWhitespace(c)) {
        if (argument != null) {
          arguments.add(argument.toString());
          argument = null;
        }
      } else {
        argument = argument == null ? new StringBuilder() : argument;
        if (c == '"' || c == '\'') {
          quote = c;
        } else {
          argument.append(c);
        }
      }
    }
    if (quote != 0) {
      throw new UsageException("a quote " + quote + " is not closed");
    }
    if (argument != null) {
      arguments.add(argument.toString());
    }
    return arguments;
  }
}
