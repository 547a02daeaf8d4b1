package org.sparkgpugraph.engine.device.tuning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Several ways to do the same, tried in turn and compared by time per edge. How long an edge takes
 * depends on how many there are at a time, so launches are compared that begin with about as much
 * work: with the same binary logarithm, a bin. Of several launches of a way in a bin the quickest
 * one counts. A way is compared with the default over the bins where both were tried, which count
 * as much as the edges that were seen in them. Thread-safe: runs of one program share a trial.
 */
public final class Trial {
  /** Launches of each way before one is chosen. */
  static final int LAUNCHES = 3;

  /** Who takes more than so many times as long as the quickest, twice, is not tried again. */
  static final double CLEAR_LOSER = 1.5;

  /** The default stays unless another way takes less than this part of its time. */
  static final double GAIN = 0.97;

  private static final int BINS = Long.SIZE;

  /** What is known of a way. */
  private static final class Way {
    final Map<Integer, Double> nanosPerEdge = new HashMap<>();
    final int[] launches = new int[BINS];
    int all;
    boolean out;
    String why = "";
  }

  /**
   * What a trial says of a way.
   *
   * @param title of it
   * @param launches that were timed
   * @param nanosPerEdge over all bins where the default was tried, too; NaN: it was not tried
   * @param ratio its time by that of the default; NaN likewise
   * @param why it was dropped; empty: it was not
   */
  public record Row(String title, int launches, double nanosPerEdge, double ratio, String why) {}

  private final List<String> titles;
  private final List<Way> ways;
  private final long[] edges = new long[BINS];
  private int failures;
  private int winner = -1;

  /**
   * @param titles of the ways, at least one, the default first
   */
  public Trial(List<String> titles) {
    this.titles = List.copyOf(titles);
    ways = titles.stream().map(title -> new Way()).toList();
  }

  /** The bin of launches that begin with so much work. */
  static int bin(long work) {
    return work <= 0 ? 0 : Long.SIZE - 1 - Long.numberOfLeadingZeros(work);
  }

  /**
   * The way whose turn it is: of those that are left the one that was tried least with so much
   * work; the winner once there is one.
   *
   * @param work edges and vertices that a launch begins with
   */
  public synchronized int next(long work) {
    if (winner >= 0) {
      return winner;
    }
    int bin = bin(work);
    int next = 0;
    for (int way = 1; way < ways.size(); way++) {
      Way other = ways.get(way);
      Way least = ways.get(next);
      int more = Integer.compare(other.launches[bin], least.launches[bin]);
      if (!other.out && (more < 0 || more == 0 && other.all < least.all)) {
        next = way;
      }
    }
    return next;
  }

  /**
   * Takes the time of a launch.
   *
   * @param way that was taken
   * @param work that the launch began with, as {@link #next} was told
   * @param walked edges that it evaluated; without any it tells nothing
   * @param nanos of the device
   */
  public synchronized void measured(int way, long work, long walked, long nanos) {
    if (winner >= 0 || walked <= 0 || nanos <= 0) {
      return;
    }
    int bin = bin(work);
    edges[bin] += walked;
    Way tried = ways.get(way);
    tried.nanosPerEdge.merge(bin, (double) nanos / walked, Math::min);
    tried.launches[bin]++;
    tried.all++;
    dropLosers();
    decide();
  }

  /** A way cannot be taken. The default always can. */
  public synchronized void failed(int way, String why) {
    if (way > 0) {
      ways.get(way).out = true;
      ways.get(way).why = why;
      failures++;
      decide();
    }
  }

  private void dropLosers() {
    double best =
        IntStream.range(0, ways.size())
            .filter(way -> !ways.get(way).out)
            .mapToDouble(this::ratio)
            .filter(ratio -> !Double.isNaN(ratio))
            .min()
            .orElse(1);
    for (int way = 1; way < ways.size(); way++) {
      Way tried = ways.get(way);
      if (!tried.out && tried.all > 1 && ratio(way) > CLEAR_LOSER * best) {
        ways.get(way).out = true;
        ways.get(way).why = "slower";
      }
    }
  }

  private void decide() {
    // The default is what all are compared with, so it is tried to the end, however slow.
    if (ways.stream().anyMatch(way -> !way.out && way.all < LAUNCHES)
        || IntStream.range(0, ways.size())
            .anyMatch(way -> !ways.get(way).out && Double.isNaN(ratio(way)))) {
      return;
    }
    int best = 0;
    for (int way = 1; way < ways.size(); way++) {
      if (!ways.get(way).out && ratio(way) < Math.min(GAIN, ratio(best))) {
        best = way;
      }
    }
    winner = best;
  }

  /** The time of a way by that of the default, where both were tried; NaN: nowhere. */
  private double ratio(int way) {
    double[] sums = sums(way);
    return sums[1] == 0 ? Double.NaN : sums[0] / sums[1];
  }

  /** Nanoseconds that all edges would take which were seen where both were tried. */
  private double[] sums(int way) {
    double own = 0;
    double first = 0;
    double seen = 0;
    for (int bin = 0; bin < BINS; bin++) {
      Double time = ways.get(way).nanosPerEdge.get(bin);
      Double standard = ways.get(0).nanosPerEdge.get(bin);
      if (time != null && standard != null) {
        own += edges[bin] * time;
        first += edges[bin] * standard;
        seen += edges[bin];
      }
    }
    return new double[] {own, first, seen};
  }

  /** The way that has won; empty while they are tried. */
  public synchronized OptionalInt winner() {
    return winner < 0 ? OptionalInt.empty() : OptionalInt.of(winner);
  }

  /** Whether a way is left to be tried. */
  public synchronized boolean isLeft(int way) {
    return !ways.get(way).out;
  }

  /** Whether a way could not be tried. */
  public synchronized boolean anyFailed() {
    return failures > 0;
  }

  /** What is known of each way. */
  public synchronized List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    for (int way = 0; way < ways.size(); way++) {
      double[] sums = sums(way);
      double nanosPerEdge = sums[2] == 0 ? Double.NaN : sums[0] / sums[2];
      Way of = ways.get(way);
      rows.add(new Row(titles.get(way), of.all, nanosPerEdge, ratio(way), of.why));
    }
    return rows;
  }

  /**
   * The winner as it is remembered.
   *
   * @throws IllegalStateException while there is none
   */
  public synchronized Choice choice() {
    if (winner < 0) {
      throw new IllegalStateException("no way has won yet of " + titles);
    }
    double[] sums = sums(winner);
    return new Choice(
        titles.get(winner), perEdge(sums[0], sums[2]), perEdge(sums[1], sums[2]), ways.size());
  }

  private static double perEdge(double nanos, double seen) {
    return seen == 0 ? 0 : nanos / seen;
  }

  @Override
  public String toString() {
    return Objects.toString(rows());
  }
}
