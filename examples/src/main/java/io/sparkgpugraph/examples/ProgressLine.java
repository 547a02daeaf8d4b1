package io.sparkgpugraph.examples;

import io.sparkgpugraph.RunObserver;
import io.sparkgpugraph.engine.SuperstepStats;
import java.io.PrintStream;
import java.util.Locale;

/**
 * Shows supersteps as they end: on a terminal one line that is rewritten, elsewhere a line now and
 * then.
 */
final class ProgressLine implements RunObserver {
  private static final long TERMINAL_NANOS = 100_000_000L;
  private static final long LOG_NANOS = 2_000_000_000L;

  private final PrintStream out;
  private final boolean terminal;
  private final long interval;
  private long lastShown;
  private long edges;
  private long nanos;
  private int width;

  /**
   * Writes to a stream.
   *
   * @param terminal whether the line can be rewritten
   */
  ProgressLine(PrintStream out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
    this.interval = terminal ? TERMINAL_NANOS : LOG_NANOS;
    this.lastShown = System.nanoTime();
  }

  @Override
  public synchronized void superstepEnded(SuperstepStats stats) {
    edges += stats.edgesEvaluated();
    nanos += stats.nanos();
    long now = System.nanoTime();
    if (now - lastShown < interval || edges == 0) {
      return;
    }
    lastShown = now;
    String line =
        String.format(
            Locale.ROOT,
            "superstep %,d: %,d active vertices, %s edges/s",
            stats.superstep(),
            stats.activeVertices(),
            rate(edges, nanos));
    edges = 0;
    nanos = 0;
    if (terminal) {
      out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
      out.flush();
      width = line.length();
    } else {
      out.println(line);
    }
  }

  /** Removes the line from a terminal. */
  synchronized void clear() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
      width = 0;
    }
  }

  /** Edges per second, in a unit that reads well. */
  static String rate(double edges, double nanos) {
    double perSecond = nanos <= 0 ? 0 : edges / nanos * 1e9;
    if (perSecond >= 1e6) {
      return String.format(Locale.ROOT, "%.1f M", perSecond / 1e6);
    }
    return perSecond >= 1e3
        ? String.format(Locale.ROOT, "%.1f k", perSecond / 1e3)
        : String.format(Locale.ROOT, "%.0f", perSecond);
  }
}
