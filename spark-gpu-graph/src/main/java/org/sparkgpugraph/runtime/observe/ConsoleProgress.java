package org.sparkgpugraph.runtime.observe;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.conf.ProgressMode;

/**
 * Shows on a console how a load or a run goes: on a terminal one line that is rewritten, elsewhere
 * a line now and then. Nothing is shown of what is over within the first interval. Thread-safe.
 */
public final class ConsoleProgress implements AutoCloseable {
  private static final long FIRST_NANOS = 500_000_000L;
  private static final long TERMINAL_NANOS = 200_000_000L;
  private static final long LINE_NANOS = 2_000_000_000L;

  private final PrintStream out;
  private final boolean rewrite;
  private final String program;
  private final LongSupplier clock;
  private final long begun;
  private long nextShown;
  private long edges;
  private long nanos;
  private int width;

  /**
   * @param out where to write
   * @param rewrite whether one line is written again and again
   * @param program what runs, or that a graph is loaded
   * @param clock nanoseconds
   */
  public ConsoleProgress(PrintStream out, boolean rewrite, String program, LongSupplier clock) {
    this.out = out;
    this.rewrite = rewrite;
    this.program = program;
    this.clock = clock;
    this.begun = clock.getAsLong();
    this.nextShown = begun + firstNanos();
  }

  private long firstNanos() {
    return rewrite ? FIRST_NANOS : LINE_NANOS;
  }

  /**
   * As the configuration says.
   *
   * @param program what runs
   * @return null when nothing is to be shown
   */
  public static ConsoleProgress of(SparkContext sc, String program) {
    return of(
        GpuGraphConf.of(sc).get(GpuGraphConf.PROGRESS),
        program.substring(program.lastIndexOf('.') + 1),
        sc.progressBar().isDefined());
  }

  /**
   * For the driver's standard error, as Spark's own progress bar.
   *
   * @param program what runs
   * @param sparksBar whether Spark rewrites a line of the terminal itself
   * @return null when nothing is to be shown
   */
  public static ConsoleProgress of(ProgressMode mode, String program, boolean sparksBar) {
    boolean terminal = System.console() != null;
    if (mode == ProgressMode.FALSE || mode == ProgressMode.AUTO && !terminal) {
      return null;
    }
    return new ConsoleProgress(System.err, terminal && !sparksBar, program, System::nanoTime);
  }

  /** A superstep ended. */
  public synchronized void superstepEnded(SuperstepStats stats) {
    edges += stats.edgesEvaluated();
    nanos += stats.nanos();
    if (isDue()) {
      show(
          String.format(
              Locale.ROOT,
              "%s: superstep %,d, %,d active vertices, %s edges/s",
              program,
              stats.superstep(),
              stats.activeVertices(),
              rate(edges, nanos)));
      edges = 0;
      nanos = 0;
    }
  }

  /**
   * Edges were read.
   *
   * @param ended number of the tasks that have read all of theirs
   * @param tasks number of all tasks
   * @param read number of edges so far
   */
  public synchronized void loading(int ended, int tasks, long read) {
    if (isDue()) {
      show(
          String.format(
              Locale.ROOT,
              "%s: reading edges, %,d of %,d tasks done, %,d edges, %s edges/s",
              program,
              ended,
              tasks,
              read,
              rate(read, clock.getAsLong() - begun)));
    }
  }

  /** The next step of a load begins, which may take long. */
  public synchronized void step(String step) {
    if (isDue()) {
      show(program + ": " + step);
    }
  }

  /** A run has ended, its result is there: shows how long it took, and its parts. */
  public synchronized void ended(RunReport report) {
    if (report.totalSeconds() * 1e9 < firstNanos()) {
      return;
    }
    close();
    out.println(
        program
            + (report.summary() == null
                ? ": "
                : String.format(Locale.ROOT, ": %,d supersteps, ", report.summary().iterations()))
            + String.format(
                Locale.ROOT,
                "%.2f s in all: lift %.2f s, load %.2f s, run %.2f s, collect %.2f s",
                report.totalSeconds(),
                report.liftSeconds(),
                report.loadSeconds(),
                report.runSeconds(),
                report.collectSeconds()));
  }

  /** Whether the time has come to show something. */
  private boolean isDue() {
    long now = clock.getAsLong();
    if (now < nextShown) {
      return false;
    }
    nextShown = now + (rewrite ? TERMINAL_NANOS : LINE_NANOS);
    return true;
  }

  private void show(String line) {
    if (rewrite) {
      out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
      out.flush();
      width = line.length();
    } else {
      out.println(line);
    }
  }

  /** Removes the line from a terminal. */
  @Override
  public synchronized void close() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
      width = 0;
    }
  }

  /** Edges per second, in a unit that reads well. */
  public static String rate(double edges, double nanos) {
    double perSecond = nanos <= 0 ? 0 : edges / nanos * 1e9;
    if (perSecond >= 1e6) {
      return String.format(Locale.ROOT, "%.1f M", perSecond / 1e6);
    }
    return perSecond >= 1e3
        ? String.format(Locale.ROOT, "%.1f k", perSecond / 1e3)
        : String.format(Locale.ROOT, "%.0f", perSecond);
  }
}
