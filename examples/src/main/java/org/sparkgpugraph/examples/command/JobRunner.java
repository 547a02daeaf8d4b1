package org.sparkgpugraph.examples.command;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.util.ShutdownHookManager;
import org.apache.spark.SparkException;
import org.sparkgpugraph.files.input.Printable;
import org.sparkgpugraph.runtime.conf.NearestName;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Runs a job from its arguments: parses them, turns every failure into one line that says what to
 * do, and gives the exit status.
 */
public final class JobRunner {
  /** Everything was done. */
  public static final int DONE = 0;

  /** The job failed. */
  public static final int FAILED = 1;

  /** The arguments cannot be used. */
  public static final int USAGE = 2;

  private static final String FULL_DISK =
      "a disk is full (No space left on device): free some space where the output goes and where"
          + " Spark keeps its shuffle files, or choose other places: spark.local.dir for the latter"
          + " (/tmp unless set)";

  private JobRunner() {}

  /**
   * Parses and runs.
   *
   * @param job an object with picocli's annotations
   * @param out where {@code --help} goes
   * @param err where errors go
   * @return the exit status
   */
  public static int run(Callable<Integer> job, String[] args, PrintStream out, PrintStream err) {
    return run(job, "", args, out, err);
  }

  /**
   * As above.
   *
   * @param where the arguments come from, put before messages; "": the command line
   */
  public static int run(
      Callable<Integer> job, String where, String[] args, PrintStream out, PrintStream err) {
    CommandLine commandLine = new CommandLine(job);
    String command = commandLine.getCommandName();
    String name = where.isEmpty() ? command : command + ": " + where;
    String help = " (" + command + " --help tells more)";
    NumberArguments.register(commandLine);
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    commandLine.setParameterExceptionHandler(
        (e, arguments) -> {
          print(err, name, usageMessage(e) + help);
          return USAGE;
        });
    commandLine.setExecutionExceptionHandler(
        (e, line, result) -> {
          boolean trace = result.hasMatchedOption("--stacktrace");
          if (e instanceof UsageException) {
            print(err, name, e.getMessage() + help);
            return USAGE;
          }
          // What fails while the JVM goes down under a job is not what went wrong.
          if (!ShutdownHookManager.get().isShutdownInProgress()) {
            print(err, name, failureMessage(e));
          }
          if (trace) {
            e.printStackTrace(err);
          }
          return FAILED;
        });
    // Said by a hook: a JVM that is told to end does not wait for the thread that runs the job.
    Thread ended = new Thread(() -> print(err, name, "ended before it was done"), "job-ended");
    Runtime.getRuntime().addShutdownHook(ended);
    try {
      return commandLine.execute(args);
    } finally {
      removeHook(ended);
    }
  }

  /** One line, whatever is in the arguments and files that it quotes. */
  public static void print(PrintStream err, String name, String message) {
    err.println(Printable.of(name + ": " + message));
  }

  private static void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is on its way down: the hook has spoken or is about to.
    }
  }

  private static String usageMessage(ParameterException e) {
    if (e instanceof UnmatchedArgumentException unmatched && !unmatched.getUnmatched().isEmpty()) {
      String argument = unmatched.getUnmatched().get(0);
      if (argument.startsWith("-")) {
        List<String> options =
            e.getCommandLine().getCommandSpec().optionsMap().keySet().stream()
                .filter(option -> option.startsWith("--"))
                .sorted()
                .toList();
        String given =
            argument.contains("=") ? argument.substring(0, argument.indexOf('=')) : argument;
        return "there is no option '"
            + given
            + "'"
            + NearestName.of(given, options).map(o -> "; did you mean '" + o + "'?").orElse("");
      }
      return "the argument '" + argument + "' is one too many";
    }
    return oneLine(e.getMessage());
  }

  /**
   * The message of what went wrong first: the exception thrown in a task, not Spark's wrapping of
   * it. Anything that is no message for users keeps its class name.
   */
  public static String failureMessage(Throwable error) {
    Throwable root = error;
    while (isWrapper(root) && root.getCause() != null) {
      root = root.getCause();
    }
    if (root instanceof OutOfMemoryError) {
      return "out of memory ("
          + root.getMessage()
          + "): give the driver more with --driver-memory, or the executors with"
          + " spark.executor.memory";
    }
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (isFullDisk(cause.getMessage())) {
        return FULL_DISK;
      }
    }
    String message = root.getMessage();
    if (message == null || message.isBlank()) {
      return root + "; --stacktrace tells where";
    }
    if (message.contains("SparkContext was shut down")
        || message.contains("stopped SparkContext")) {
      return "Spark was stopped before the job was done: start it again";
    }
    boolean forUsers =
        root instanceof org.sparkgpugraph.files.input.BadInputException
            || root.getClass() == IllegalArgumentException.class
            || root.getClass().getName().startsWith("org.sparkgpugraph.");
    return forUsers
        ? oneLine(message)
        : root.getClass().getSimpleName() + ": " + oneLine(message) + "; --stacktrace tells where";
  }

  /** In the words of Linux: Hadoop and Spark pass them on in exceptions of many kinds. */
  private static boolean isFullDisk(String message) {
    return message != null
        && (message.contains("No space left on device") || message.contains("Disk quota exceeded"));
  }

  private static boolean isWrapper(Throwable error) {
    return error instanceof SparkException
        || error instanceof FSError
        || error.getClass() == RuntimeException.class
        || error instanceof java.util.concurrent.ExecutionException
        || error instanceof java.lang.reflect.UndeclaredThrowableException;
  }

  private static String oneLine(String message) {
    return message
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .limit(8)
        .reduce((a, b) -> a + "; " + b)
        .orElse("");
  }
}
