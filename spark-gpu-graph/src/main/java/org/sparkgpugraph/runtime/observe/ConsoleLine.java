package org.sparkgpugraph.runtime.observe;

import java.io.PrintStream;
import java.nio.charset.Charset;
import org.apache.spark.ui.ConsoleProgressBar;

/**
 * The place on a console where progress is shown: on a terminal one line that is rewritten,
 * elsewhere, or where Spark rewrites one, lines of its own. Thread-safe.
 */
public final class ConsoleLine {
  /** What Spark takes for the width of a terminal, too. */
  private static final int USUAL_COLUMNS = 80;

  private final PrintStream out;
  private final boolean rewrite;
  private final boolean unicode;
  private final int columns;
  private final Object spark;
  private final Runnable clearSpark;
  private int width;

  /**
   * @param out where to write
   * @param rewrite whether one line is written again and again
   * @param columns of the terminal
   * @param unicode whether it has block characters
   * @param spark what Spark holds while it writes to its own line
   * @param clearSpark removes that line; Spark writes it again
   */
  public ConsoleLine(
      PrintStream out,
      boolean rewrite,
      int columns,
      boolean unicode,
      Object spark,
      Runnable clearSpark) {
    this.out = out;
    this.rewrite = rewrite;
    this.columns = columns;
    this.unicode = unicode;
    this.spark = spark;
    this.clearSpark = clearSpark;
  }

  /**
   * On the driver's standard error.
   *
   * @param bar Spark's own; null: there is none
   */
  static ConsoleLine ofDriver(ConsoleProgressBar bar) {
    boolean terminal = System.console() != null;
    Charset charset = terminal ? System.console().charset() : Charset.defaultCharset();
    boolean unicode = charset.canEncode() && charset.newEncoder().canEncode('▁');
    return new ConsoleLine(
        System.err,
        terminal && bar == null,
        columns(),
        unicode,
        bar == null ? new Object() : bar,
        bar == null ? () -> {} : bar::finishAll);
  }

  private static int columns() {
    String told = System.getenv().getOrDefault("COLUMNS", "");
    return told.matches("[1-9]\\d{1,3}") ? Integer.parseInt(told) : USUAL_COLUMNS;
  }

  /** Whether one line is written again and again. */
  boolean isRewritten() {
    return rewrite;
  }

  /** Whether there are block characters. */
  boolean hasUnicode() {
    return unicode;
  }

  /**
   * Shows a line.
   *
   * @param text what is to be seen
   * @param trend goes behind it, as far as there is room
   */
  synchronized void show(String text, Sparkline trend) {
    if (!rewrite) {
      keep(text + padded(trend.text(USUAL_COLUMNS / 4)));
      return;
    }
    // A line that is too long would be wrapped, and could not be rewritten.
    int room = columns - 1;
    String line = text.length() > room ? text.substring(0, room) : text;
    line += padded(trend.text(room - line.length() - 1));
    out.print("\r" + line + " ".repeat(Math.max(0, width - line.length())));
    out.flush();
    width = line.length();
  }

  private static String padded(String trend) {
    return trend.isEmpty() ? "" : " " + trend;
  }

  /** Writes a line that stays. */
  synchronized void keep(String line) {
    clear();
    // While nobody writes to Spark's line, which would be torn.
    synchronized (spark) {
      clearSpark.run();
      out.println(line);
      out.flush();
    }
  }

  /** Removes what is rewritten. */
  synchronized void clear() {
    if (width > 0) {
      out.print("\r" + " ".repeat(width) + "\r");
      out.flush();
      width = 0;
    }
  }
}
