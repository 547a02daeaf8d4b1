package org.sparkgpugraph.benchmarks.comparison;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A line of {@link SpeedTable}, filled in from what a {@link SpeedTrial} says. Thread-safe. */
final class SpeedRow {
  static final String HEADER =
      "| algorithm | edges | GraphX s | GpuPregel s | times faster | GraphX heap MB |"
          + " GpuPregel heap MB | results |\n|---|--:|--:|--:|--:|--:|--:|---|";

  /** Exit status of a JVM that -XX:+ExitOnOutOfMemoryError has ended. */
  private static final int OUT_OF_MEMORY = 3;

  /** Who runs. */
  private enum Side {
    OURS,
    GRAPHX
  }

  /** The runs of a side. */
  private static final class Runs {
    private final List<Double> seconds = new ArrayList<>();
    private double live;
    private double used;

    double cold() {
      return seconds.get(0);
    }

    boolean warm() {
      return seconds.size() > 1;
    }

    /** The median of the runs after the first. */
    double median() {
      double[] sorted =
          seconds.subList(1, seconds.size()).stream()
              .mapToDouble(Double::doubleValue)
              .sorted()
              .toArray();
      int middle = sorted.length / 2;
      return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    String time() {
      String cold = figures(cold()) + (warm() ? "" : " (cold)");
      return warm() ? figures(median()) + " (cold " + cold + ")" : cold;
    }

    private static String figures(double seconds) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.2f" : "%.1f", seconds);
    }

    String heap() {
      return String.format(Locale.ROOT, "%,.0f (%,.0f)", live, used);
    }
  }

  private final Contest contest;
  private final Map<Side, Runs> runs = new EnumMap<>(Side.class);
  private long edges = -1;
  private Side running;
  private long heard = System.nanoTime();
  private String failure;
  private Side failed;
  private String agreement;
  private boolean done;

  SpeedRow(Contest contest) {
    this.contest = contest;
    runs.put(Side.OURS, new Runs());
    runs.put(Side.GRAPHX, new Runs());
  }

  /** Takes in what the trial says. */
  synchronized void hear(String line) {
    heard = System.nanoTime();
    String[] words = line.split(" ");
    switch (words[0]) {
      case "graph" -> edges = Long.parseLong(words[2]);
      case "begin" -> running = Side.valueOf(words[1].toUpperCase(Locale.ROOT));
      case "run" -> {
        Runs side = runs.get(running);
        running = null;
        side.seconds.add(Double.parseDouble(words[2]));
        side.live = Math.max(side.live, Double.parseDouble(words[3]));
        side.used = Math.max(side.used, Double.parseDouble(words[4]));
      }
      case "agree" -> agreement = line.substring("agree ".length());
      case "done" -> done = true;
      default -> fail("said '" + line + "'");
    }
  }

  /** Seconds since the trial began or said something: of the start, a run or the comparison. */
  synchronized double secondsOfSilence() {
    return (System.nanoTime() - heard) / 1e9;
  }

  synchronized void timedOut(double seconds) {
    fail(String.format(Locale.ROOT, "more than %.0f", seconds));
  }

  /** Its output ended in the middle. */
  synchronized void cutOff() {
    if (!done) {
      fail("was ended");
    }
  }

  /** The trial's JVM has ended. */
  synchronized void ended(int status) {
    if (!done) {
      fail(status == OUT_OF_MEMORY ? "out of memory" : "failed");
    }
  }

  private void fail(String how) {
    if (failure == null) {
      failure = how;
      failed = running;
      if (running == null) {
        agreement = phase() + ": " + how;
      }
    }
  }

  /** What is done while neither side runs. */
  private String phase() {
    if (edges < 0) {
      return "start";
    }
    if (runs.get(Side.OURS).seconds.isEmpty()) {
      return "before the runs";
    }
    return runs.get(Side.GRAPHX).seconds.isEmpty() ? "between the runs" : "comparison";
  }

  /** Whether the library itself did not get to its end. */
  synchronized boolean oursFailed() {
    return failure != null && runs.get(Side.OURS).seconds.isEmpty() || failed == Side.OURS;
  }

  synchronized String markdown() {
    Runs ours = runs.get(Side.OURS);
    Runs stock = runs.get(Side.GRAPHX);
    boolean both = !ours.seconds.isEmpty() && !stock.seconds.isEmpty();
    List<String> cells =
        List.of(
            contest.name(),
            edges < 0 ? "-" : String.format(Locale.ROOT, "%,d", edges),
            contest.stock() == null ? "-" : time(Side.GRAPHX),
            time(Side.OURS),
            both ? String.format(Locale.ROOT, "%.1f", ratio(ours, stock)) : atLeast(ours),
            stock.seconds.isEmpty() ? "-" : stock.heap(),
            ours.seconds.isEmpty() ? "-" : ours.heap(),
            agreement == null ? "-" : agreement);
    return "| " + String.join(" | ", cells) + " |";
  }

  /** Warm against warm; where a side was run once, cold against cold. */
  private static double ratio(Runs ours, Runs stock) {
    return ours.warm() && stock.warm()
        ? stock.median() / ours.median()
        : stock.cold() / ours.cold();
  }

  /** How much faster it is at least than a run of GraphX that did not end. */
  private String atLeast(Runs ours) {
    if (failed != Side.GRAPHX || ours.seconds.isEmpty() || !failure.startsWith("more than ")) {
      return "-";
    }
    double seconds = Double.parseDouble(failure.substring("more than ".length()));
    return String.format(Locale.ROOT, "more than %.0f", seconds / ours.cold());
  }

  private String time(Side side) {
    Runs all = runs.get(side);
    if (all.seconds.isEmpty()) {
      return failed == side ? failure : "-";
    }
    return all.time() + (failed == side ? ", then " + failure : "");
  }
}
