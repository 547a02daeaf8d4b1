package org.sparkgpugraph.runtime.observe;

import java.util.Locale;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;
import org.apache.spark.ui.ConsoleProgressBar;
import org.sparkgpugraph.run.RunReport;
import org.sparkgpugraph.run.SuperstepStats;
import org.sparkgpugraph.runtime.conf.GpuGraphConf;
import org.sparkgpugraph.runtime.conf.ProgressMode;

/**
 * Shows on a console how a load or a run goes: how far it is where that is known, at what rate, how
 * long it will take, and of a run how many vertices were active. Nothing is shown of what is over
 * within the first interval. Thread-safe.
 */
public final class ConsoleProgress implements AutoCloseable {
  private static final long FIRST_NANOS = 500_000_000L;
  private static final long TERMINAL_NANOS = 200_000_000L;
  private static final long LINE_NANOS = 2_000_000_000L;

  /** Characters of a bar. */
  private static final int BAR = 10;

  private final ConsoleLine line;
  private final String program;
  private final LongSupplier clock;
  private final long begun;
  private final Sparkline active;
  private final Sparkline none;
  private final int mostSupersteps;

  // Guarded by this.
  private long nextShown;
  private long edges;
  private long nanos;

  /**
   * @param line where to write
   * @param program what runs, or that a graph is loaded
   * @param mostSupersteps bound on the supersteps after superstep 0; {@link Integer#MAX_VALUE}:
   *     none
   * @param clock nanoseconds
   */
  public ConsoleProgress(ConsoleLine line, String program, int mostSupersteps, LongSupplier clock) {
    this.line = line;
    this.program = program;
    this.mostSupersteps = mostSupersteps;
    this.clock = clock;
    active = new Sparkline(line.hasUnicode());
    none = new Sparkline(false);
    begun = clock.getAsLong();
    nextShown = begun + firstNanos();
  }

  private long firstNanos() {
    return line.isRewritten() ? FIRST_NANOS : LINE_NANOS;
  }

  /**
   * As the configuration says.
   *
   * @param program what runs
   * @param mostSupersteps bound on the supersteps; {@link Integer#MAX_VALUE}: none
   * @return null when nothing is to be shown
   */
  public static ConsoleProgress of(SparkContext sc, String program, int mostSupersteps) {
    return of(
        GpuGraphConf.of(sc).get(GpuGraphConf.PROGRESS),
        program.substring(program.lastIndexOf('.') + 1),
        mostSupersteps,
        sc.progressBar().isDefined() ? sc.progressBar().get() : null);
  }

  /**
   * For the driver's standard error.
   *
   * @param program what runs
   * @param bar Spark's own; null: there is none
   * @return null when nothing is to be shown
   */
  public static ConsoleProgress of(
      ProgressMode mode, String program, int mostSupersteps, ConsoleProgressBar bar) {
    if (mode == ProgressMode.FALSE || mode == ProgressMode.AUTO && System.console() == null) {
      return null;
    }
    return new ConsoleProgress(
        ConsoleLine.ofDriver(bar), program, mostSupersteps, System::nanoTime);
  }

  /** A superstep ended. */
  public synchronized void superstepEnded(SuperstepStats stats) {
    edges += stats.edgesEvaluated();
    nanos += stats.nanos();
    active.add(stats.activeVertices());
    if (isDue()) {
      boolean bounded = mostSupersteps != Integer.MAX_VALUE;
      line.show(
          String.format(
              Locale.ROOT,
              "%s: %ssuperstep %,d%s, %,d active vertices, %s edges/s%s",
              program,
              bounded ? bar(stats.superstep(), mostSupersteps) : "",
              stats.superstep(),
              bounded ? String.format(Locale.ROOT, " of %,d", mostSupersteps) : "",
              stats.activeVertices(),
              rate(edges, nanos),
              bounded ? left(stats.superstep(), mostSupersteps) : ""),
          active);
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
      line.show(
          String.format(
              Locale.ROOT,
              "%s: %sreading edges, %,d of %,d tasks done, %,d edges, %s edges/s%s",
              program,
              bar(ended, tasks),
              ended,
              tasks,
              read,
              rate(read, clock.getAsLong() - begun),
              left(ended, tasks)),
          none);
    }
  }

  /** The next step of a load begins, which may take long. */
  public synchronized void step(String step) {
    if (isDue()) {
      line.show(program + ": " + step, none);
    }
  }

  /** A graph is loaded: shows how long it took. */
  public synchronized void loaded(long vertices, long read) {
    long took = clock.getAsLong() - begun;
    if (took < firstNanos()) {
      return;
    }
    line.keep(
        String.format(
            Locale.ROOT,
            "%s: %,d vertices and %,d edges in %.2f s, %s edges/s",
            program,
            vertices,
            read,
            took / 1e9,
            rate(read, took)));
  }

  /** A run has ended, its result is there: shows how long it took, and its parts. */
  public synchronized void ended(RunReport report) {
    if (report.totalSeconds() * 1e9 < firstNanos()) {
      return;
    }
    line.keep(
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
    nextShown = now + (line.isRewritten() ? TERMINAL_NANOS : LINE_NANOS);
    return true;
  }

  private static String bar(int done, int of) {
    int filled = (int) ((long) BAR * Math.min(done, of) / Math.max(1, of));
    return "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] ";
  }

  /** What is left takes as long as what is done, at most: a run may end before. */
  private String left(int done, int of) {
    if (done <= 0 || done >= of) {
      return "";
    }
    double seconds = (double) (clock.getAsLong() - begun) / done * (of - done) / 1e9;
    long whole = Math.max(1, Math.round(seconds));
    if (whole < 120) {
      return String.format(Locale.ROOT, ", %d s left", whole);
    }
    return whole < 7200
        ? String.format(Locale.ROOT, ", %d min left", (whole + 30) / 60)
        : String.format(Locale.ROOT, ", %d h left", (whole + 1800) / 3600);
  }

  /** Removes the line from a terminal. */
  @Override
  public synchronized void close() {
    line.clear();
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
