package org.sparkgpugraph.runtime.report;

import org.sparkgpugraph.runtime.event.GraphRunEnded;
import org.sparkgpugraph.runtime.event.GraphRunStarted;

/**
 * What a line of the table of runs says.
 *
 * @param id number of the run, in the order of their beginnings, from 0
 * @param superstep number of the last superstep that is known
 * @param active vertices that were active behind it; −1: no superstep is known
 * @param ended null: it goes on, or its end is not in the log
 * @param collectSeconds that bringing the result out took; −1: it was not, or not yet
 */
public record RunHead(
    long id,
    GraphRunStarted started,
    int superstep,
    long active,
    GraphRunEnded ended,
    double collectSeconds) {
  /** The same, its result brought out. */
  RunHead collected(double seconds) {
    return new RunHead(id, started, superstep, active, ended, seconds);
  }

  /** The program without its package. */
  public String program() {
    String name = started.program();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** The engine that ran; until that is known, the one that was asked for. */
  public String engine() {
    return ended == null || ended.engine().isEmpty() ? started.engine() : ended.engine();
  }

  /** How it stands, a word or two. */
  public String state() {
    if (ended == null) {
      return "running";
    }
    return switch (ended.outcome()) {
      case "CONVERGED" -> "converged";
      case "MAX_ITERATIONS" -> "all iterations done";
      case "STOP_WHEN" -> "stopped by stopWhen";
      case "FAILED" -> "failed";
      default -> "ended";
    };
  }

  /** Lifting, loading, running and collecting, as far as they are known. */
  public double totalSeconds() {
    return started.liftSeconds()
        + started.loadSeconds()
        + (ended == null ? 0 : ended.seconds())
        + Math.max(0, collectSeconds);
  }
}
